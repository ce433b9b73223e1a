//! What a store consists of: every table that is moved, with its columns and its key.

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Integer,
    Real,
    /// A text of bounded length.
    Name,
    /// A text that may be long.
    Text,
    /// Bytes of bounded length.
    Id,
    /// Bytes that may be many.
    Bytes,
}

/// A column of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Column {
    pub(super) name: &'static str,
    pub(super) kind: Kind,
}

/// A table. The first columns are its key.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Table {
    pub(super) name: &'static str,
    pub(super) columns: &'static [Column],
    pub(super) key: usize,
    /// Whether a new store has rows of its own, which take the values of the other's.
    pub(super) beginning: Beginning,
}

/// What a table holds in a new store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Beginning {
    /// Nothing.
    Empty,
    /// Rows that say nothing yet.
    Rows,
}

impl Table {
    pub(super) fn key(&self) -> &'static [Column] {
        &self.columns[..self.key]
    }
}

const fn integer(name: &'static str) -> Column {
    Column { name, kind: Kind::Integer }
}

const fn real(name: &'static str) -> Column {
    Column { name, kind: Kind::Real }
}

const fn name(name: &'static str) -> Column {
    Column { name, kind: Kind::Name }
}

const fn text(name: &'static str) -> Column {
    Column { name, kind: Kind::Text }
}

const fn id(name: &'static str) -> Column {
    Column { name, kind: Kind::Id }
}

const fn bytes(name: &'static str) -> Column {
    Column { name, kind: Kind::Bytes }
}

const fn table(name: &'static str, key: usize, columns: &'static [Column]) -> Table {
    Table { name, columns, key, beginning: Beginning::Empty }
}

const MEMORIES: &[Column] = &[
    integer("namespace_id"),
    id("id"),
    text("content"),
    id("fingerprint"),
    integer("layer"),
    integer("kind"),
    real("importance"),
    integer("pinned"),
    text("tags"),
    text("aliases"),
    name("session"),
    name("speaker"),
    name("source"),
    integer("occurred_at"),
    integer("expires_at"),
    id("superseded_by"),
    text("metadata"),
    integer("created_at"),
    integer("updated_at"),
    integer("version"),
    integer("trashed_at"),
    integer("embedding"),
    integer("space_id"),
    integer("change"),
    integer("valid_from"),
    integer("valid_until"),
    integer("zone"),
    integer("arrived_at"),
    integer("linked"),
    name("key"),
    text("context"),
    text("data"),
    integer("promoted_from"),
    id("promoted_to"),
    integer("promotion_undone"),
    integer("used_at"),
    id("entry"),
    integer("trashed_by"),
];

const JOURNAL_ENTRIES: &[Column] = &[
    integer("namespace_id"),
    id("id"),
    name("session"),
    integer("at"),
    integer("created_at"),
    integer("arrived_at"),
    name("actor"),
    name("kind"),
    integer("direction"),
    integer("status"),
    id("turn"),
    text("text"),
    text("text_folded"),
    text("body"),
    text("gate"),
    text("metadata"),
    integer("remembered"),
];

const JOURNAL_TURNS: &[Column] = &[
    integer("namespace_id"),
    id("id"),
    name("session"),
    integer("started_at"),
    integer("finished_at"),
    integer("arrived_at"),
    id("input"),
    text("plan"),
    text("tool_calls"),
    text("tool_results"),
    id("output"),
    text("output_text"),
    integer("status"),
    text("error"),
    text("metadata"),
];

const TRAJECTORIES: &[Column] = &[
    integer("namespace_id"),
    id("id"),
    name("session"),
    id("turn"),
    text("task"),
    name("domain"),
    name("agent"),
    text("steps"),
    integer("outcome"),
    integer("at"),
    integer("duration_ms"),
    text("patterns"),
    integer("distilled_at"),
    integer("arrived_at"),
];

const PATTERNS: &[Column] = &[
    integer("namespace_id"),
    id("id"),
    text("strategy"),
    name("domain"),
    name("agent"),
    real("quality"),
    integer("uses"),
    integer("successes"),
    integer("term"),
    text("sources"),
    integer("created_at"),
    integer("used_at"),
    integer("retired_at"),
    integer("space_id"),
    bytes("vector"),
    integer("change"),
];

const WORKER_ALERTS: &[Column] = &[
    name("worker"),
    name("mark"),
    name("namespace"),
    integer("severity"),
    text("message"),
    text("detail"),
    integer("first_at"),
    integer("last_at"),
    integer("seen"),
    integer("resolved_at"),
];

