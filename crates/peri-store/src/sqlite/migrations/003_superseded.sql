-- Finds what a memory took the place of, when it is forgotten, restored or destroyed.
CREATE INDEX memories_superseded ON memories (namespace_id, superseded_by) WHERE superseded_by IS NOT NULL;
