//! The `peri` command as a person or a script sees it: arguments and pipes in; text, JSON and exit codes out.
#![allow(clippy::unwrap_used)]
// The shapes of all answers are one literal.
#![recursion_limit = "256"]

mod backup;
mod backup_asked;
mod backup_schedule;
mod backup_served;
mod bad_input;
mod bridge;
mod configuration;
mod embedding;
#[cfg(all(unix, feature = "encryption"))]
mod encryption;
mod feedback;
mod graph;
mod health;
mod help;
mod history;
mod import;
mod import_from;
mod install;
mod journal;
mod key;
mod knowledge;
mod layers;
mod learn;
mod learning_settings;
mod llm;
mod logs;
mod man;
mod migrate;
mod notes;
mod notes_settings;
mod orbit;
#[cfg(unix)]
mod out_of_reach;
#[cfg(unix)]
mod pipes;
mod places;
mod planted;
mod privacy;
mod queue;
mod real_model;
mod reindex;
mod relocate;
mod report;
mod sample;
mod secrets;
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
mod upgrade;
mod vault;
mod verbs;
mod week;
mod words_for_time;
mod work;
mod workers;
mod workers_served;
mod writing;
