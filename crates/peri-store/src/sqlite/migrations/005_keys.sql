-- Who may use the store through a face. Of the secret only a hash is kept; a revoked key stays for the audit.
CREATE TABLE keys (
    id         TEXT PRIMARY KEY,
    name       TEXT    NOT NULL,
    hash       BLOB    NOT NULL,
    role       INTEGER NOT NULL,
    scope      TEXT    NOT NULL,
    created_at INTEGER NOT NULL,
    revoked_at INTEGER,
    used_at    INTEGER
) WITHOUT ROWID;
CREATE INDEX keys_not_revoked ON keys (id) WHERE revoked_at IS NULL;

-- What callers were answered, so that a request that is sent again gets the same answer instead of being done again.
CREATE TABLE answers (
    caller TEXT    NOT NULL,
    key    TEXT    NOT NULL,
    digest BLOB    NOT NULL,
    status INTEGER NOT NULL,
    body   BLOB    NOT NULL,
    at     INTEGER NOT NULL,
    PRIMARY KEY (caller, key)
);
CREATE INDEX answers_by_time ON answers (at);
