-- The notes of sessions and of namespaces: texts that are replaced as a whole. The version tells one text from another.
-- Names are bytes: neither case nor blanks at the end are overlooked.
CREATE TABLE IF NOT EXISTS `note_documents` (
    `namespace_id` BIGINT NOT NULL,
    `collection` VARBINARY(64) NOT NULL,
    `name` VARBINARY(2048) NOT NULL,
    `text` LONGTEXT NOT NULL,
    `version` VARBINARY(64) NOT NULL,
    PRIMARY KEY (`namespace_id`, `collection`, `name`)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

-- Logs that belong to them, line by line. Numbers rise within a log.
CREATE TABLE IF NOT EXISTS `note_lines` (
    `namespace_id` BIGINT NOT NULL,
    `collection` VARBINARY(64) NOT NULL,
    `name` VARBINARY(2048) NOT NULL,
    `number` BIGINT NOT NULL,
    `line` LONGTEXT NOT NULL,
    PRIMARY KEY (`namespace_id`, `collection`, `name`, `number`)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
