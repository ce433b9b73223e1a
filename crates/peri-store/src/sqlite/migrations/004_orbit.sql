-- From when on and until when a statement holds, where that is known.
ALTER TABLE memories ADD COLUMN valid_from INTEGER;
ALTER TABLE memories ADD COLUMN valid_until INTEGER;

-- How near it orbits, as of the namespace's last settled step.
ALTER TABLE memories ADD COLUMN zone INTEGER NOT NULL DEFAULT 2;

-- When it was imported or restored; it is not idle from before that. What was stored by an earlier release
-- starts its orbit now, rather than being found idle for years.
ALTER TABLE memories ADD COLUMN arrived_at INTEGER;
UPDATE memories SET arrived_at = CAST(unixepoch('subsec') * 1000 AS INTEGER);

-- Whether its links were looked for.
ALTER TABLE memories ADD COLUMN linked INTEGER NOT NULL DEFAULT 0;
CREATE INDEX memories_unlinked ON memories (namespace_id, id) WHERE linked = 0 AND trashed_at IS NULL;
CREATE INDEX memories_by_zone ON memories (namespace_id, zone) WHERE trashed_at IS NULL;

-- Up to which time the orbits of a namespace are settled.
ALTER TABLE namespaces ADD COLUMN settled_at INTEGER;

-- Recalls that no settled step has counted yet.
CREATE TABLE uses (
    number       INTEGER PRIMARY KEY,
    namespace_id INTEGER NOT NULL,
    id           BLOB    NOT NULL,
    at           INTEGER NOT NULL,
    recalls      INTEGER NOT NULL
);
CREATE INDEX uses_by_memory ON uses (namespace_id, id);

CREATE TABLE edges (
    namespace_id INTEGER NOT NULL,
    source       BLOB    NOT NULL,
    type         INTEGER NOT NULL,
    target       BLOB    NOT NULL,
    weight       REAL    NOT NULL,
    created_at   INTEGER NOT NULL,
    PRIMARY KEY (namespace_id, source, type, target)
) WITHOUT ROWID;
CREATE INDEX edges_by_target ON edges (namespace_id, target);

-- Whose outgoing edges changed when, so that graphs in memory can follow.
CREATE TABLE edge_changes (
    namespace_id INTEGER NOT NULL,
    source       BLOB    NOT NULL,
    change       INTEGER NOT NULL,
    PRIMARY KEY (namespace_id, source)
) WITHOUT ROWID;
CREATE INDEX edge_changes_by_change ON edge_changes (namespace_id, change);

-- Which memory was merged into which, and what the other gained by it, so that it can be undone.
CREATE TABLE merges (
    namespace_id INTEGER NOT NULL,
    absorbed     BLOB    NOT NULL,
    survivor     BLOB    NOT NULL,
    at           INTEGER NOT NULL,
    gained       TEXT    NOT NULL,
    PRIMARY KEY (namespace_id, absorbed)
) WITHOUT ROWID;
CREATE INDEX merges_by_survivor ON merges (namespace_id, survivor);

CREATE TABLE sessions (
    namespace_id INTEGER NOT NULL,
    name         TEXT    NOT NULL,
    started_at   INTEGER NOT NULL,
    ended_at     INTEGER,
    summary      BLOB,
    PRIMARY KEY (namespace_id, name)
) WITHOUT ROWID;

CREATE TABLE feedback (
    namespace_id INTEGER NOT NULL,
    number       INTEGER NOT NULL,
    at           INTEGER NOT NULL,
    query        TEXT    NOT NULL,
    results      TEXT    NOT NULL,
    PRIMARY KEY (namespace_id, number)
) WITHOUT ROWID;

CREATE TABLE weights (
    namespace_id INTEGER NOT NULL,
    number       INTEGER NOT NULL,
    at           INTEGER NOT NULL,
    value        TEXT    NOT NULL,
    reason       TEXT    NOT NULL,
    PRIMARY KEY (namespace_id, number)
) WITHOUT ROWID;

-- What happened, written together with what it tells of, until it is in the audit log.
CREATE TABLE events (
    number    INTEGER PRIMARY KEY AUTOINCREMENT,
    at        INTEGER NOT NULL,
    namespace TEXT,
    body      TEXT    NOT NULL
);
INSERT INTO counters (name, value) VALUES ('events_shipped', 0), ('events_lost', 0);
