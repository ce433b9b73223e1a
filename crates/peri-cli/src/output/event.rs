//! How events of the audit log look to people. Content is looked up when an event is shown: the log has none.

use perihelion::{Event, Happening, MemoryId};

use super::{ACCENT, FAINT, Output, counted};
use crate::brief::Briefs;
use crate::error::CliError;
use crate::time;

/// So many ids of one event are shown.
const IDS_SHOWN: usize = 3;

/// So many characters of a question are shown.
const QUERY_COLUMNS: usize = 60;

/// The memories whose words help to understand an event: the first ones it names.
pub(crate) fn mentioned(event: &Event) -> Vec<MemoryId> {
    let mut ids = ids(&event.what);
    ids.truncate(IDS_SHOWN);
    ids
}

impl Output {
    /// An event on one line: time, kind, namespace, ids and a few words.
    pub(crate) fn event(&mut self, event: &Event, briefs: &Briefs) -> Result<(), CliError> {
        let namespace = event.namespace.as_ref().map_or("-", |namespace| namespace.as_str());
        let line = format!(
            "{}  {}  {namespace:<12}  {}",
            self.paint(FAINT, &time::date_time(event.at)),
            self.paint(ACCENT, &format!("{:<17}", event.what.kind().as_str())),
            words(&event.what, briefs, self)
        );
        self.line(line.trim_end())
    }
}

/// What happened, in few words.
fn words(what: &Happening, briefs: &Briefs, out: &Output) -> String {
    let one = |id: &MemoryId| briefs.mention(*id, out);
    let short = |id: &MemoryId| briefs.id(*id);
    let list = |ids: &[MemoryId]| several(ids, briefs);
    match what {
        Happening::Stored { id, zone } => format!("{} ({zone})", one(id)),
        Happening::Repeated { id } | Happening::Forgotten { id } | Happening::Restored { id } => one(id),
        Happening::Recalled { query, ids, .. } => recalled(query, ids, briefs, out),
        Happening::Revised { id, version } => format!("{} (version {version})", one(id)),
        Happening::Purged { count, ids } => purged(*count, ids, briefs),
        Happening::Reorbited { moved, forgotten, step } => {
            format!("{moved} moved, {forgotten} forgotten, as of {}", time::date_time(*step))
        }
        Happening::ZoneChanged { id, from, to, reason } => {
            format!("{} ({from} to {to}: {})", one(id), reason_word(*reason))
        }
        Happening::Decayed { demoted, forgotten } => format!("{demoted} fell outward, {forgotten} forgotten"),
        Happening::AutoForgotten { id, idle_days } => {
            format!("{} (idle for {})", one(id), counted(*idle_days, "day", "days"))
        }
        Happening::Consolidated { survivor, absorbed } => {
            format!("{} (put aside: {})", one(survivor), short(absorbed))
        }
        Happening::Split { .. }
        | Happening::Superseded { .. }
        | Happening::Contradicted { .. }
        | Happening::Linked { .. }
        | Happening::Unlinked { .. } => between(what, briefs, out),
        Happening::FeedbackGiven { used, unused } => judged(used, unused, briefs),
        Happening::Expired { id, layer } => format!("{} ({layer})", short(id)),
        Happening::Evicted { id } => short(id),
        Happening::LayerPromoted { id, sources, from, to } => {
            format!("{} ({from} to {to}) from {}", one(id), list(sources))
        }
        Happening::PromotionUndone { id, sources } => format!("{}: {} again", short(id), list(sources)),
        Happening::Outlived { id, age_days } => {
            format!("{} (after {})", one(id), counted(*age_days, "day", "days"))
        }
        Happening::CleanedUp { id, reason } => format!("{} ({})", one(id), clean_up_word(*reason)),
        Happening::SessionStarted { .. }
        | Happening::Observed { .. }
        | Happening::Reflected { .. }
        | Happening::SessionEnded { .. }
        | Happening::NamespaceMoved { .. }
        | Happening::NamespaceDeleted { .. }
        | Happening::WeightsChanged { .. }
        | Happening::Imported { .. }
        | Happening::PatternLearned { .. }
        | Happening::PatternPromoted { .. }
        | Happening::PatternRetired { .. }
        | Happening::Learned { .. }
        | Happening::TrajectoryRecorded { .. }
        | Happening::WorkerDispatched { .. }
        | Happening::WorkerCompleted { .. }
        | Happening::WorkerAlert { .. }
        | Happening::Promoted { .. }
        | Happening::Compacted { .. }
        | Happening::KeyCreated { .. }
        | Happening::SnapshotTaken { .. }
        | Happening::BackedUp { .. }
        | Happening::BackupRestored { .. }
        | Happening::JournalDropped { .. }
        | Happening::OperationFailed { .. }
        | Happening::KeyRevoked { .. }
        | Happening::WritesQueued { .. }
        | Happening::QueueEmptied { .. }
        | Happening::AccessRefused { .. } => words_apart(what, briefs, out),
    }
}

