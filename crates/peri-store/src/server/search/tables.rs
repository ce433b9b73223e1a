//! The tables that are searched, and how they come and go.

use rusqlite::params;

use super::Extension;
use crate::SearchRecipe;
use crate::server::Failure;
use crate::sql::connection::{Connection, Optional as _};
use crate::sql::trouble::Trouble;

/// Tells who makes or drops tables from everybody else. The number says "PERS".
const LOCK_NUMBER: i64 = 0x5045_5253;

/// The first version of pgvector that knows half-precision numbers, and the first that searches on behind a filter.
const HALVES_FROM: (u32, u32) = (0, 7);
const ITERATIVE_FROM: (u32, u32) = (0, 8);

/// The most numbers that an index of half-precision vectors takes.
const INDEXED_DIMENSIONS_MAX: u32 = 4000;

/// So many vectors and their links take a megabyte while an index is made.
const VECTORS_PER_MEGABYTE: i64 = 600;

/// With fewer vectors than this, comparing all of them is as fast and exact.
const INDEXED_FROM: i64 = 5000;

/// Changes are many when they are more than one in so many of the vectors.
const MANY_OF: i64 = 4;

/// The tables of one namespace. Each is a partition of a table of all.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tables {
    pub(super) number: i64,
    pub(super) dimensions: u32,
}

impl Tables {
    /// The partition of a table.
    pub(super) fn of(&self, table: &str) -> String {
        format!("sought_{table}_{}", self.number)
    }

    pub(super) fn documents(&self) -> String {
        self.of("documents")
    }

    pub(super) fn terms(&self) -> String {
        self.of("terms")
    }

    pub(super) fn blocks(&self) -> String {
        self.of("blocks")
    }

    /// The partition of vectors, if there are any.
    pub(super) fn vectors(&self) -> Option<String> {
        (self.dimensions > 0).then(|| self.of("vectors"))
    }
}

const TABLES: &str = "CREATE TABLE IF NOT EXISTS sought_state (
    namespace_id BIGINT NOT NULL PRIMARY KEY,
    recipe TEXT NOT NULL,
    dimensions BIGINT NOT NULL,
    fed BIGINT NOT NULL,
    mark TEXT NOT NULL,
    indexed BIGINT NOT NULL,
    next_number BIGINT NOT NULL,
    documents BIGINT NOT NULL,
    words BIGINT NOT NULL,
    sessions BIGINT NOT NULL,
    session_words BIGINT NOT NULL,
    days BIGINT NOT NULL,
    day_words BIGINT NOT NULL,
    vectors BIGINT NOT NULL,
    vector_sum BYTEA NOT NULL
);
CREATE TABLE IF NOT EXISTS sought_documents (
    namespace_id BIGINT NOT NULL,
    number BIGINT NOT NULL,
    id BYTEA NOT NULL,
    digest BYTEA NOT NULL,
    at BIGINT NOT NULL,
    day BIGINT,
    layer SMALLINT NOT NULL,
    kind SMALLINT NOT NULL,
    pinned SMALLINT NOT NULL,
    superseded SMALLINT NOT NULL,
    session TEXT COLLATE \"C\",
    conversation BIGINT,
    speaker TEXT COLLATE \"C\",
    length BIGINT NOT NULL,
    keys TEXT,
    terms BYTEA NOT NULL,
    packed BYTEA NOT NULL,
    PRIMARY KEY (namespace_id, number),
    UNIQUE (namespace_id, id)
) PARTITION BY LIST (namespace_id);
CREATE INDEX IF NOT EXISTS sought_documents_by_conversation ON sought_documents (namespace_id, conversation, at, id)
    WHERE conversation IS NOT NULL;
CREATE INDEX IF NOT EXISTS sought_documents_by_session ON sought_documents (namespace_id, session)
    WHERE session IS NOT NULL;
CREATE INDEX IF NOT EXISTS sought_documents_by_day ON sought_documents (namespace_id, day, number) WHERE day IS NOT NULL;
CREATE INDEX IF NOT EXISTS sought_documents_by_time ON sought_documents (namespace_id, at);
CREATE INDEX IF NOT EXISTS sought_documents_by_class ON sought_documents (namespace_id, layer, kind, pinned);
CREATE INDEX IF NOT EXISTS sought_documents_by_speaker ON sought_documents (namespace_id, speaker)
    WHERE speaker IS NOT NULL;
