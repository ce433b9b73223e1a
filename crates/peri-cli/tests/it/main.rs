//! The `peri` command as a person or a script sees it: arguments and pipes in; text, JSON and exit codes out.
#![allow(clippy::unwrap_used)]
// The shapes of all answers are one literal.
#![recursion_limit = "256"]

mod backup;
mod backup_schedule;
mod backup_served;
mod bad_input;
mod configuration;
mod feedback;
mod graph;
mod health;
mod help;
mod history;
mod import;
mod import_from;
mod journal;
mod key;
mod knowledge;
mod layers;
mod logs;
mod orbit;
mod places;
mod queue;
mod reindex;
mod relocate;
mod report;
mod serve_kill;
mod served;
mod serving;
mod serving_settings;
mod settings;
mod shapes;
mod snapshot;
mod structure;
mod support;
mod telemetry;
mod tls;
mod transfer;
mod transfer_kill;
mod vault;
mod verbs;
mod words_for_time;
mod work;
mod writing;
