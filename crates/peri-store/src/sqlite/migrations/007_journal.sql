-- What happened around an agent, entry by entry. The folded text is what words are looked for in.
CREATE TABLE journal_entries (
    namespace_id INTEGER NOT NULL,
    id           BLOB    NOT NULL,
    session      TEXT,
    -- When it happened, when it was written down, and when it came here.
    at           INTEGER NOT NULL,
    created_at   INTEGER NOT NULL,
    arrived_at   INTEGER NOT NULL,
    actor        TEXT,
    kind         TEXT    NOT NULL,
    direction    INTEGER,
    status       INTEGER,
    turn         BLOB,
    text         TEXT    NOT NULL,
    text_folded  TEXT    NOT NULL,
    body         TEXT,
    gate         TEXT,
    metadata     TEXT,
    -- Whether a memory is to be made of it.
    remembered   INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (namespace_id, id)
) WITHOUT ROWID;
CREATE INDEX journal_entries_by_time ON journal_entries (namespace_id, at, id);
CREATE INDEX journal_entries_by_session ON journal_entries (namespace_id, session, at, id);
CREATE INDEX journal_entries_by_turn ON journal_entries (namespace_id, turn) WHERE turn IS NOT NULL;

-- What an agent did with what came in: from the entry that began it to the one that ended it.
CREATE TABLE journal_turns (
    namespace_id INTEGER NOT NULL,
    id           BLOB    NOT NULL,
    session      TEXT,
    started_at   INTEGER NOT NULL,
    finished_at  INTEGER,
    -- When it was last told of here.
    arrived_at   INTEGER NOT NULL,
    input        BLOB,
    plan         TEXT,
    tool_calls   TEXT,
    tool_results TEXT,
    output       BLOB,
    output_text  TEXT,
    status       INTEGER,
    error        TEXT,
    metadata     TEXT,
    PRIMARY KEY (namespace_id, id)
) WITHOUT ROWID;
CREATE INDEX journal_turns_by_time ON journal_turns (namespace_id, started_at, id);
CREATE INDEX journal_turns_by_session ON journal_turns (namespace_id, session, started_at);

-- The entry that a memory came from.
ALTER TABLE memories ADD COLUMN entry BLOB;
CREATE INDEX memories_by_entry ON memories (namespace_id, entry) WHERE entry IS NOT NULL;

-- Calls that may be made again, and must be made once.
CREATE TABLE applied (
    token BLOB PRIMARY KEY,
    at    INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX applied_by_time ON applied (at);

-- Which space answers, under the name 'current'.
CREATE TABLE reindexing (
    name  TEXT PRIMARY KEY,
    state TEXT    NOT NULL,
    at    INTEGER NOT NULL
) WITHOUT ROWID;
-- Until now every process went by its own settings. The space of most memories is the one that they meant.
INSERT INTO reindexing (name, state, at)
SELECT 'current', json_object('space', json_object('model', s.model, 'dimensions', s.dimensions), 'revision', 1), 0
FROM spaces s WHERE s.id = (
    SELECT space_id FROM memories WHERE embedding = 1 GROUP BY space_id ORDER BY count(*) DESC, space_id DESC LIMIT 1);
UPDATE memories SET embedding = 0, space_id = NULL WHERE embedding = 1 AND space_id <> (
    SELECT s.id FROM spaces s JOIN reindexing r ON r.name = 'current'
    AND s.model = r.state ->> '$.space.model' AND s.dimensions = r.state ->> '$.space.dimensions');
