-- On which days a namespace was used, from the hour of the first to the hour of the last use: idle time counts by these.
-- What an earlier release stored tells of some of them.
CREATE TABLE IF NOT EXISTS `days_in_use` (
    `namespace_id` BIGINT NOT NULL,
    `day` BIGINT NOT NULL,
    `first_at` BIGINT NOT NULL,
    `last_at` BIGINT NOT NULL,
    PRIMARY KEY (`namespace_id`, `day`)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
INSERT IGNORE INTO `days_in_use` (`namespace_id`, `day`, `first_at`, `last_at`)
    SELECT namespace_id, at DIV 86400000, min(at) DIV 3600000 * 3600000, max(at) DIV 3600000 * 3600000 FROM (
        SELECT namespace_id, created_at AS at FROM `memories`
        UNION ALL SELECT namespace_id, updated_at FROM `memories`
        UNION ALL SELECT namespace_id, last_at FROM `usage`
        UNION ALL SELECT namespace_id, at FROM `uses`) AS known
    WHERE at >= 0 GROUP BY namespace_id, at DIV 86400000;

-- How many memories faded on one day in use, and which day that was.
SET @perihelion_step = IF(
    (SELECT count(*) FROM information_schema.columns
     WHERE table_schema = database() AND table_name = 'namespaces' AND column_name = 'faded_on') = 0,
    'ALTER TABLE `namespaces` ADD COLUMN `faded_on` BIGINT, ADD COLUMN `faded` BIGINT NOT NULL DEFAULT 0',
    'DO 0');
PREPARE perihelion_step FROM @perihelion_step;
EXECUTE perihelion_step;
DEALLOCATE PREPARE perihelion_step;

-- What moved a memory to the trash if nobody asked for it.
SET @perihelion_step = IF(
    (SELECT count(*) FROM information_schema.columns
     WHERE table_schema = database() AND table_name = 'memories' AND column_name = 'trashed_by') = 0,
    'ALTER TABLE `memories` ADD COLUMN `trashed_by` BIGINT',
    'DO 0');
PREPARE perihelion_step FROM @perihelion_step;
EXECUTE perihelion_step;
DEALLOCATE PREPARE perihelion_step;

-- What processes have seen of the machines' clocks, as JSON.
CREATE TABLE IF NOT EXISTS `clocks` (
    `name` VARBINARY(255) NOT NULL PRIMARY KEY,
    `revision` BIGINT NOT NULL,
    `state` LONGTEXT NOT NULL
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