/// The same for what is between two memories or more.
fn between(what: &Happening, briefs: &Briefs, out: &Output) -> String {
    let one = |id: &MemoryId| briefs.mention(*id, out);
    let short = |id: &MemoryId| briefs.id(*id);
    match what {
        Happening::Split { survivor, absorbed } => format!("{} (from {})", one(absorbed), short(survivor)),
        Happening::Superseded { older, newer } => format!("{} (replaces {})", one(newer), short(older)),
        Happening::Contradicted { first, second } => format!("{} (against {})", one(first), short(second)),
        Happening::Linked { source, targets } => format!("{} (to {})", one(source), several(targets, briefs)),
        Happening::Unlinked { source, targets } => {
            format!("{} (from {})", one(source), several(targets, briefs))
        }
        _ => String::new(),
    }
}

fn recalled(query: &str, ids: &[MemoryId], briefs: &Briefs, out: &Output) -> String {
    let query = out.clean(&super::fit(query, QUERY_COLUMNS));
    format!("{query:?} found {}", if ids.is_empty() { "nothing".to_owned() } else { several(ids, briefs) })
}

fn purged(count: u64, ids: &[MemoryId], briefs: &Briefs) -> String {
    let which = if ids.is_empty() { String::new() } else { format!(": {}", several(ids, briefs)) };
    format!("{count} destroyed{which}")
}

fn judged(used: &[MemoryId], unused: &[MemoryId], briefs: &Briefs) -> String {
    let list = |ids| or_none(several(ids, briefs));
    format!("of use: {}; not: {}", list(used), list(unused))
}

/// The same for what is about no memory before all: sessions, namespaces, files, keys and workers.
fn words_apart(what: &Happening, briefs: &Briefs, out: &Output) -> String {
    match what {
        Happening::SessionStarted { session }
        | Happening::Observed { session }
        | Happening::Reflected { session } => out.clean(session),
        Happening::SessionEnded { session, summary: Some(summary) } => {
            format!("{}, summed up in {}", out.clean(session), briefs.mention(*summary, out))
        }
        Happening::SessionEnded { session, summary: None } => out.clean(session),
        Happening::NamespaceMoved { from: Some(from), memories } => {
            format!("from {from}, {}", many(*memories))
        }
        Happening::NamespaceMoved { from: None, memories } => many(*memories),
        Happening::NamespaceDeleted { memories, purged } => {
            format!("{}, {}", many(*memories), if *purged { "destroyed" } else { "in the trash" })
        }
        Happening::WeightsChanged { set, reason } => format!("set {set}: {}", out.clean(reason)),
        Happening::Imported { memories, edges } => {
            format!("{}, {}", many(*memories), counted(*edges, "edge", "edges"))
        }
        Happening::PatternLearned { pattern, quality } => format!("{pattern} (quality {quality:.2})"),
        Happening::PatternPromoted { pattern } | Happening::PatternRetired { pattern } => pattern.to_string(),
        Happening::TrajectoryRecorded { trajectory, outcome } => format!("{trajectory} ({outcome})"),
        Happening::Learned { name, set, reason } => {
            format!("{}, set {set}: {}", out.clean(name), out.clean(reason))
        }
        Happening::WorkerDispatched { worker, priority } => {
            format!("{} ({})", out.clean(worker), out.clean(priority))
        }
        Happening::WorkerCompleted { worker, ok, duration_ms } => {
            format!("{}, {} in {duration_ms} ms", out.clean(worker), if *ok { "done" } else { "failed" })
        }
        Happening::WorkerAlert { worker, severity, message, .. } => {
            format!("{} ({severity}): {}", out.clean(worker), out.clean(message))
        }
        Happening::Promoted { candidates } => format!("{candidates} candidates"),
        Happening::Compacted { tokens } => format!("{tokens} tokens"),
        Happening::KeyCreated { key, role, scope } => format!("{key} ({role} in {scope})"),
        Happening::SnapshotTaken { file, episodes } => {
            format!("{}, {}", out.clean(file), counted(*episodes, "episode", "episodes"))
        }
        Happening::BackedUp { backup, change } => format!("{} (up to change {change})", out.clean(backup)),
        Happening::BackupRestored { backup, memories } => {
            format!("{}, {}", out.clean(backup), many(*memories))
        }
        Happening::JournalDropped { entries, turns, before } => {
            let entries = counted(*entries, "journal event", "journal events");
            format!("{entries}, {} from before {before}", counted(*turns, "turn", "turns"))
        }
        Happening::OperationFailed { operation, reason, count } => {
            let often = if *count > 1 { format!(", {count} times") } else { String::new() };
            format!("{}: {}{often}", out.clean(operation), out.clean(reason))
        }
        Happening::KeyRevoked { key } => key.to_string(),
        Happening::WritesQueued { reason } => out.clean(reason),
        Happening::QueueEmptied { replayed, dead: 0 } => counted(*replayed, "write", "writes"),
        Happening::QueueEmptied { replayed, dead } => {
            format!("{}, {dead} given up", counted(*replayed, "write", "writes"))
        }
        Happening::AccessRefused { key, action, reason, count } => {
            let who = key.map(|key| format!(" by {key}")).unwrap_or_default();
            let often = if *count > 1 { format!(", {count} times") } else { String::new() };
            format!("{}{who}: {}{often}", out.clean(action), out.clean(reason))
        }
        // Whatever is about memories is told by the one that calls this.
        _ => String::new(),
    }
}

