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

/// With fewer vectors than this, comparing all of them is as fast and exact.
const INDEXED_FROM: i64 = 5000;

/// The tables of one namespace. Each is a partition of a table of all.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tables {
    pub(super) number: i64,
    pub(super) dimensions: u32,
}

impl Tables {
    /// The partition of a table.
    pub(super) fn of(&self, table: &str) -> String {
        format!("search_{table}_{}", self.number)
    }

    pub(super) fn documents(&self) -> String {
        self.of("documents")
    }

    pub(super) fn postings(&self) -> String {
        self.of("postings")
    }

    /// The partition of vectors, if there are any.
    pub(super) fn vectors(&self) -> Option<String> {
        (self.dimensions > 0).then(|| self.of("vectors"))
    }
}

const STATE: &str = "CREATE TABLE IF NOT EXISTS search_state (
    namespace_id BIGINT NOT NULL PRIMARY KEY,
    recipe TEXT NOT NULL,
    dimensions BIGINT NOT NULL,
    fed BIGINT NOT NULL,
    mark TEXT NOT NULL,
    indexed BIGINT NOT NULL,
    next_document BIGINT NOT NULL,
    next_term BIGINT NOT NULL,
    documents BIGINT NOT NULL,
    words BIGINT NOT NULL,
    sessions BIGINT NOT NULL,
    session_words BIGINT NOT NULL,
    days BIGINT NOT NULL,
    day_words BIGINT NOT NULL,
    vectors BIGINT NOT NULL,
    vector_sum BYTEA NOT NULL
);
CREATE TABLE IF NOT EXISTS search_documents (
    namespace_id BIGINT NOT NULL,
    number BIGINT NOT NULL,
    id BYTEA NOT NULL,
    at BIGINT NOT NULL,
    day BIGINT,
    layer SMALLINT NOT NULL,
    kind SMALLINT NOT NULL,
    pinned SMALLINT NOT NULL,
    superseded SMALLINT NOT NULL,
    session TEXT COLLATE \"C\",
    speaker TEXT COLLATE \"C\",
    length BIGINT NOT NULL,
    terms TEXT NOT NULL,
    packed TEXT NOT NULL,
    PRIMARY KEY (namespace_id, number),
    UNIQUE (namespace_id, id)
) PARTITION BY LIST (namespace_id);
CREATE INDEX IF NOT EXISTS search_documents_by_session ON search_documents (namespace_id, session, day, at, id)
    WHERE session IS NOT NULL;
CREATE INDEX IF NOT EXISTS search_documents_by_day ON search_documents (namespace_id, day, number) WHERE day IS NOT NULL;
CREATE INDEX IF NOT EXISTS search_documents_by_time ON search_documents (namespace_id, at);
CREATE INDEX IF NOT EXISTS search_documents_by_class ON search_documents (namespace_id, layer, kind, pinned);
CREATE INDEX IF NOT EXISTS search_documents_by_speaker ON search_documents (namespace_id, speaker)
    WHERE speaker IS NOT NULL;
CREATE TABLE IF NOT EXISTS search_terms (
    namespace_id BIGINT NOT NULL,
    term TEXT COLLATE \"C\" NOT NULL,
    number BIGINT NOT NULL,
    documents BIGINT NOT NULL,
    PRIMARY KEY (namespace_id, term)
) PARTITION BY LIST (namespace_id);
CREATE TABLE IF NOT EXISTS search_postings (
    namespace_id BIGINT NOT NULL,
    term BIGINT NOT NULL,
    document BIGINT NOT NULL,
    impact SMALLINT NOT NULL
) PARTITION BY LIST (namespace_id);
CREATE INDEX IF NOT EXISTS search_postings_by_impact ON search_postings (namespace_id, term, impact DESC, document);
CREATE TABLE IF NOT EXISTS search_groups (
    namespace_id BIGINT NOT NULL,
    name TEXT COLLATE \"C\" NOT NULL,
    day BIGINT NOT NULL,
    documents BIGINT NOT NULL,
    PRIMARY KEY (namespace_id, name, day)
) PARTITION BY LIST (namespace_id);
CREATE TABLE IF NOT EXISTS search_speakers (
    namespace_id BIGINT NOT NULL,
    name TEXT COLLATE \"C\" NOT NULL,
    number BIGINT NOT NULL,
    documents BIGINT NOT NULL,
    PRIMARY KEY (namespace_id, name)
) PARTITION BY LIST (namespace_id);";

/// The tables that have a partition for each namespace, besides that of the vectors.
const PARTITIONED: [&str; 5] = ["documents", "terms", "postings", "groups", "speakers"];

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
    match connection.batch(STATE) {
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
        partition(connection, &format!("search_{table}"), &tables.of(table), tables.number)?;
    }
    if let Some(own) = tables.vectors() {
        let all = format!("search_vectors_of_{}", tables.dimensions);
        connection.batch(&format!(
            "CREATE TABLE IF NOT EXISTS {all} (namespace_id BIGINT NOT NULL, number BIGINT NOT NULL,
             value halfvec({}) NOT NULL, PRIMARY KEY (namespace_id, number)) PARTITION BY LIST (namespace_id)",
            tables.dimensions
        ))?;
        partition(connection, &all, &own, tables.number)?;
        // Vectors are read far more often than they are compressed well.
        connection.batch(&format!("ALTER TABLE {own} ALTER COLUMN value SET STORAGE PLAIN"))?;
    }
    connection.execute("DELETE FROM search_state WHERE namespace_id = ?1", [tables.number])?;
    connection.execute(
        "INSERT INTO search_state (namespace_id, recipe, dimensions, fed, mark, indexed, next_document, next_term,
         documents, words, sessions, session_words, days, day_words, vectors, vector_sum)
         VALUES (?1, ?2, ?3, 0, '', 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, ?4)",
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
    connection.execute("DELETE FROM search_state WHERE namespace_id = ?1", [number])?;
    transaction.commit()
}

fn drop_partitions(connection: &Connection, number: i64) -> Result<(), Trouble> {
    for table in PARTITIONED.into_iter().chain(["vectors"]) {
        connection.batch(&format!("DROP TABLE IF EXISTS search_{table}_{number}"))?;
    }
    Ok(())
}

/// Indexes a namespace's vectors, unless that is done or they are few.
pub(super) fn index_vectors(connection: &Connection, tables: &Tables) -> Result<(), Trouble> {
    let Some(vectors) = tables.vectors().filter(|_| tables.dimensions <= INDEXED_DIMENSIONS_MAX) else {
        return Ok(());
    };
    let sql = "SELECT indexed, vectors FROM search_state WHERE namespace_id = ?1";
    let (indexed, count): (i64, i64) =
        connection.prepare(sql)?.query_row([tables.number], |row| Ok((row.get(0)?, row.get(1)?)))?;
    if indexed != 0 || count < INDEXED_FROM {
        return Ok(());
    }
    let transaction = locked(connection)?;
    connection.batch(&format!(
        "SET LOCAL maintenance_work_mem = '512MB'; SET LOCAL max_parallel_maintenance_workers = 2;
         CREATE INDEX IF NOT EXISTS {vectors}_nearest ON {vectors} USING hnsw (value halfvec_ip_ops);
         ANALYZE {vectors}; ANALYZE {}; ANALYZE {}",
        tables.documents(),
        tables.postings()
    ))?;
    connection.execute("UPDATE search_state SET indexed = 1 WHERE namespace_id = ?1", [tables.number])?;
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
