-- The notes of sessions and of namespaces: texts that are replaced as a whole. The version tells one text from another.
CREATE TABLE note_documents (
    namespace_id INTEGER NOT NULL,
    collection   TEXT    NOT NULL,
    name         TEXT    NOT NULL,
    text         TEXT    NOT NULL,
    version      TEXT    NOT NULL,
    PRIMARY KEY (namespace_id, collection, name)
);

-- Logs that belong to them, line by line. Numbers rise within a log.
CREATE TABLE note_lines (
    namespace_id INTEGER NOT NULL,
    collection   TEXT    NOT NULL,
    name         TEXT    NOT NULL,
    number       INTEGER NOT NULL,
    line         TEXT    NOT NULL,
    PRIMARY KEY (namespace_id, collection, name, number)
) WITHOUT ROWID;
