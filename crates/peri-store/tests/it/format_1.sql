-- One memory as format 1 wrote it.
INSERT INTO namespaces (id, path, change) VALUES (1, 'a', 1);
INSERT INTO memories (namespace_id, id, content, fingerprint, layer, kind, importance, pinned, created_at, updated_at,
    version, embedding, change)
VALUES (1, x'01980000000070008000000000000001', 'written by format 1', x'00112233445566778899aabbccddeeff', 2, 0, 0.5, 0,
    1760000000000, 1760000000000, 1, 0, 1);
UPDATE counters SET value = 1 WHERE name = 'change';
