//! The tools: one line each, and one file for each verb.

mod export;
mod forget;
mod get;
mod health;
mod import;
mod recall;
mod session;
pub(crate) mod stats;
mod store;
pub(crate) mod view;

use std::sync::LazyLock;

use perihelion::Role::{Reader, Writer};
use rmcp::model::Tool;

use crate::table::Effect::{Adds, AddsAgain, Reads, Removes};
use crate::table::Family::Core;
use crate::table::{Effect, Entry, Families, Family, Line};

/// Every tool there is. Descriptions say when to call, since that is what a model has to decide.
static TABLE: LazyLock<Vec<Entry>> = LazyLock::new(|| {
    let line = |name, family: Family, effect: Effect, need, description| Line {
        name,
        family,
        effect,
        need,
        description,
    };
    vec![
        Entry::new(line("memory_store", Core, Adds, Writer, store::WHEN), store::store),
        Entry::new(line("memory_recall", Core, Reads, Reader, recall::WHEN), recall::recall),
        Entry::new(line("memory_get", Core, Reads, Reader, get::WHEN), get::get),
        Entry::new(line("memory_forget", Core, Removes, Writer, forget::WHEN), forget::forget),
        Entry::new(line("memory_stats", Core, Reads, Reader, stats::WHEN), stats::stats),
        Entry::new(line("memory_export", Core, Reads, Reader, export::WHEN), export::export),
        Entry::new(line("memory_import", Core, Adds, Writer, import::WHEN), import::import),
        Entry::new(line("session_start", Core, AddsAgain, Writer, session::START_WHEN), session::start),
        Entry::new(line("session_end", Core, Adds, Writer, session::END_WHEN), session::end),
        Entry::new(line("memory_health", Core, Reads, Reader, health::WHEN), health::health),
    ]
});

/// The tools of some families, as clients are told of them.
pub(crate) fn offered(families: &Families) -> Vec<Tool> {
    let offered = TABLE.iter().filter(|entry| families.contains(entry.family));
    offered.map(|entry| entry.tool.clone()).collect()
}

/// A tool, if its family is offered.
pub(crate) fn find(name: &str, families: &Families) -> Option<&'static Entry> {
    TABLE.iter().find(|entry| entry.name == name && families.contains(entry.family))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn at_most_ten_tools_are_offered_unless_asked_for_and_no_two_share_a_name() {
        assert!(offered(&Families::default()).len() <= 10);
        let names: HashSet<_> = TABLE.iter().map(|entry| entry.name).collect();
        assert_eq!(names.len(), TABLE.len());
    }

    #[test]
    fn the_list_of_tools_costs_a_model_less_than_2500_tokens() {
        let list = serde_json::to_string(&offered(&Families::default())).unwrap();
        let tokens = tiktoken_rs::o200k_base().unwrap().encode_ordinary(&list).len();
        assert!(tokens < 2500, "{tokens} tokens");
    }

    #[test]
    fn whoever_may_only_read_is_offered_nothing_that_changes_anything_under_a_reading_name() {
        for entry in TABLE.iter() {
            assert_eq!(entry.effect == Reads, entry.need == Reader, "{}", entry.name);
        }
    }

    #[test]
    fn the_tools_and_their_schemas_are_as_reviewed() {
        insta::assert_json_snapshot!("core", offered(&Families::default()));
    }
}
