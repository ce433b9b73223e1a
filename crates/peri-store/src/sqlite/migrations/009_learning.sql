-- The recorded steps of tasks.
CREATE TABLE trajectories (
    namespace_id INTEGER NOT NULL,
    id           BLOB    NOT NULL,
    session      TEXT,
    turn         BLOB,
    task         TEXT    NOT NULL,
    domain       TEXT    NOT NULL,
    agent        TEXT,
    steps        TEXT,
    outcome      INTEGER NOT NULL,
    at           INTEGER NOT NULL,
    duration_ms  INTEGER NOT NULL,
    patterns     TEXT,
    distilled_at INTEGER,
    arrived_at   INTEGER NOT NULL,
    PRIMARY KEY (namespace_id, id)
);
CREATE INDEX trajectories_undistilled ON trajectories (namespace_id, id) WHERE distilled_at IS NULL;

-- Strategies that worked, with their meaning in one space.
CREATE TABLE patterns (
    namespace_id INTEGER NOT NULL,
    id           BLOB    NOT NULL,
    strategy     TEXT    NOT NULL,
    domain       TEXT    NOT NULL,
    agent        TEXT,
    quality      REAL    NOT NULL,
    uses         INTEGER NOT NULL,
    successes    INTEGER NOT NULL,
    term         INTEGER NOT NULL,
    sources      TEXT,
    created_at   INTEGER NOT NULL,
    used_at      INTEGER,
    retired_at   INTEGER,
    space_id     INTEGER,
    vector       BLOB,
    change       INTEGER NOT NULL,
    PRIMARY KEY (namespace_id, id)
);
CREATE INDEX patterns_by_change ON patterns (namespace_id, change);

-- What was learned besides: how tasks are routed, how questions are adapted. The latest of a name holds.
CREATE TABLE learned (
    namespace_id INTEGER NOT NULL,
    name         TEXT    NOT NULL,
    number       INTEGER NOT NULL,
    at           INTEGER NOT NULL,
    value        TEXT    NOT NULL,
    reason       TEXT    NOT NULL,
    PRIMARY KEY (namespace_id, name, number)
) WITHOUT ROWID;

-- What background jobs did.
CREATE TABLE worker_runs (
    worker      TEXT    NOT NULL,
    number      INTEGER NOT NULL,
    started_at  INTEGER NOT NULL,
    finished_at INTEGER NOT NULL,
    status      TEXT    NOT NULL,
    summary     TEXT    NOT NULL,
    detail      TEXT,
    PRIMARY KEY (worker, number)
) WITHOUT ROWID;

-- What they found that somebody should look at. The mark tells one finding of a worker from another.
CREATE TABLE worker_alerts (
    worker      TEXT    NOT NULL,
    mark        TEXT    NOT NULL,
    namespace   TEXT,
    severity    INTEGER NOT NULL,
    message     TEXT    NOT NULL,
    detail      TEXT,
    first_at    INTEGER NOT NULL,
    last_at     INTEGER NOT NULL,
    seen        INTEGER NOT NULL,
    resolved_at INTEGER,
    PRIMARY KEY (worker, mark)
) WITHOUT ROWID;
