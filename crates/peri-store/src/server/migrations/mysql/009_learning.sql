-- The recorded steps of tasks.
CREATE TABLE IF NOT EXISTS `trajectories` (
    `namespace_id` BIGINT NOT NULL,
    `id` BINARY(16) NOT NULL,
    `session` VARBINARY(1024),
    `turn` BINARY(16),
    `task` LONGTEXT NOT NULL,
    `domain` VARBINARY(1024) NOT NULL,
    `agent` VARBINARY(1024),
    `steps` LONGTEXT,
    `outcome` BIGINT NOT NULL,
    `at` BIGINT NOT NULL,
    `duration_ms` BIGINT NOT NULL,
    `patterns` LONGTEXT,
    `distilled_at` BIGINT,
    `arrived_at` BIGINT NOT NULL,
    PRIMARY KEY (`namespace_id`, `id`),
    KEY `trajectories_by_distilled` (`namespace_id`, `distilled_at`, `id`)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

-- Strategies that worked, with their meaning in one space.
CREATE TABLE IF NOT EXISTS `patterns` (
    `namespace_id` BIGINT NOT NULL,
    `id` BINARY(16) NOT NULL,
    `strategy` LONGTEXT NOT NULL,
    `domain` VARBINARY(1024) NOT NULL,
    `agent` VARBINARY(1024),
    `quality` DOUBLE NOT NULL,
    `uses` BIGINT NOT NULL,
    `successes` BIGINT NOT NULL,
    `term` BIGINT NOT NULL,
    `sources` LONGTEXT,
    `created_at` BIGINT NOT NULL,
    `used_at` BIGINT,
    `retired_at` BIGINT,
    `space_id` BIGINT,
    `vector` LONGBLOB,
    `change` BIGINT NOT NULL,
    PRIMARY KEY (`namespace_id`, `id`),
    KEY `patterns_by_change` (`namespace_id`, `change`)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

-- What was learned besides: how tasks are routed, how questions are adapted. The latest of a name holds.
CREATE TABLE IF NOT EXISTS `learned` (
    `namespace_id` BIGINT NOT NULL,
    `name` VARBINARY(1024) NOT NULL,
    `number` BIGINT NOT NULL,
    `at` BIGINT NOT NULL,
    `value` LONGTEXT NOT NULL,
    `reason` LONGTEXT NOT NULL,
    PRIMARY KEY (`namespace_id`, `name`, `number`)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

-- What background jobs did.
CREATE TABLE IF NOT EXISTS `worker_runs` (
    `worker` VARBINARY(255) NOT NULL,
    `number` BIGINT NOT NULL,
    `started_at` BIGINT NOT NULL,
    `finished_at` BIGINT NOT NULL,
    `status` VARBINARY(64) NOT NULL,
    `summary` LONGTEXT NOT NULL,
    `detail` LONGTEXT,
    PRIMARY KEY (`worker`, `number`)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

-- What they found that somebody should look at. The mark tells one finding of a worker from another.
CREATE TABLE IF NOT EXISTS `worker_alerts` (
    `worker` VARBINARY(255) NOT NULL,
    `mark` VARBINARY(255) NOT NULL,
    `namespace` VARBINARY(255),
    `severity` BIGINT NOT NULL,
    `message` LONGTEXT NOT NULL,
    `detail` LONGTEXT,
    `first_at` BIGINT NOT NULL,
    `last_at` BIGINT NOT NULL,
    `seen` BIGINT NOT NULL,
    `resolved_at` BIGINT,
    PRIMARY KEY (`worker`, `mark`)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
