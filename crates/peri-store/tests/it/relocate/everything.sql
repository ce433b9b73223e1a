-- Something in every table, and awkward values wherever one fits: many rows, long texts, the ends of every range,
-- scripts of several continents, nothing beside the empty text.
INSERT INTO namespaces (id, path, change, settled_at) VALUES
    (1, 'default', 4000, 1760000100000), (2, '팀/기억', 4001, NULL), (9, '团队/记忆', 17, -9223372036854775808);
INSERT INTO spaces (id, model, dimensions) VALUES (1, 'bundled', 4), (7, 'transformer/다국어', 2);

WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 2300)
INSERT INTO memories (namespace_id, id, content, fingerprint, layer, kind, importance, pinned, created_at, updated_at,
    version, embedding, space_id, change, tags)
SELECT CASE n % 3 WHEN 0 THEN 2 ELSE 1 END, CAST(printf('%016d', n) AS BLOB), '기억 ' || n || ' 记忆 🌍',
    CAST(printf('%032d', n) AS BLOB), n % 3, n % 5, n / 2300.0, n % 2, 1760000000000 + n, 1760000000000 - n, 1 + n % 4,
    CASE n % 3 WHEN 0 THEN 1 ELSE 2 END, CASE n % 3 WHEN 0 THEN 1 END, n, CASE n % 7 WHEN 0 THEN '["a","ㅎ"]' END
FROM numbers;
INSERT INTO memories (namespace_id, id, content, fingerprint, layer, kind, importance, pinned, tags, aliases, session,
    speaker, source, occurred_at, expires_at, superseded_by, metadata, created_at, updated_at, version, trashed_at,
    embedding, space_id, change, valid_from, valid_until, zone, arrived_at, linked, key, context, data, promoted_from,
    promoted_to, promotion_undone, used_at, entry)
VALUES
    (9, zeroblob(16), '', x'00', 0, 0, 5e-324, 0, '', '[]', '', '', '', -9223372036854775808, 9223372036854775807,
     x'ffffffffffffffffffffffffffffffff', '{"a":"b\u0000c","n":0.1}', -9223372036854775808, 9223372036854775807,
     4294967295, 0, 1, 7, 9223372036854775807, -1, 1, 4, 0, 1, '', '{}', '{"zero":"\u0000"}', 0, zeroblob(16), 1, 0,
     zeroblob(16)),
    (9, x'ffffffffffffffffffffffffffffffff', 'it''s "quoted" \ and % and _ and ; -- and ?1 $1', x'00', 1, 2,
     1.7976931348623157e308, 1, NULL, NULL, '세션 하나', '말하는 이', '来源', 1, NULL, NULL, NULL, 1, 2, 1,
     9223372036854775807, 0, NULL, 3, NULL, NULL, 0, NULL, 0, 'clé', NULL, NULL, 1, NULL, 0, NULL, NULL);
-- Three that do not fit into one part of a move together.
INSERT INTO memories (namespace_id, id, content, fingerprint, layer, kind, importance, pinned, created_at, updated_at,
    version, embedding, change)
VALUES
    (9, x'10000000000000000000000000000001', replace(hex(zeroblob(600000)), '00', '기억'), x'a1', 2, 0, 0.1, 0, 1, 1, 1, 2, 4),
    (9, x'10000000000000000000000000000002', replace(hex(zeroblob(400000)), '00', '🌍'), x'a2', 2, 0, -0.0, 0, 1, 1, 1, 2, 5),
    (9, x'10000000000000000000000000000003', replace(hex(zeroblob(250000)), '00', '记忆 '), x'a3', 2, 0, 1.0, 0, 1, 1, 1, 2, 6);

INSERT INTO vectors (namespace_id, id, space_id, value)
SELECT namespace_id, id, space_id, CAST(substr(id, 9) AS BLOB) FROM memories WHERE space_id = 1;
INSERT INTO vectors (namespace_id, id, space_id, value) VALUES
    (9, zeroblob(16), 7, x'00ff7f80'), (9, zeroblob(16), 1, x''), (2, CAST(printf('%016d', 3) AS BLOB), 7, x'0a0d1a00');
INSERT INTO versions (namespace_id, id, version, content, since, until) VALUES
    (9, zeroblob(16), 1, '옛날', -1, 0), (9, zeroblob(16), 2, '从前', 0, 9223372036854775807);