/// Every memory that an event names, the one it is most about first.
fn ids(what: &Happening) -> Vec<MemoryId> {
    match what {
        Happening::Stored { id, .. }
        | Happening::Repeated { id }
        | Happening::Forgotten { id }
        | Happening::Restored { id }
        | Happening::Revised { id, .. }
        | Happening::ZoneChanged { id, .. }
        | Happening::AutoForgotten { id, .. }
        | Happening::Expired { id, .. }
        | Happening::Evicted { id }
        | Happening::Outlived { id, .. }
        | Happening::CleanedUp { id, .. } => vec![*id],
        Happening::LayerPromoted { id, sources, .. } | Happening::PromotionUndone { id, sources } => {
            std::iter::once(id).chain(sources).copied().collect()
        }
        Happening::Recalled { ids, .. }
        | Happening::Purged { ids, .. }
        | Happening::WorkerAlert { ids, .. } => ids.clone(),
        Happening::Consolidated { survivor, absorbed } => vec![*survivor, *absorbed],
        Happening::Split { survivor, absorbed } => vec![*absorbed, *survivor],
        Happening::Superseded { older, newer } => vec![*newer, *older],
        Happening::Contradicted { first, second } => vec![*first, *second],
        Happening::Linked { source, targets } | Happening::Unlinked { source, targets } => {
            std::iter::once(source).chain(targets).copied().collect()
        }
        Happening::SessionEnded { summary, .. } => summary.iter().copied().collect(),
        Happening::FeedbackGiven { used, unused } => used.iter().chain(unused).copied().collect(),
        Happening::Reorbited { .. }
        | Happening::Decayed { .. }
        | Happening::SessionStarted { .. }
        | Happening::NamespaceMoved { .. }
        | Happening::NamespaceDeleted { .. }
        | Happening::WeightsChanged { .. }
        | Happening::Imported { .. }
        | Happening::PatternLearned { .. }
        | Happening::PatternPromoted { .. }
        | Happening::PatternRetired { .. }
        | Happening::Learned { .. }
        | Happening::TrajectoryRecorded { .. }
        | Happening::WorkerDispatched { .. }
        | Happening::WorkerCompleted { .. }
        | Happening::Observed { .. }
        | Happening::Reflected { .. }
        | Happening::Promoted { .. }
        | Happening::Compacted { .. }
        | Happening::SnapshotTaken { .. }
        | Happening::BackedUp { .. }
        | Happening::BackupRestored { .. }
        | Happening::JournalDropped { .. }
        | Happening::OperationFailed { .. }
        | Happening::KeyCreated { .. }
        | Happening::KeyRevoked { .. }
        | Happening::WritesQueued { .. }
        | Happening::QueueEmptied { .. }
        | Happening::AccessRefused { .. } => Vec::new(),
    }
}

fn many(memories: u64) -> String {
    counted(memories, "memory", "memories")
}

fn clean_up_word(reason: perihelion::CleanUpReason) -> &'static str {
    match reason {
        perihelion::CleanUpReason::TooMany => "too many",
        perihelion::CleanUpReason::LowScore => "low score",
        perihelion::CleanUpReason::Idle => "not used",
    }
}

fn reason_word(reason: perihelion::MoveReason) -> &'static str {
    match reason {
        perihelion::MoveReason::Score => "its score",
        perihelion::MoveReason::Idle => "not used",
        perihelion::MoveReason::Room => "room",
    }
}

fn several(ids: &[MemoryId], briefs: &Briefs) -> String {
    // Two edges of different types may lead to the same memory.
    let mut once: Vec<MemoryId> = Vec::with_capacity(ids.len());
    ids.iter().for_each(|id| {
        if !once.contains(id) {
            once.push(*id)
        }
    });
    let mut shown: Vec<String> = once.iter().take(IDS_SHOWN).map(|id| briefs.id(*id)).collect();
    if once.len() > IDS_SHOWN {
        shown.push(format!("{} more", once.len() - IDS_SHOWN));
    }
    shown.join(", ")
}

fn or_none(text: String) -> String {
    if text.is_empty() { "none".to_owned() } else { text }
}
