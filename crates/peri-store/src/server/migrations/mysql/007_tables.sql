-- The tables of a store, with the namespace first in every key that has one. Each statement may be run again: where the
-- server commits every one of them by itself, a node that dies in between leaves the rest to the next.
-- Times are milliseconds since 1970; lists and maps are JSON texts. Texts that are compared are bytes: no collation
-- takes two of them for the same.

CREATE TABLE IF NOT EXISTS `namespaces` (
    `id` BIGINT NOT NULL,
    `path` VARBINARY(255) NOT NULL,
    `change` BIGINT NOT NULL DEFAULT 0,
    `settled_at` BIGINT,
    PRIMARY KEY (`id`),
    UNIQUE KEY `namespaces_by_path` (`path`)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

CREATE TABLE IF NOT EXISTS `spaces` (
    `id` BIGINT NOT NULL,
    `model` VARBINARY(512) NOT NULL,
    `dimensions` BIGINT NOT NULL,
    PRIMARY KEY (`id`),
    UNIQUE KEY `spaces_by_model` (`model`, `dimensions`)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

CREATE TABLE IF NOT EXISTS `memories` (
    `namespace_id` BIGINT NOT NULL,
    `id` BINARY(16) NOT NULL,
    `content` LONGTEXT NOT NULL,
    `fingerprint` VARBINARY(64) NOT NULL,
    `layer` BIGINT NOT NULL,
    `kind` BIGINT NOT NULL,
    `importance` DOUBLE NOT NULL,
    `pinned` BIGINT NOT NULL,
    `tags` LONGTEXT,
    `aliases` LONGTEXT,
    `session` VARBINARY(1024),
    `speaker` VARBINARY(1024),
    `source` VARBINARY(1024),
    `occurred_at` BIGINT,
    `expires_at` BIGINT,
    `superseded_by` BINARY(16),
    `metadata` LONGTEXT,
    `created_at` BIGINT NOT NULL,
    `updated_at` BIGINT NOT NULL,
    `version` BIGINT NOT NULL,
    `trashed_at` BIGINT,
    `embedding` BIGINT NOT NULL,
    `space_id` BIGINT,
    `change` BIGINT NOT NULL,
    `valid_from` BIGINT,
    `valid_until` BIGINT,
    `zone` BIGINT NOT NULL DEFAULT 2,
    `arrived_at` BIGINT,
    `linked` BIGINT NOT NULL DEFAULT 0,
    `key` VARBINARY(1024),
    `context` LONGTEXT,
    `data` LONGTEXT,
    `promoted_from` BIGINT,
    `promoted_to` BINARY(16),
    `promotion_undone` BIGINT NOT NULL DEFAULT 0,
    `used_at` BIGINT,
    `entry` BINARY(16),
    -- There is one memory outside the trash that makes a statement; NULL is unlike NULL.
    `standing` VARBINARY(64) AS (CASE WHEN `trashed_at` IS NULL THEN `fingerprint` END) STORED,
    `here_since` BIGINT AS (greatest(created_at, coalesce(arrived_at, created_at))) STORED,
    PRIMARY KEY (`namespace_id`, `id`),
    UNIQUE KEY `memories_by_fingerprint` (`namespace_id`, `standing`),
    KEY `memories_by_change` (`namespace_id`, `change`),
    KEY `memories_by_id` (`id`),
    KEY `memories_in_trash` (`namespace_id`, `trashed_at`),
    KEY `memories_unembedded` (`namespace_id`, `embedding`, `id`),
    KEY `memories_superseded` (`namespace_id`, `superseded_by`),
    KEY `memories_unlinked` (`namespace_id`, `linked`, `id`),
    KEY `memories_by_zone` (`namespace_id`, `zone`),
    KEY `memories_expiring` (`expires_at`),
    KEY `memories_working` (`namespace_id`, `session`),
    KEY `memories_episodic` (`layer`, `here_since`),
    KEY `memories_by_entry` (`namespace_id`, `entry`)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

CREATE TABLE IF NOT EXISTS `vectors` (
    `namespace_id` BIGINT NOT NULL,
    `id` BINARY(16) NOT NULL,
    `space_id` BIGINT NOT NULL,
    `value` LONGBLOB NOT NULL,
    PRIMARY KEY (`namespace_id`, `id`, `space_id`)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

CREATE TABLE IF NOT EXISTS `versions` (
    `namespace_id` BIGINT NOT NULL,
    `id` BINARY(16) NOT NULL,
    `version` BIGINT NOT NULL,
    `content` LONGTEXT NOT NULL,
    `since` BIGINT NOT NULL,
    `until` BIGINT NOT NULL,
    PRIMARY KEY (`namespace_id`, `id`, `version`)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

CREATE TABLE IF NOT EXISTS `tombstones` (
    `namespace_id` BIGINT NOT NULL,
    `change` BIGINT NOT NULL,
    `id` BINARY(16) NOT NULL,
    PRIMARY KEY (`namespace_id`, `change`)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

CREATE TABLE IF NOT EXISTS `usage` (
    `namespace_id` BIGINT NOT NULL,
    `id` BINARY(16) NOT NULL,
    `recalls` BIGINT NOT NULL,
    `last_at` BIGINT NOT NULL,
    PRIMARY KEY (`namespace_id`, `id`)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

CREATE TABLE IF NOT EXISTS `leases` (
    `name` VARBINARY(255) NOT NULL,
    `holder` VARBINARY(255) NOT NULL,
    `expires_at` BIGINT NOT NULL,
    PRIMARY KEY (`name`)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

CREATE TABLE IF NOT EXISTS `counters` (
    `name` VARBINARY(512) NOT NULL,
    `value` BIGINT NOT NULL,
    PRIMARY KEY (`name`)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

CREATE TABLE IF NOT EXISTS `identity` (
    `id` VARBINARY(64) NOT NULL,
    PRIMARY KEY (`id`)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

CREATE TABLE IF NOT EXISTS `lineage` (
    `number` BIGINT NOT NULL AUTO_INCREMENT,
    `change` BIGINT NOT NULL,
    `mark` VARBINARY(64) NOT NULL,
    PRIMARY KEY (`number`),
    KEY `lineage_by_change` (`change`)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

CREATE TABLE IF NOT EXISTS `uses` (
    `number` BIGINT NOT NULL AUTO_INCREMENT,
    `namespace_id` BIGINT NOT NULL,
    `id` BINARY(16) NOT NULL,
    `at` BIGINT NOT NULL,
    `recalls` BIGINT NOT NULL,
    PRIMARY KEY (`number`),
    KEY `uses_by_memory` (`namespace_id`, `id`)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

CREATE TABLE IF NOT EXISTS `edges` (
    `namespace_id` BIGINT NOT NULL,
    `source` BINARY(16) NOT NULL,
    `type` BIGINT NOT NULL,
    `target` BINARY(16) NOT NULL,
    `weight` DOUBLE NOT NULL,
    `created_at` BIGINT NOT NULL,
    PRIMARY KEY (`namespace_id`, `source`, `type`, `target`),
    KEY `edges_by_target` (`namespace_id`, `target`)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

CREATE TABLE IF NOT EXISTS `edge_changes` (
    `namespace_id` BIGINT NOT NULL,
    `source` BINARY(16) NOT NULL,
    `change` BIGINT NOT NULL,
    PRIMARY KEY (`namespace_id`, `source`),
    KEY `edge_changes_by_change` (`namespace_id`, `change`)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

CREATE TABLE IF NOT EXISTS `merges` (
    `namespace_id` BIGINT NOT NULL,
    `absorbed` BINARY(16) NOT NULL,
    `survivor` BINARY(16) NOT NULL,
    `at` BIGINT NOT NULL,
    `gained` LONGTEXT NOT NULL,
    PRIMARY KEY (`namespace_id`, `absorbed`),
    KEY `merges_by_survivor` (`namespace_id`, `survivor`)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

CREATE TABLE IF NOT EXISTS `sessions` (
    `namespace_id` BIGINT NOT NULL,
    `name` VARBINARY(1024) NOT NULL,
    `started_at` BIGINT NOT NULL,
    `ended_at` BIGINT,
    `summary` BINARY(16),
    PRIMARY KEY (`namespace_id`, `name`)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

CREATE TABLE IF NOT EXISTS `feedback` (
    `namespace_id` BIGINT NOT NULL,
    `number` BIGINT NOT NULL,
    `at` BIGINT NOT NULL,
    `query` LONGTEXT NOT NULL,
    `results` LONGTEXT NOT NULL,
    PRIMARY KEY (`namespace_id`, `number`)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

CREATE TABLE IF NOT EXISTS `weights` (
    `namespace_id` BIGINT NOT NULL,
    `number` BIGINT NOT NULL,
    `at` BIGINT NOT NULL,
    `value` LONGTEXT NOT NULL,
    `reason` LONGTEXT NOT NULL,
    PRIMARY KEY (`namespace_id`, `number`)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

CREATE TABLE IF NOT EXISTS `events` (
    `number` BIGINT NOT NULL AUTO_INCREMENT,
    `at` BIGINT NOT NULL,
    `namespace` VARBINARY(255),
    `body` LONGTEXT NOT NULL,
    PRIMARY KEY (`number`)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

CREATE TABLE IF NOT EXISTS `keys` (
    `id` VARBINARY(64) NOT NULL,
    `name` LONGTEXT NOT NULL,
    `hash` VARBINARY(64) NOT NULL,
    `role` BIGINT NOT NULL,
    `scope` LONGTEXT NOT NULL,
    `created_at` BIGINT NOT NULL,
    `revoked_at` BIGINT,
    `used_at` BIGINT,
    PRIMARY KEY (`id`)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

CREATE TABLE IF NOT EXISTS `answers` (
    `caller` VARBINARY(255) NOT NULL,
    `key` VARBINARY(512) NOT NULL,
    `digest` VARBINARY(64) NOT NULL,
    `status` BIGINT NOT NULL,
    `body` LONGBLOB NOT NULL,
    `at` BIGINT NOT NULL,
    PRIMARY KEY (`caller`, `key`),
    KEY `answers_by_time` (`at`)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

CREATE TABLE IF NOT EXISTS `imports` (
    `name` VARBINARY(512) NOT NULL,
    `state` LONGTEXT NOT NULL,
    `at` BIGINT NOT NULL,
    PRIMARY KEY (`name`)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

CREATE TABLE IF NOT EXISTS `journal_entries` (
    `namespace_id` BIGINT NOT NULL,
    `id` BINARY(16) NOT NULL,
    `session` VARBINARY(1024),
    `at` BIGINT NOT NULL,
    `created_at` BIGINT NOT NULL,
    `arrived_at` BIGINT NOT NULL,
    `actor` VARBINARY(1024),
    `kind` VARBINARY(1024) NOT NULL,
    `direction` BIGINT,
    `status` BIGINT,
    `turn` BINARY(16),
    `text` LONGTEXT NOT NULL,
    `text_folded` LONGTEXT NOT NULL,
    `body` LONGTEXT,
    `gate` LONGTEXT,
    `metadata` LONGTEXT,
    `remembered` BIGINT NOT NULL DEFAULT 0,
    PRIMARY KEY (`namespace_id`, `id`),
    KEY `journal_entries_by_time` (`namespace_id`, `at`, `id`),
    KEY `journal_entries_by_session` (`namespace_id`, `session`, `at`, `id`),
    KEY `journal_entries_by_turn` (`namespace_id`, `turn`)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

CREATE TABLE IF NOT EXISTS `journal_turns` (
    `namespace_id` BIGINT NOT NULL,
    `id` BINARY(16) NOT NULL,
    `session` VARBINARY(1024),
    `started_at` BIGINT NOT NULL,
    `finished_at` BIGINT,
    `arrived_at` BIGINT NOT NULL,
    `input` BINARY(16),
    `plan` LONGTEXT,
    `tool_calls` LONGTEXT,
    `tool_results` LONGTEXT,
    `output` BINARY(16),
    `output_text` LONGTEXT,
    `status` BIGINT,
    `error` LONGTEXT,
    `metadata` LONGTEXT,
    PRIMARY KEY (`namespace_id`, `id`),
    KEY `journal_turns_by_time` (`namespace_id`, `started_at`, `id`),
    KEY `journal_turns_by_session` (`namespace_id`, `session`, `started_at`)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

CREATE TABLE IF NOT EXISTS `applied` (
    `token` BINARY(16) NOT NULL,
    `at` BIGINT NOT NULL,
    PRIMARY KEY (`token`),
    KEY `applied_by_time` (`at`)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

CREATE TABLE IF NOT EXISTS `reindexing` (
    `name` VARBINARY(255) NOT NULL,
    `state` LONGTEXT NOT NULL,
    `at` BIGINT NOT NULL,
    PRIMARY KEY (`name`)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

INSERT IGNORE INTO `counters` (`name`, `value`) VALUES ('change', 0), ('events_shipped', 0), ('events_lost', 0);
INSERT INTO `identity` (`id`) SELECT replace(uuid(), '-', '') FROM `counters` WHERE `name` = 'change'
    AND NOT EXISTS (SELECT 1 FROM `identity`);
