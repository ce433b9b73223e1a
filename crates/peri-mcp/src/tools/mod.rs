//! The tools: one line each, and one file for each verb.

mod communities;
mod context;
mod events;
mod export;
mod feedback;
mod forget;
mod get;
mod health;
mod history;
mod import;
mod journal;
mod knowledge;
mod learning;
mod link;
mod list;
mod maintain;
mod namespace;
mod notes;
mod path;
mod pattern;
mod promote;
mod purge;
mod rank;
mod recall;
mod reorbit;
mod restore;
mod revise;
mod route;
mod session;
mod split;
pub(crate) mod stats;
mod store;
mod sweep;
mod trajectory;
mod turn;
pub(crate) mod view;
mod walk;
mod weights;
mod work;
mod workers;

use std::sync::LazyLock;

use perihelion::Role::{self, Reader, Writer};
use rmcp::model::Tool;

use crate::table::Effect::{Adds, AddsAgain, Changes, Reads, Removes};
use crate::table::Family::{Admin, Core, Edit, Graph, Journal, Knowledge, Learn, Notes, Work};
use crate::table::{Effect, Entry, Families, Family, Line};
use knowledge as known;

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
        Entry::new(line("memory_revise", Edit, Changes, Writer, revise::WHEN), revise::revise),
        Entry::new(line("memory_restore", Edit, Adds, Writer, restore::WHEN), restore::restore),
        Entry::new(line("memory_list", Edit, Reads, Reader, list::WHEN), list::list),
        Entry::new(line("memory_history", Edit, Reads, Reader, history::WHEN), history::history)
            .paged("versions"),
        Entry::new(line("memory_split", Edit, Removes, Writer, split::WHEN), split::split),
        Entry::new(line("memory_promote", Edit, Removes, Writer, promote::WHEN), promote::promote),
        Entry::new(line("memory_undo_promotion", Edit, Removes, Writer, promote::UNDO_WHEN), promote::undo),
        Entry::new(line("work_set", Work, Changes, Writer, work::SET_WHEN), work::set),
        Entry::new(line("work_get", Work, Reads, Reader, work::GET_WHEN), work::get),
        Entry::new(line("work_list", Work, Reads, Reader, work::LIST_WHEN), work::list).paged("items"),
        Entry::new(line("work_clear", Work, Removes, Writer, work::CLEAR_WHEN), work::clear),
        Entry::new(line("journal_append", Journal, AddsAgain, Writer, journal::APPEND_WHEN), journal::append),
        Entry::new(line("journal_recent", Journal, Reads, Reader, journal::RECENT_WHEN), journal::recent)
            .paged("events"),
        Entry::new(line("journal_search", Journal, Reads, Reader, journal::SEARCH_WHEN), journal::search),
        Entry::new(line("journal_trace", Journal, Reads, Reader, journal::TRACE_WHEN), journal::trace)
            .paged("memories"),
        Entry::new(line("turn_begin", Journal, AddsAgain, Writer, turn::BEGIN_WHEN), turn::begin),
        Entry::new(line("turn_finish", Journal, Changes, Writer, turn::FINISH_WHEN), turn::finish),
        Entry::new(line("turn_get", Journal, Reads, Reader, turn::GET_WHEN), turn::get).paged("events"),
        Entry::told(
            line("context_get", Notes, Reads, Reader, context::GET_WHEN),
            context::get,
            context::as_text,
        ),
        Entry::told(
            line("context_take", Notes, AddsAgain, Writer, context::TAKE_WHEN),
            context::take,
            context::as_text,
        ),
        Entry::new(line("notes_hear", Notes, AddsAgain, Writer, notes::HEAR_WHEN), notes::hear),
        Entry::new(line("notes_get", Notes, Reads, Reader, notes::GET_WHEN), notes::get).paged("notes"),
        Entry::new(line("graph_link", Graph, Removes, Writer, link::LINK_WHEN), link::link),
        Entry::new(line("graph_unlink", Graph, Removes, Writer, link::UNLINK_WHEN), link::unlink),
        Entry::new(line("graph_walk", Graph, Reads, Reader, walk::WHEN), walk::walk).paged("memories"),
        Entry::new(line("graph_path", Graph, Reads, Reader, path::WHEN), path::path).paged("memories"),
        Entry::new(line("graph_rank", Graph, Reads, Reader, rank::WHEN), rank::rank).paged("memories"),
        Entry::new(
            line("graph_communities", Graph, Reads, Reader, communities::WHEN),
            communities::communities,
        )
        .paged("groups"),
        Entry::new(line("memory_feedback", Learn, AddsAgain, Writer, feedback::WHEN), feedback::feedback),
        Entry::new(line("memory_weights", Learn, Reads, Reader, weights::SHOW_WHEN), weights::show)
            .paged("sets"),
        Entry::new(
            line("memory_weights_rollback", Learn, Changes, Writer, weights::ROLLBACK_WHEN),
            weights::rollback,
        ),
        Entry::new(line("trajectory_record", Learn, AddsAgain, Writer, trajectory::WHEN), trajectory::record),
        Entry::new(line("pattern_search", Learn, Reads, Reader, pattern::SEARCH_WHEN), pattern::search)
            .paged("patterns"),
        Entry::new(line("pattern_store", Learn, Adds, Writer, pattern::STORE_WHEN), pattern::store),
        Entry::new(line("task_route", Learn, Reads, Reader, route::WHEN), route::route).paged("patterns"),
        Entry::new(line("learning_stats", Learn, Reads, Reader, learning::WHEN), learning::stats)
            .paged("learned"),
        Entry::wide(line("namespace_list", Admin, Reads, Role::Admin, namespace::LIST_WHEN), namespace::list)
            .paged("namespaces"),
        Entry::wide(
            line("namespace_move", Admin, Removes, Role::Admin, namespace::MOVE_WHEN),
            namespace::shift,
        ),
        Entry::wide(
            line("namespace_delete", Admin, Removes, Role::Admin, namespace::DELETE_WHEN),
            namespace::delete,
        ),
        Entry::new(line("memory_purge", Admin, Removes, Role::Admin, purge::WHEN), purge::purge),
        Entry::wide(line("memory_reorbit", Admin, Removes, Role::Admin, reorbit::WHEN), reorbit::reorbit),
        Entry::wide(line("memory_sweep", Admin, Removes, Role::Admin, sweep::WHEN), sweep::sweep),
        Entry::wide(line("memory_maintain", Admin, Removes, Role::Admin, maintain::WHEN), maintain::maintain),
        Entry::wide(line("memory_events", Admin, Reads, Role::Admin, events::WHEN), events::events),
        Entry::wide(line("workers_status", Admin, Reads, Role::Admin, workers::STATUS_WHEN), workers::status)
            .paged("runs"),
        Entry::exact(
            line("create_entities", Knowledge, Adds, Writer, known::CREATE_ENTITIES_WHEN),
            known::create_entities,
            known::entities_text,
        ),
        Entry::exact(
            line("create_relations", Knowledge, Adds, Writer, known::CREATE_RELATIONS_WHEN),
            known::create_relations,
            known::relations_text,
        ),
        Entry::exact(
            line("add_observations", Knowledge, Adds, Writer, known::ADD_OBSERVATIONS_WHEN),
            known::add_observations,
            known::added_text,
        ),
        Entry::exact(
            line("delete_entities", Knowledge, Removes, Writer, known::DELETE_ENTITIES_WHEN),
            known::delete_entities,
            known::done_text,
        ),
        Entry::exact(
            line("delete_observations", Knowledge, Removes, Writer, known::DELETE_OBSERVATIONS_WHEN),
            known::delete_observations,
            known::done_text,
        ),
        Entry::exact(
            line("delete_relations", Knowledge, Removes, Writer, known::DELETE_RELATIONS_WHEN),
            known::delete_relations,
            known::done_text,
        ),
        Entry::exact(
            line("read_graph", Knowledge, Reads, Reader, known::READ_GRAPH_WHEN),
            known::read_graph,
            known::graph_text,
        ),
        Entry::exact(
            line("search_nodes", Knowledge, Reads, Reader, known::SEARCH_NODES_WHEN),
            known::search_nodes,
            known::graph_text,
        ),
        Entry::exact(
            line("open_nodes", Knowledge, Reads, Reader, known::OPEN_NODES_WHEN),
            known::open_nodes,
            known::graph_text,
        ),
    ]
});

/// The tools of some families, as clients are told of them.
pub(crate) fn offered(families: &Families) -> Vec<Tool> {
    let offered = TABLE.iter().filter(|entry| families.contains(entry.family));
    offered.map(|entry| entry.tool.clone()).collect()
}

/// Every tool.
#[cfg(test)]
pub(crate) fn all() -> &'static [Entry] {
    &TABLE
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
    fn whoever_may_only_read_is_offered_what_changes_nothing_and_the_admin_family_is_for_admins_alone() {
        for entry in TABLE.iter() {
            let hints = entry.tool.annotations.as_ref().unwrap();
            let least = match entry.family {
                // Even its reading tells of every namespace and of whoever was turned away.
                Admin => Role::Admin,
                _ if hints.read_only_hint == Some(true) => Reader,
                _ => Writer,
            };
            assert_eq!(entry.need, least, "{}", entry.name);
        }
    }
}