INSERT INTO tombstones (namespace_id, change, id) VALUES (1, 3999, x'0102030405060708090a0b0c0d0e0f10');
INSERT INTO usage (namespace_id, id, recalls, last_at) VALUES (9, zeroblob(16), 9223372036854775807, 1);
INSERT INTO uses (number, namespace_id, id, at, recalls) VALUES (3, 9, zeroblob(16), 1, 2), (70, 9, zeroblob(16), 2, 1);
INSERT INTO edges (namespace_id, source, type, target, weight, created_at) VALUES
    (9, zeroblob(16), 0, x'ffffffffffffffffffffffffffffffff', 0.30000000000000004, 1),
    (9, zeroblob(16), 4, x'10000000000000000000000000000001', 1.0, 2),
    (9, x'10000000000000000000000000000001', 4, zeroblob(16), 0.1, 3);
INSERT INTO edge_changes (namespace_id, source, change) VALUES (9, zeroblob(16), 12);
INSERT INTO merges (namespace_id, absorbed, survivor, at, gained) VALUES
    (9, x'10000000000000000000000000000003', zeroblob(16), 5, '{"tags":["얻은 것"]}');
INSERT INTO sessions (namespace_id, name, started_at, ended_at, summary) VALUES
    (9, '', 1, NULL, NULL), (9, 'Zebra', 1, NULL, NULL), (9, 'apple', 1, 2, zeroblob(16)), (9, 'Äpfel', 3, 4, NULL),
    (9, '세션 하나', 1, 2, NULL), (9, '🌍', 1, 2, NULL);
INSERT INTO feedback (namespace_id, number, at, query, results) VALUES (1, 1, 5, '질문?', '[]');
INSERT INTO weights (namespace_id, number, at, value, reason) VALUES (1, 1, 5, '{"recall":0.5}', '');
INSERT INTO lineage (number, change, mark) VALUES (1, 1, 'first'), (5, 3000, 'later');
INSERT INTO events (number, at, namespace, body) VALUES (41, 5, '팀/기억', '{"x":1}'), (42, 6, NULL, '{}');
INSERT INTO keys (id, name, hash, role, scope, created_at, revoked_at, used_at) VALUES
    ('0123456789abcdef', '열쇠', zeroblob(32), 2, '*', 1, NULL, NULL), ('fedcba9876543210', '', x'00', 0, '팀/*', 1, 2, 3);
INSERT INTO answers (caller, key, digest, status, body, at, tells) VALUES
    ('key:1', 'A', x'01', 200, x'00ff', 1, 1), ('key:1', 'a', x'02', 503, x'', 2, 0), ('', '', x'', 0, zeroblob(3), 3, 0);
INSERT INTO imports (name, state, at) VALUES ('가져오기', '{"lines":7}', 9);
INSERT INTO journal_entries (namespace_id, id, session, at, created_at, arrived_at, actor, kind, direction, status, turn,
    text, text_folded, body, gate, metadata, remembered)
VALUES
    (9, zeroblob(16), NULL, -5, 1, 3, NULL, 'tool', NULL, NULL, NULL, '', '', NULL, NULL, NULL, 0),
    (9, x'20000000000000000000000000000001', 's', 6, 7, 8, '사람', 'message', 1, 2, zeroblob(16), '안녕 世界', '안녕 世界', '{}',
     '{"drop":false}', '{"a":1}', 1);
INSERT INTO journal_turns (namespace_id, id, session, started_at, finished_at, arrived_at, input, plan, tool_calls, tool_results,
    output, output_text, status, error, metadata)
VALUES
    (9, zeroblob(16), NULL, 1, NULL, 2, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
    (9, x'30000000000000000000000000000001', 's', 1, 2, 3, zeroblob(16), '계획', '[]', '[]',
     x'ffffffffffffffffffffffffffffffff', '결과', 1, '', '{}');
INSERT INTO note_documents (namespace_id, collection, name, text, version) VALUES
    (1, 'meta', 'Zebra', '', 'x'), (1, 'meta', 'apple', '{}', 'y'), (1, 'meta', 'apple ', '{}', ''),
    (9, 'archive', replace(hex(zeroblob(682)), '00', '긴'), '## 2026-02-10' || char(10) || '- 🔴 첫 번째 一', 'v'),
    (9, 'observations', '회의', replace(hex(zeroblob(700000)), '00', '메모 '), '0123456789abcdef0123456789abcdef'),
    (9, 'observations', '会议', replace(hex(zeroblob(700000)), '00', '笔记 '), 'f');
WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 1200)
INSERT INTO note_lines (namespace_id, collection, name, number, line)
SELECT 9, CASE n % 2 WHEN 0 THEN 'pending' ELSE 'heard' END, CASE n % 3 WHEN 0 THEN '회의' ELSE 'Äpfel ' END, n,
    '{"말": ' || n || '}' FROM numbers;