CREATE TABLE IF NOT EXISTS sought_terms (
    namespace_id BIGINT NOT NULL,
    term TEXT COLLATE \"C\" NOT NULL,
    number BIGINT NOT NULL,
    documents BIGINT NOT NULL,
    spills BIGINT NOT NULL,
    latest BYTEA NOT NULL,
    PRIMARY KEY (namespace_id, term),
    UNIQUE (namespace_id, number)
) PARTITION BY LIST (namespace_id);
CREATE TABLE IF NOT EXISTS sought_blocks (
    namespace_id BIGINT NOT NULL,
    class SMALLINT NOT NULL,
    term BIGINT NOT NULL,
    top SMALLINT NOT NULL,
    number BIGINT NOT NULL,
    level SMALLINT NOT NULL,
    data BYTEA NOT NULL,
    PRIMARY KEY (namespace_id, class, term, top, number)
) PARTITION BY LIST (namespace_id);
CREATE TABLE IF NOT EXISTS sought_groups (
    namespace_id BIGINT NOT NULL,
    name TEXT COLLATE \"C\" NOT NULL,
    day BIGINT NOT NULL,
    number BIGINT NOT NULL,
    documents BIGINT NOT NULL,
    words BIGINT NOT NULL,
    PRIMARY KEY (namespace_id, name, day),
    UNIQUE (namespace_id, number)
) PARTITION BY LIST (namespace_id);
CREATE TABLE IF NOT EXISTS sought_speakers (
    namespace_id BIGINT NOT NULL,
    name TEXT COLLATE \"C\" NOT NULL,
    number BIGINT NOT NULL,
    documents BIGINT NOT NULL,
    PRIMARY KEY (namespace_id, name)
) PARTITION BY LIST (namespace_id);
DROP TABLE IF EXISTS search_state, search_documents, search_terms, search_postings, search_groups, search_speakers
    CASCADE;";

/// The tables that have a partition for each namespace, besides that of the vectors.
const PARTITIONED: [&str; 5] = ["documents", "terms", "blocks", "groups", "speakers"];

/// Makes the extension and the tables if they are not there; what is missing for that, in words for a person.
pub(super) fn prepare(connection: &Connection) -> Result<Result<Extension, String>, Trouble> {
    // Several nodes may come at once, and two cannot make the same thing.
    let transaction = locked(connection)?;
    let installed = match version(connection)? {
        Some(installed) => installed,
        None => match connection.batch("CREATE EXTENSION IF NOT EXISTS vector") {
            Ok(()) => version(connection)?.unwrap_or_default(),
            Err(Trouble::Server(Failure::Refused { detail, .. })) => {
                return Ok(Err(format!(
                    "the extension pgvector is not there ({detail}); install it, and have a superuser run CREATE \
                     EXTENSION vector"
                )));
            }
            Err(trouble) => return Err(trouble),
        },
    };
    let mut parts = installed.split('.').map(|part| part.parse::<u32>().unwrap_or(0));
    let number = (parts.next().unwrap_or(0), parts.next().unwrap_or(0));
    if number < HALVES_FROM {
        return Ok(Err(format!(
            "pgvector is of version {installed}, and 0.7 or later is needed; install it and run ALTER EXTENSION vector \
             UPDATE"
        )));
    }
    match connection.batch(TABLES) {
        Ok(()) => transaction.commit()?,
        Err(Trouble::Server(Failure::Refused { detail, .. })) => {
            return Ok(Err(format!("the tables for searching cannot be made ({detail})")));
        }
        Err(trouble) => return Err(trouble),
    }
    Ok(Ok(if number < ITERATIVE_FROM { Extension::Plain } else { Extension::Iterative }))
}

fn version(connection: &Connection) -> Result<Option<String>, Trouble> {
    let sql = "SELECT extversion FROM pg_extension WHERE extname = 'vector'";
    connection.prepare(sql)?.query_row(params![], |row| row.get(0)).optional()
}

/// A transaction in which nobody else makes or drops tables.
fn locked(connection: &Connection) -> Result<crate::sql::connection::Transaction<'_>, Trouble> {
    let transaction = connection.begin("BEGIN")?;
    connection.prepare("SELECT pg_advisory_xact_lock(?1)")?.query_row([LOCK_NUMBER], |_| Ok(()))?;
    Ok(transaction)
}

/// Drops a namespace's partitions and makes empty ones.
pub(super) fn begin(connection: &Connection, tables: &Tables, recipe: &SearchRecipe) -> Result<(), Trouble> {
    let transaction = locked(connection)?;
    drop_partitions(connection, tables.number)?;
    for table in PARTITIONED {
        partition(connection, &format!("sought_{table}"), &tables.of(table), tables.number)?;
    }
    if let Some(own) = tables.vectors() {
        let all = format!("sought_vectors_of_{}", tables.dimensions);
        connection.batch(&format!(
            "CREATE TABLE IF NOT EXISTS {all} (namespace_id BIGINT NOT NULL, number BIGINT NOT NULL,
             value halfvec({}) NOT NULL, PRIMARY KEY (namespace_id, number)) PARTITION BY LIST (namespace_id)",
            tables.dimensions
        ))?;
        partition(connection, &all, &own, tables.number)?;
        // Vectors are read far more often than they are compressed well.
        connection.batch(&format!("ALTER TABLE {own} ALTER COLUMN value SET STORAGE PLAIN"))?;
    }
    // Blocks are packed already, and small enough to lie side by side. The latest occurrences of words change all the time.
    connection.batch(&format!(
        "ALTER TABLE {} ALTER COLUMN data SET STORAGE PLAIN; ALTER TABLE {} SET (fillfactor = 80)",
        tables.blocks(),
        tables.terms()
    ))?;
    connection.execute("DELETE FROM sought_state WHERE namespace_id = ?1", [tables.number])?;
    connection.execute(
        "INSERT INTO sought_state (namespace_id, recipe, dimensions, fed, mark, indexed, next_number, documents, words,
         sessions, session_words, days, day_words, vectors, vector_sum)
         VALUES (?1, ?2, ?3, 0, '', 0, 1, 0, 0, 0, 0, 0, 0, 0, ?4)",
        params![tables.number, recipe.name, recipe.dimensions, Vec::<u8>::new()],
    )?;
    transaction.commit()
}