/// Every table that is moved, each after those that its rows point to. The last change comes last, so that nothing
/// follows changes that are not there yet.
pub(super) const TABLES: &[Table] = &[
    table(
        "namespaces",
        1,
        &[
            integer("id"),
            name("path"),
            integer("change"),
            integer("settled_at"),
            integer("faded_on"),
            integer("faded"),
        ],
    ),
    table(
        "days_in_use",
        2,
        &[integer("namespace_id"), integer("day"), integer("first_at"), integer("last_at")],
    ),
    table("clocks", 1, &[name("name"), integer("revision"), text("state")]),
    table("spaces", 1, &[integer("id"), name("model"), integer("dimensions")]),
    table("memories", 2, MEMORIES),
    table("vectors", 3, &[integer("namespace_id"), id("id"), integer("space_id"), bytes("value")]),
    table(
        "versions",
        3,
        &[
            integer("namespace_id"),
            id("id"),
            integer("version"),
            text("content"),
            integer("since"),
            integer("until"),
        ],
    ),
    table("tombstones", 2, &[integer("namespace_id"), integer("change"), id("id")]),
    table("usage", 2, &[integer("namespace_id"), id("id"), integer("recalls"), integer("last_at")]),
    table(
        "uses",
        1,
        &[integer("number"), integer("namespace_id"), id("id"), integer("at"), integer("recalls")],
    ),
    table(
        "edges",
        4,
        &[
            integer("namespace_id"),
            id("source"),
            integer("type"),
            id("target"),
            real("weight"),
            integer("created_at"),
        ],
    ),
    table("edge_changes", 2, &[integer("namespace_id"), id("source"), integer("change")]),
    table(
        "merges",
        2,
        &[integer("namespace_id"), id("absorbed"), id("survivor"), integer("at"), text("gained")],
    ),
    table(
        "sessions",
        2,
        &[integer("namespace_id"), name("name"), integer("started_at"), integer("ended_at"), id("summary")],
    ),
    table(
        "feedback",
        2,
        &[integer("namespace_id"), integer("number"), integer("at"), text("query"), text("results")],
    ),
    table(
        "weights",
        2,
        &[integer("namespace_id"), integer("number"), integer("at"), text("value"), text("reason")],
    ),
    table("lineage", 1, &[integer("number"), integer("change"), name("mark")]),
    table("events", 1, &[integer("number"), integer("at"), name("namespace"), text("body")]),
    table(
        "keys",
        1,
        &[
            name("id"),
            text("name"),
            id("hash"),
            integer("role"),
            text("scope"),
            integer("created_at"),
            integer("revoked_at"),
            integer("used_at"),
        ],
    ),
    table(
        "answers",
        2,
        &[
            name("caller"),
            name("key"),
            id("digest"),
            integer("status"),
            bytes("body"),
            integer("at"),
            integer("tells"),
        ],
    ),
    table("imports", 1, &[name("name"), text("state"), integer("at")]),
    table("journal_entries", 2, JOURNAL_ENTRIES),
    table("journal_turns", 2, JOURNAL_TURNS),
    table(
        "note_documents",
        3,
        &[integer("namespace_id"), name("collection"), name("name"), text("text"), name("version")],
    ),
    table(
        "note_lines",
        4,
        &[integer("namespace_id"), name("collection"), name("name"), integer("number"), text("line")],
    ),
    table("trajectories", 2, TRAJECTORIES),
    table("patterns", 2, PATTERNS),
    table(
        "learned",
        3,
        &[
            integer("namespace_id"),
            name("name"),
            integer("number"),
            integer("at"),
            text("value"),
            text("reason"),
        ],
    ),
    table(
        "worker_runs",
        2,
        &[
            name("worker"),
            integer("number"),
            integer("started_at"),
            integer("finished_at"),
            name("status"),
            text("summary"),
            text("detail"),
        ],
    ),
    table("worker_alerts", 2, WORKER_ALERTS),
    table("applied", 1, &[id("token"), integer("at")]),
    Table {
        beginning: Beginning::Rows,
        ..table("reindexing", 1, &[name("name"), text("state"), integer("at")])
    },
    Table { beginning: Beginning::Rows, ..table("counters", 1, &[name("name"), integer("value")]) },
];

/// Tables that stay where they are: the other store is another one, and whoever holds a lease holds it there.
#[cfg(test)]
pub(super) const LEFT: [&str; 2] = ["identity", "leases"];