INSERT INTO note_lines (namespace_id, collection, name, number, line) VALUES
    (1, 'dropped', ' ', 9223372036854775807, '🌍'), (2, 'dropped', 'a', 1, '"'), (2, 'dropped', 'A', 1, '\');
INSERT INTO trajectories (namespace_id, id, session, turn, task, domain, agent, steps, outcome, at, duration_ms, patterns,
    distilled_at, arrived_at)
VALUES
    (9, zeroblob(16), NULL, NULL, '', '', NULL, NULL, 0, -5, 0, NULL, NULL, 1),
    (9, x'40000000000000000000000000000001', '회의', zeroblob(16), '시험을 고친다 🧪', replace(hex(zeroblob(340)), '00', '긴'),
     '测试', '[{"input":"실행","duration_ms":1,"confidence":0.1}]', 2, 6, 9223372036854775807, '[]', 7, 8);
WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 1100)
INSERT INTO patterns (namespace_id, id, strategy, domain, agent, quality, uses, successes, term, sources, created_at, used_at,
    retired_at, space_id, vector, change)
SELECT 9, CAST(printf('%016d', n) AS BLOB), '먼저 ' || n || '번을 돌린다', 'testing', CASE n % 2 WHEN 0 THEN '시험자' END,
    n / 1100.0, n, n - 1, n % 2, CASE n % 3 WHEN 0 THEN '[]' END, n, CASE n % 4 WHEN 0 THEN n END,
    CASE n % 5 WHEN 0 THEN n END, CASE n % 2 WHEN 0 THEN 3 END, CASE n % 2 WHEN 0 THEN x'0000803f000000bf' END, n
FROM numbers;
INSERT INTO learned (namespace_id, name, number, at, value, reason) VALUES
    (9, 'Router', 1, 1, 'null', ''), (9, 'router', 1, 2, '{"무게":[0.1]}', '배움'),
    (9, 'router', 9223372036854775807, 3, replace(hex(zeroblob(700000)), '00', '1'), '🎚'), (9, 'router ', 1, 4, '[]', '\');
INSERT INTO worker_runs (worker, number, started_at, finished_at, status, summary, detail) VALUES
    ('audit', 7, 1, 2, 'done', '다 보았다', '{"seen":3}'), ('감사', 1, -1, 2, 'timed_out', '', NULL);
INSERT INTO worker_alerts (worker, mark, namespace, severity, message, detail, first_at, last_at, seen, resolved_at) VALUES
    ('audit', 'A', '팀/기억', 2, '비밀 같은 것', '{"file":"a.rs"}', 1, 2, 3, NULL),
    ('audit', replace(hex(zeroblob(85)), '00', '긴'), NULL, 0, '', NULL, 1, 1, 1, 5), ('audit', 'a', NULL, 1, '⚠', '{}', 0, 0, 0, 0);
INSERT INTO applied (token, at) VALUES (zeroblob(16), 1), (x'ffffffffffffffffffffffffffffffff', 2);
INSERT INTO reindexing (name, state, at) VALUES
    ('current', '{"space":{"model":"bundled","dimensions":4},"revision":3}', 0);
UPDATE counters SET value = 4001 WHERE name = 'change';
UPDATE counters SET value = 40 WHERE name = 'events_shipped';
INSERT INTO counters (name, value) VALUES ('knowledge:팀/기억', 5);
UPDATE sqlite_sequence SET seq = 90 WHERE name = 'events';
INSERT OR IGNORE INTO days_in_use (namespace_id, day, first_at, last_at)
    SELECT id, 20200, 1745280000000, 1745283600000 FROM namespaces;
INSERT INTO clocks (name, revision, state) VALUES ('clock', 7, '{"witnesses":[{"boot":"보트","uptime_ms":1,"at_ms":2}]}');
UPDATE namespaces SET faded_on = 20200, faded = 3;
UPDATE memories SET trashed_by = 1 WHERE trashed_at IS NOT NULL;
