-- The recorded steps of tasks.
CREATE TABLE trajectories (
    namespace_id BIGINT NOT NULL,
    id BYTEA NOT NULL,
    session TEXT COLLATE "C",
    turn BYTEA,
    task TEXT NOT NULL,
    domain TEXT COLLATE "C" NOT NULL,
    agent TEXT COLLATE "C",
    steps TEXT,
    outcome BIGINT NOT NULL,
    at BIGINT NOT NULL,
    duration_ms BIGINT NOT NULL,
    patterns TEXT,
    distilled_at BIGINT,
    arrived_at BIGINT NOT NULL,
    PRIMARY KEY (namespace_id, id)
);
CREATE INDEX trajectories_undistilled ON trajectories (namespace_id, id) WHERE distilled_at IS NULL;

-- Strategies that worked, with their meaning in one space.
CREATE TABLE patterns (
    namespace_id BIGINT NOT NULL,
    id BYTEA NOT NULL,
    strategy TEXT NOT NULL,
    domain TEXT COLLATE "C" NOT NULL,
    agent TEXT COLLATE "C",
    quality DOUBLE PRECISION NOT NULL,
    uses BIGINT NOT NULL,
    successes BIGINT NOT NULL,
    term BIGINT NOT NULL,
    sources TEXT,
    created_at BIGINT NOT NULL,
    used_at BIGINT,
    retired_at BIGINT,
    space_id BIGINT,
    vector BYTEA,
    change BIGINT NOT NULL,
    PRIMARY KEY (namespace_id, id)
);
CREATE INDEX patterns_by_change ON patterns (namespace_id, change);

-- What was learned besides: how tasks are routed, how questions are adapted. The latest of a name holds.
CREATE TABLE learned (
    namespace_id BIGINT NOT NULL,
    name TEXT COLLATE "C" NOT NULL,
    number BIGINT NOT NULL,
    at BIGINT NOT NULL,
    value TEXT NOT NULL,
    reason TEXT NOT NULL,
    PRIMARY KEY (namespace_id, name, number)
);

-- What background jobs did.
CREATE TABLE worker_runs (
    worker TEXT COLLATE "C" NOT NULL,
    number BIGINT NOT NULL,
    started_at BIGINT NOT NULL,
    finished_at BIGINT NOT NULL,
    status TEXT COLLATE "C" NOT NULL,
    summary TEXT NOT NULL,
    detail TEXT,
    PRIMARY KEY (worker, number)
);

-- What they found that somebody should look at. The mark tells one finding of a worker from another.
CREATE TABLE worker_alerts (
    worker TEXT COLLATE "C" NOT NULL,
    mark TEXT COLLATE "C" NOT NULL,
    namespace TEXT COLLATE "C",
    severity BIGINT NOT NULL,
    message TEXT NOT NULL,
    detail TEXT,
    first_at BIGINT NOT NULL,
    last_at BIGINT NOT NULL,
    seen BIGINT NOT NULL,
    resolved_at BIGINT,
    PRIMARY KEY (worker, mark)
);
