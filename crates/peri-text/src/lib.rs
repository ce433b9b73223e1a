//! What a text holds: its search terms, its token count and its secrets.
//!
//! Text goes in and facts come out. [`analyze`] and [`analyze_query`] give the terms that every storage
//! backend searches, the same on both sides; [`count_tokens`] keeps a context within its budget;
//! [`redact`] takes secrets out before anything is stored; [`typo_candidate`] forgives a slip of the
//! finger; [`relate`] tells whether one statement repeats, replaces or contradicts another;
//! [`time_mentions`] resolves "last week" for a day that the caller names. The crate deliberately knows nothing
//! of storage, ranking or the clock: it reads no files, keeps nothing between calls but stems that it made, and whoever calls it
//! decides what a term is worth.
//!
//! ```
//! use peri_text::{TermClass, analyze, analyze_query, redact};
//!
//! let analysis = analyze("The build of src/main.rs failed with E0308 on 2025-01-25.");
//! let query = analyze_query("failing main.rs, January 2025");
//! let found = |term: &str| analysis.terms.iter().any(|(text, _)| text == term);
//! assert!(query.iter().all(|term| found(&term.text) || term.class == TermClass::Word));
//! assert!(found("main.rs") && found("e0308") && found("ym:2025-01"));
//!
//! assert_eq!(redact("postgres://ann:hunter2@db/app").text, "postgres://ann:[redacted:url-password]@db/app");
//! ```
#![forbid(unsafe_code)]

mod analysis;
mod boundary;
mod fuzzy;
mod likeness;
mod orders;
mod redaction;
mod relation;
mod stem;
mod tokens;
mod visible;
mod when;

pub use analysis::{
    ANALYSIS_VERSION, Analysis, DateMention, MonthPart, QueryTerm, TERM_BYTES_MAX, TermClass, analyze,
    analyze_query, date_mentions, date_terms, is_stop_word, without_function_words,
};
pub use fuzzy::{typo_candidate, within_one_edit};
pub use likeness::{alike, likeness};
pub use orders::gives_orders;
pub use redaction::{Finding, Redacted, SecretKind, redact};
pub use relation::{Comparison, Reason, Relation, Statement, Verdict, relate};
pub use tokens::{count_tokens, truncate_to_tokens};
pub use visible::{is_unseen, visible};
pub use when::{TimeMention, time_mentions};
