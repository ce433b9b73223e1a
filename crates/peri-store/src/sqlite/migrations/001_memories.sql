CREATE TABLE namespaces (
    id     INTEGER PRIMARY KEY,
    path   TEXT    NOT NULL UNIQUE,
    change INTEGER NOT NULL DEFAULT 0
);

CREATE TABLE spaces (
    id         INTEGER PRIMARY KEY,
    model      TEXT    NOT NULL,
    dimensions INTEGER NOT NULL,
    UNIQUE (model, dimensions)
);

CREATE TABLE memories (
    namespace_id  INTEGER NOT NULL REFERENCES namespaces (id),
    id            BLOB    NOT NULL,
    content       TEXT    NOT NULL,
    fingerprint   BLOB    NOT NULL,
    layer         INTEGER NOT NULL,
    kind          INTEGER NOT NULL,
    importance    REAL    NOT NULL,
    pinned        INTEGER NOT NULL,
    tags          TEXT,
    aliases       TEXT,
    session       TEXT,
    speaker       TEXT,
    source        TEXT,
    occurred_at   INTEGER,
    expires_at    INTEGER,
    superseded_by BLOB,
    metadata      TEXT,
    created_at    INTEGER NOT NULL,
    updated_at    INTEGER NOT NULL,
    version       INTEGER NOT NULL,
    trashed_at    INTEGER,
    -- 0 waits for a vector, 1 has one in space_id, 2 will not have one
    embedding     INTEGER NOT NULL,
    space_id      INTEGER REFERENCES spaces (id),
    change        INTEGER NOT NULL,
    PRIMARY KEY (namespace_id, id)
) WITHOUT ROWID;

CREATE UNIQUE INDEX memories_by_fingerprint ON memories (namespace_id, fingerprint) WHERE trashed_at IS NULL;
CREATE INDEX memories_by_change ON memories (namespace_id, change);
CREATE INDEX memories_by_id ON memories (id);
CREATE INDEX memories_in_trash ON memories (namespace_id, trashed_at) WHERE trashed_at IS NOT NULL;
CREATE INDEX memories_unembedded ON memories (namespace_id, id) WHERE embedding = 0 AND trashed_at IS NULL;

CREATE TABLE vectors (
    namespace_id INTEGER NOT NULL,
    id           BLOB    NOT NULL,
    space_id     INTEGER NOT NULL REFERENCES spaces (id),
    value        BLOB    NOT NULL,
    PRIMARY KEY (namespace_id, id, space_id)
) WITHOUT ROWID;

CREATE TABLE versions (
    namespace_id INTEGER NOT NULL,
    id           BLOB    NOT NULL,
    version      INTEGER NOT NULL,
    content      TEXT    NOT NULL,
    since        INTEGER NOT NULL,
    until        INTEGER NOT NULL,
    PRIMARY KEY (namespace_id, id, version)
) WITHOUT ROWID;

-- What was destroyed, so that indexes of other processes hear of it.
CREATE TABLE tombstones (
    namespace_id INTEGER NOT NULL,
    change       INTEGER NOT NULL,
    id           BLOB    NOT NULL,
    PRIMARY KEY (namespace_id, change)
) WITHOUT ROWID;

CREATE TABLE usage (
    namespace_id INTEGER NOT NULL,
    id           BLOB    NOT NULL,
    recalls      INTEGER NOT NULL,
    last_at      INTEGER NOT NULL,
    PRIMARY KEY (namespace_id, id)
) WITHOUT ROWID;

CREATE TABLE leases (
    name       TEXT PRIMARY KEY,
    holder     TEXT    NOT NULL,
    expires_at INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE counters (
    name  TEXT PRIMARY KEY,
    value INTEGER NOT NULL
) WITHOUT ROWID;
INSERT INTO counters (name, value) VALUES ('change', 0);

-- Tells this store from every other one, so that files derived from another are not taken for its own.
CREATE TABLE identity (id TEXT NOT NULL);
INSERT INTO identity (id) VALUES (lower(hex(randomblob(16))));
