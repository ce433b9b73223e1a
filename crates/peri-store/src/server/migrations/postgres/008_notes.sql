-- The notes of sessions and of namespaces: texts that are replaced as a whole. The version tells one text from another.
CREATE TABLE note_documents (
    namespace_id BIGINT NOT NULL,
    collection TEXT COLLATE "C" NOT NULL,
    name TEXT COLLATE "C" NOT NULL,
    text TEXT NOT NULL,
    version TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (namespace_id, collection, name)
);

-- Logs that belong to them, line by line. Numbers rise within a log.
CREATE TABLE note_lines (
    namespace_id BIGINT NOT NULL,
    collection TEXT COLLATE "C" NOT NULL,
    name TEXT COLLATE "C" NOT NULL,
    number BIGINT NOT NULL,
    line TEXT NOT NULL,
    PRIMARY KEY (namespace_id, collection, name, number)
);