fn partition(connection: &Connection, all: &str, own: &str, number: i64) -> Result<(), Trouble> {
    connection.batch(&format!("CREATE TABLE {own} PARTITION OF {all} FOR VALUES IN ({number})"))
}

/// Drops what is searched of a namespace.
pub(super) fn end(connection: &Connection, number: i64) -> Result<(), Trouble> {
    let transaction = locked(connection)?;
    drop_partitions(connection, number)?;
    connection.execute("DELETE FROM sought_state WHERE namespace_id = ?1", [number])?;
    transaction.commit()
}

fn drop_partitions(connection: &Connection, number: i64) -> Result<(), Trouble> {
    for table in PARTITIONED.into_iter().chain(["vectors"]) {
        connection.batch(&format!("DROP TABLE IF EXISTS sought_{table}_{number}"))?;
    }
    Ok(())
}

/// Drops the index of a namespace's vectors if so many changes are to come that making it anew costs less.
pub(super) fn expect(connection: &Connection, tables: &Tables, changes: u64) -> Result<(), Trouble> {
    let Some(vectors) = tables.vectors() else { return Ok(()) };
    let sql = "SELECT indexed, vectors FROM sought_state WHERE namespace_id = ?1";
    let (indexed, count): (i64, i64) =
        connection.prepare(sql)?.query_row([tables.number], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let few = count / MANY_OF + INDEXED_FROM;
    if indexed == 0 || i64::try_from(changes).is_ok_and(|changes| changes < few) {
        return Ok(());
    }
    let transaction = locked(connection)?;
    connection.batch(&format!("DROP INDEX IF EXISTS {vectors}_nearest"))?;
    connection.execute("UPDATE sought_state SET indexed = 0 WHERE namespace_id = ?1", [tables.number])?;
    transaction.commit()
}

/// Indexes a namespace's vectors, unless that is done or they are few.
pub(super) fn index_vectors(connection: &Connection, tables: &Tables) -> Result<(), Trouble> {
    let Some(vectors) = tables.vectors().filter(|_| tables.dimensions <= INDEXED_DIMENSIONS_MAX) else {
        return Ok(());
    };
    let sql = "SELECT indexed, vectors FROM sought_state WHERE namespace_id = ?1";
    let (indexed, count): (i64, i64) =
        connection.prepare(sql)?.query_row([tables.number], |row| Ok((row.get(0)?, row.get(1)?)))?;
    if indexed != 0 || count < INDEXED_FROM {
        return Ok(());
    }
    let megabytes = (count / VECTORS_PER_MEGABYTE).clamp(64, 2000);
    let transaction = locked(connection)?;
    connection.batch(&format!(
        "SET LOCAL maintenance_work_mem = '{megabytes}MB'; SET LOCAL max_parallel_maintenance_workers = 2;
         CREATE INDEX IF NOT EXISTS {vectors}_nearest ON {vectors} USING hnsw (value halfvec_ip_ops);
         ANALYZE {vectors}; ANALYZE {}; ANALYZE {}; ANALYZE {}; ANALYZE {}",
        tables.documents(),
        tables.terms(),
        tables.blocks(),
        tables.of("groups")
    ))?;
    connection.execute("UPDATE sought_state SET indexed = 1 WHERE namespace_id = ?1", [tables.number])?;
    transaction.commit()
}

/// Bytes of a namespace's tables, and of their indexes.
pub(super) fn disk_bytes(connection: &Connection, tables: &Tables) -> Result<(u64, u64), Trouble> {
    let mut bytes = (0, 0);
    let names = PARTITIONED.iter().map(|table| tables.of(table)).chain(tables.vectors());
    for name in names {
        let sql = format!("SELECT pg_table_size('{name}'), pg_indexes_size('{name}')");
        let (own, indexes): (u64, u64) =
            connection.prepare(&sql)?.query_row(params![], |row| Ok((row.get(0)?, row.get(1)?)))?;
        bytes = (bytes.0 + own, bytes.1 + indexes);
    }
    Ok(bytes)
}
