-- What a memory is called by in the working memory of its session.
ALTER TABLE memories ADD COLUMN key TEXT;
-- The circumstances of an episode, and the content with its structure, as JSON.
ALTER TABLE memories ADD COLUMN context TEXT;
ALTER TABLE memories ADD COLUMN data TEXT;
-- The layer it was promoted from, what it was promoted to, and whether somebody undid that.
ALTER TABLE memories ADD COLUMN promoted_from INTEGER;
ALTER TABLE memories ADD COLUMN promoted_to BLOB;
ALTER TABLE memories ADD COLUMN promotion_undone INTEGER NOT NULL DEFAULT 0;
-- When working memory was last asked for it; the one used longest ago leaves first.
ALTER TABLE memories ADD COLUMN used_at INTEGER;

-- Episodes are kept for a time. What an earlier release stored begins that time now.
UPDATE memories SET arrived_at = CAST(unixepoch('subsec') * 1000 AS INTEGER) WHERE layer = 1 AND arrived_at IS NULL;

CREATE INDEX memories_expiring ON memories (expires_at) WHERE expires_at IS NOT NULL AND trashed_at IS NULL;
CREATE INDEX memories_working ON memories (namespace_id, session) WHERE layer = 0 AND trashed_at IS NULL;
CREATE INDEX memories_episodic ON memories (max(created_at, coalesce(arrived_at, created_at)))
    WHERE layer = 1 AND trashed_at IS NULL;

-- How far an import has come that was interrupted.
CREATE TABLE imports (
    name  TEXT PRIMARY KEY,
    state TEXT    NOT NULL,
    at    INTEGER NOT NULL
) WITHOUT ROWID;
