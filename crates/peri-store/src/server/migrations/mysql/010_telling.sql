-- Whether an answer holds what memories say: what is destroyed must not live on in one, and finding those must not cost
-- a look at every receipt. Adding a column has no "unless it is there" on every server, hence the statement in two parts.
SET @perihelion_step = IF(
    (SELECT count(*) FROM information_schema.columns
     WHERE table_schema = database() AND table_name = 'answers' AND column_name = 'tells') = 0,
    'ALTER TABLE `answers` ADD COLUMN `tells` BIGINT NOT NULL DEFAULT 0, ADD KEY `answers_that_tell` (`tells`)',
    'DO 0');
PREPARE perihelion_step FROM @perihelion_step;
EXECUTE perihelion_step;
DEALLOCATE PREPARE perihelion_step;
UPDATE `answers` SET `tells` = 1 WHERE locate('"content"', `body`) > 0;
