-- Whether an answer holds what memories say: what is destroyed must not live on in one, and finding those must not cost
-- a look at every receipt.
ALTER TABLE answers ADD COLUMN tells INTEGER NOT NULL DEFAULT 0;
UPDATE answers SET tells = 1 WHERE instr(body, CAST('"content"' AS BLOB)) > 0;
CREATE INDEX answers_that_tell ON answers (tells) WHERE tells = 1;
