-- On which days a namespace was used, from the hour of the first to the hour of the last use: idle time counts by these.
-- What an earlier release stored tells of some of them.
CREATE TABLE days_in_use (
    namespace_id INTEGER NOT NULL,
    day          INTEGER NOT NULL,
    first_at     INTEGER NOT NULL,
    last_at      INTEGER NOT NULL,
    PRIMARY KEY (namespace_id, day)
) WITHOUT ROWID;
INSERT INTO days_in_use (namespace_id, day, first_at, last_at)
    SELECT namespace_id, at / 86400000, min(at) / 3600000 * 3600000, max(at) / 3600000 * 3600000 FROM (
        SELECT namespace_id, created_at AS at FROM memories
        UNION ALL SELECT namespace_id, updated_at FROM memories
        UNION ALL SELECT namespace_id, last_at FROM usage
        UNION ALL SELECT namespace_id, at FROM uses) AS known
    WHERE at >= 0 GROUP BY namespace_id, at / 86400000;

-- How many memories faded on one day in use, and which day that was.
ALTER TABLE namespaces ADD COLUMN faded_on INTEGER;
ALTER TABLE namespaces ADD COLUMN faded INTEGER NOT NULL DEFAULT 0;

-- What moved a memory to the trash if nobody asked for it.
ALTER TABLE memories ADD COLUMN trashed_by INTEGER;

-- What processes have seen of the machines' clocks, as JSON.
CREATE TABLE clocks (
    name     TEXT PRIMARY KEY,
    revision INTEGER NOT NULL,
    state    TEXT    NOT NULL
) WITHOUT ROWID;
