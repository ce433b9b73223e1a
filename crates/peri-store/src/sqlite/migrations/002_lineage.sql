-- Each process that writes marks the first change it makes. Two copies of a database that went separate
-- ways have the same change numbers but other marks.
CREATE TABLE lineage (
    number INTEGER PRIMARY KEY,
    change INTEGER NOT NULL,
    mark   TEXT    NOT NULL
);
CREATE INDEX lineage_by_change ON lineage (change);
