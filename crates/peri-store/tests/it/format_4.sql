-- What format 4 kept beside the memories that format 1 wrote.
UPDATE namespaces SET settled_at = 1760000100000, change = 3;
UPDATE memories SET zone = 1, linked = 1 WHERE id = x'01980000000070008000000000000001';
INSERT INTO edges (namespace_id, source, type, target, weight, created_at)
VALUES (1, x'01980000000070008000000000000001', 4, x'01980000000070008000000000000002', 1.0, 1760000000000);
INSERT INTO edge_changes (namespace_id, source, change) VALUES (1, x'01980000000070008000000000000001', 3);
INSERT INTO sessions (namespace_id, name, started_at, ended_at) VALUES (1, 'standup', 1760000000000, 1760000060000);
INSERT INTO weights (namespace_id, number, at, value, reason) VALUES (1, 1, 1760000000000, '{"recall":0.5}', 'by hand');
INSERT INTO events (at, namespace, body) VALUES (1760000000000, 'a', '{"event":"session_started","session":"standup"}');
UPDATE counters SET value = 3 WHERE name = 'change';
