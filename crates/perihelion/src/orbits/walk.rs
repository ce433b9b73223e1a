//! From events to moves: who is there, step by step.
//!
//! Events tell what was done to memories; whether one is there follows from that as it does in the store: it is not in
//! the trash, was not promoted, and whatever took its place is in the trash. What the events do not tell, because it
//! was imported, or happened before the first event, or left no event at all, is made up for from the present.

use std::collections::{BTreeMap, HashMap};

use peri_store::BodyView;
use peri_types::{Event, Happening, MemoryId, Timestamp, Zone};

use super::moves::{MoveCause, OrbitMove};

/// So many memories are looked up whose zone no event tells.
const UNPLACED_MAX: usize = 1000;

/// Those that are there now.
pub(super) type AllPresent = BTreeMap<MemoryId, Present>;

/// Where each memory was when it was first heard of.
pub(super) type FirstZones = HashMap<MemoryId, Zone>;

/// What is known of a memory that is there now.
#[derive(Debug, Clone, Copy)]
pub(super) struct Present {
    zone: Zone,
    /// When it joined the namespace.
    born: Timestamp,
    imported: bool,
}

impl Present {
    pub(super) fn new(zone: Zone, created_at: Timestamp, arrived_at: Option<Timestamp>) -> Self {
        let born = arrived_at.map_or(created_at, |arrived| arrived.max(created_at));
        Self { zone, born, imported: arrived_at.is_some() }
    }

    pub(super) fn of(one: &BodyView) -> Self {
        Self::new(one.zone, one.created_at, one.arrived_at)
    }
}

/// Where memories were when they were first heard of. One that never moved was where it is.
pub(super) fn first_zones(events: &[Event], present: &AllPresent) -> FirstZones {
    let mut zones = FirstZones::new();
    for event in events {
        match event.what {
            Happening::Stored { id, zone } => zones.entry(id).or_insert(zone),
            Happening::ZoneChanged { id, from, .. } => zones.entry(id).or_insert(from),
            _ => continue,
        };
    }
    for (id, one) in present {
        zones.entry(*id).or_insert(one.zone);
    }
    zones
}

/// Memories that left although nothing tells where they were, as far as it pays to look them up.
pub(super) fn unplaced(events: &[Event], zones: &FirstZones) -> Vec<MemoryId> {
    let mut found: Vec<MemoryId> = Vec::new();
    for event in events {
        let id = match event.what {
            Happening::Forgotten { id }
            | Happening::AutoForgotten { id, .. }
            | Happening::Outlived { id, .. }
            | Happening::CleanedUp { id, .. }
            | Happening::Expired { id, .. }
            | Happening::Superseded { older: id, .. }
            | Happening::Consolidated { absorbed: id, .. } => id,
            _ => continue,
        };
        if !zones.contains_key(&id) {
            found.push(id);
        }
    }
    found.sort_unstable();
    found.dedup();
    found.truncate(UNPLACED_MAX);
    found
}

/// The moves that lead to the present, in the order of time. Events are to be in that order too.
pub(super) fn walk(
    events: &[Event],
    zones: FirstZones,
    present: &AllPresent,
    now: Timestamp,
) -> Vec<OrbitMove> {
    let mut walk = Walk { zones, present, ones: HashMap::new(), moves: Vec::new() };
    events.iter().for_each(|event| walk.hear(event));
    walk.arrive(now);
    let mut moves: Vec<OrbitMove> = walk.moves.into_iter().flatten().collect();
    moves.sort_by_key(|one| one.at);
    moves
}

/// What is known of one memory at some time.
#[derive(Debug, Default)]
struct One {
    zone: Option<Zone>,
    /// It is in the trash, or gone for good, or was not there yet.
    away: bool,
    /// It was put aside for what it became.
    promoted: bool,
    /// It was made by a promotion.
    made: bool,
    replaced_by: Option<MemoryId>,
    /// What it took the place of.
    replaces: Vec<MemoryId>,
    /// It was changed then, and nothing tells whether it holds again since.
    doubt: Option<Timestamp>,
    /// Whether it was last told to be there.
    shown: bool,
    /// The last move that was told of it.
    last: Option<usize>,
}

/// What a memory was before it was first heard of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Before {
    Here,
    Away,
    Aside,
}

struct Walk<'a> {
    zones: FirstZones,
    present: &'a AllPresent,
    ones: HashMap<MemoryId, One>,
    /// None for what was taken back.
    moves: Vec<Option<OrbitMove>>,
}

impl Walk<'_> {
    fn hear(&mut self, event: &Event) {
        let at = event.at;
        match &event.what {
            Happening::Stored { id, zone } => {
                let one = self.meet(*id, Before::Away, at);
                (one.zone, one.away, one.promoted) = (Some(*zone), false, false);
                self.release(*id);
                self.show(*id, at, Some(MoveCause::Stored));
            }
            Happening::Restored { id } => {
                self.meet(*id, Before::Away, at).away = false;
                self.show_with_replaced(*id, at, MoveCause::Restored);
            }
            Happening::ZoneChanged { id, from, to, reason } => {
                self.settle_doubt(*id, at);
                let one = self.meet(*id, Before::Here, at);
                one.zone = Some(*to);
                if one.shown {
                    self.tell(*id, at, (Some(*from), Some(*to)), Some((*reason).into()));
                } else {
                    // It moved, so it is there, whatever else was told.
                    (one.away, one.promoted) = (false, false);
                    self.release(*id);
                    self.show(*id, at, None);
                }
            }
            Happening::Forgotten { id } => self.leave(*id, at, MoveCause::Forgotten),
            Happening::AutoForgotten { id, .. } => self.leave(*id, at, MoveCause::AutoForgotten),
            Happening::Outlived { id, .. } => self.leave(*id, at, MoveCause::Outlived),
            Happening::CleanedUp { id, .. } => self.leave(*id, at, MoveCause::CleanedUp),
            Happening::Expired { id, .. } => self.leave(*id, at, MoveCause::Expired),
            Happening::Evicted { id } => self.leave(*id, at, MoveCause::Evicted),
            Happening::Purged { ids, .. } => {
                ids.iter().for_each(|id| self.leave(*id, at, MoveCause::Purged));
            }
            _ => self.hear_of_others(event),
        }
    }

    /// What one memory does to another, and to all.
    fn hear_of_others(&mut self, event: &Event) {
        let at = event.at;
        match &event.what {
            Happening::Superseded { older, newer } => {
                self.replace(*older, *newer, at, MoveCause::Superseded);
            }
            Happening::Consolidated { survivor, absorbed } => {
                self.replace(*absorbed, *survivor, at, MoveCause::Consolidated);
            }
            Happening::Split { absorbed, .. } => {
                self.meet(*absorbed, Before::Aside, at).promoted = false;
                self.release(*absorbed);
                self.show(*absorbed, at, Some(MoveCause::Split));
            }
            Happening::LayerPromoted { id, sources, .. } => self.promote(*id, sources, at),
            Happening::PromotionUndone { id, sources } => self.undo(*id, sources, at),
            Happening::NamespaceDeleted { .. } => {
                let mut all: Vec<MemoryId> = self.ones.keys().copied().collect();
                all.sort_unstable();
                all.into_iter().for_each(|id| self.leave(id, at, MoveCause::NamespaceDeleted));
            }
            Happening::Revised { id, .. } => {
                let one = self.meet(*id, Before::Here, at);
                if !one.shown && !one.away {
                    one.doubt = Some(at);
                }
            }
            _ => {}
        }
    }

    /// What is known of a memory. One that is heard of for the first time was there before, or was not.
    fn meet(&mut self, id: MemoryId, before: Before, at: Timestamp) -> &mut One {
        if !self.ones.contains_key(&id) {
            let zone = self.zones.get(&id).copied();
            let shown = before == Before::Here && zone.is_some();
            let (away, promoted) = (before == Before::Away, before == Before::Aside);
            self.ones.insert(id, One { zone, away, promoted, shown, ..One::default() });
            // What was imported is told by nobody, but it knows when it came.
            let came = self.present.get(&id).filter(|one| shown && one.born <= at).copied();
            if let Some(one) = came {
                self.tell(id, one.born, (None, zone), Some(one.came_by()));
            }
        }
        self.ones.entry(id).or_default()
    }

    fn tell(
        &mut self,
        id: MemoryId,
        at: Timestamp,
        (from, to): (Option<Zone>, Option<Zone>),
        reason: Option<MoveCause>,
    ) {
        let one = self.ones.entry(id).or_default();
        let last = one.last.and_then(|last| self.moves[last]);
        // Whoever comes and goes in the same moment was never seen.
        if to.is_none() && last.is_some_and(|last| last.from.is_none() && last.at == at) {
            if let Some(last) = one.last.take() {
                self.moves[last] = None;
            }
            return;
        }
        one.last = Some(self.moves.len());
        self.moves.push(Some(OrbitMove { id, at, from, to, reason }));
    }

    /// Tells whether a memory came or left by what is known of it now.
    fn show(&mut self, id: MemoryId, at: Timestamp, reason: Option<MoveCause>) {
        let Some(one) = self.ones.get(&id) else { return };
        let newer = one.replaced_by.and_then(|newer| self.ones.get(&newer));
        let replaced = one.replaced_by.is_some() && !newer.is_some_and(|newer| newer.away);
        let there = !one.away && !one.promoted && !replaced && one.zone.is_some();
        let (zone, shown) = (one.zone, one.shown);
        if there != shown {
            self.ones.entry(id).or_default().shown = there;
            let ends = if there { (None, zone) } else { (zone, None) };
            self.tell(id, at, ends, reason);
        }
    }

    /// The same of what a memory took the place of, which is there while that one is not.
    fn show_with_replaced(&mut self, id: MemoryId, at: Timestamp, reason: MoveCause) {
        self.show(id, at, Some(reason));
        let one = self.ones.get(&id);
        let older = one.map(|one| one.replaces.clone()).unwrap_or_default();
        let away = one.is_some_and(|one| one.away);
        let reason = if away { MoveCause::Restored } else { MoveCause::Superseded };
        older.into_iter().for_each(|older| self.show(older, at, Some(reason)));
    }

    fn leave(&mut self, id: MemoryId, at: Timestamp, reason: MoveCause) {
        self.meet(id, Before::Here, at).away = true;
        self.show_with_replaced(id, at, reason);
    }

    fn replace(&mut self, older: MemoryId, newer: MemoryId, at: Timestamp, reason: MoveCause) {
        self.settle_doubt(older, at);
        self.meet(newer, Before::Here, at);
        self.meet(older, Before::Here, at);
        self.release(older);
        self.ones.entry(newer).or_default().replaces.push(older);
        self.ones.entry(older).or_default().replaced_by = Some(newer);
        self.show(older, at, Some(reason));
    }

    /// Nothing is in a memory's place any more.
    fn release(&mut self, id: MemoryId) {
        let Some(one) = self.ones.get_mut(&id) else { return };
        one.doubt = None;
        if let Some(newer) = one.replaced_by.take().and_then(|newer| self.ones.get_mut(&newer)) {
            newer.replaces.retain(|older| *older != id);
        }
    }

    /// What was changed while another was in its place held again since, as it shows now.
    fn settle_doubt(&mut self, id: MemoryId, at: Timestamp) {
        if let Some(since) = self.meet(id, Before::Here, at).doubt {
            self.release(id);
            self.show(id, since, None);
        }
    }

    fn promote(&mut self, id: MemoryId, sources: &[MemoryId], at: Timestamp) {
        for source in sources {
            self.meet(*source, Before::Here, at).promoted = true;
            self.show(*source, at, Some(MoveCause::LayerPromoted));
        }
        let zone = sources.first().and_then(|first| self.ones.get(first)?.zone);
        // One that said the same already stands for them and is there.
        let one = self.meet(id, Before::Away, at);
        if one.away {
            (one.zone, one.away, one.made) = (zone.or(one.zone), false, true);
            self.show(id, at, Some(MoveCause::LayerPromoted));
        }
    }

    fn undo(&mut self, id: MemoryId, sources: &[MemoryId], at: Timestamp) {
        let there = self.present.contains_key(&id);
        let one = self.meet(id, Before::Here, at);
        if one.made || !there {
            self.leave(id, at, MoveCause::PromotionUndone);
        }
        for source in sources {
            self.meet(*source, Before::Aside, at).promoted = false;
            self.show(*source, at, Some(MoveCause::PromotionUndone));
        }
    }

    /// Makes up for what no event told, so that the moves lead to what is there now.
    fn arrive(&mut self, now: Timestamp) {
        for (id, one) in self.present {
            let Some(known) = self.ones.get(id) else {
                // Nothing was ever told of it, and so it stayed where it is.
                self.tell(*id, one.born, (None, Some(one.zone)), Some(one.came_by()));
                self.ones.entry(*id).or_default().shown = true;
                continue;
            };
            let (shown, zone, doubt) = (known.shown, known.zone, known.doubt);
            if !shown {
                self.tell(*id, doubt.unwrap_or(now), (None, Some(one.zone)), None);
            } else if zone != Some(one.zone) {
                self.tell(*id, now, (zone, Some(one.zone)), None);
            }
            self.ones.entry(*id).or_default().shown = true;
        }
        let gone = self.ones.iter().filter(|(id, one)| one.shown && !self.present.contains_key(*id));
        let mut gone: Vec<(MemoryId, Option<Zone>)> = gone.map(|(id, one)| (*id, one.zone)).collect();
        gone.sort_unstable();
        gone.into_iter().for_each(|(id, zone)| self.tell(id, now, (zone, None), None));
    }
}

impl Present {
    fn came_by(&self) -> MoveCause {
        if self.imported { MoveCause::Imported } else { MoveCause::Stored }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(1_760_000_000 + second).expect("a time")
    }

    fn id(n: u8) -> MemoryId {
        MemoryId::from_bytes([n; 16])
    }

    fn told(happenings: impl IntoIterator<Item = Happening>) -> Vec<Event> {
        let numbered = happenings.into_iter().zip(1_u32..);
        let event = |(what, number): (Happening, u32)| Event {
            number: number.into(),
            at: at(number.into()),
            namespace: None,
            what,
        };
        numbered.map(event).collect()
    }

    fn walked(events: &[Event], present: &[(u8, Zone)]) -> Vec<Walked> {
        let born = at(0);
        let present: AllPresent =
            present.iter().map(|(n, zone)| (id(*n), Present::new(*zone, born, None))).collect();
        let moves = walk(events, first_zones(events, &present), &present, at(1000));
        assert!(moves.is_sorted_by_key(|one| one.at));
        moves.into_iter().map(|one| (one.id.as_bytes()[0], one.from, one.to, one.reason)).collect()
    }

    /// Which memory, from where, to where, and why.
    type Walked = (u8, Option<Zone>, Option<Zone>, Option<MoveCause>);

    fn stored(n: u8) -> Happening {
        Happening::Stored { id: id(n), zone: Zone::Inner }
    }

    const IN: Option<Zone> = Some(Zone::Inner);

    #[test]
    fn what_was_merged_is_back_once_it_is_split_off() {
        let (survivor, absorbed) = (id(1), id(2));
        let events = told([
            stored(1),
            stored(2),
            Happening::Consolidated { survivor, absorbed },
            Happening::Split { survivor, absorbed },
        ]);
        let expected = [
            (1, None, IN, Some(MoveCause::Stored)),
            (2, None, IN, Some(MoveCause::Stored)),
            (2, IN, None, Some(MoveCause::Consolidated)),
            (2, None, IN, Some(MoveCause::Split)),
        ];
        assert_eq!(walked(&events, &[(1, Zone::Inner), (2, Zone::Inner)]), expected);
    }

    #[test]
    fn what_is_destroyed_leaves_once_whether_it_lay_in_the_trash_or_not() {
        let purged = |n: u8| Happening::Purged { count: 1, ids: vec![id(n)] };
        let events = told([
            stored(1),
            stored(2),
            stored(3),
            Happening::Forgotten { id: id(1) },
            purged(1),
            purged(2),
            Happening::Evicted { id: id(3) },
        ]);
        let left: Vec<_> = walked(&events, &[]).into_iter().filter(|one| one.2.is_none()).collect();
        let expected = [
            (1, IN, None, Some(MoveCause::Forgotten)),
            (2, IN, None, Some(MoveCause::Purged)),
            (3, IN, None, Some(MoveCause::Evicted)),
        ];
        assert_eq!(left, expected);
    }

    #[test]
    fn what_faded_with_the_one_in_its_place_was_not_seen_in_between() {
        let (older, newer) = (id(1), id(2));
        let mut events = told([
            stored(1),
            stored(2),
            Happening::Superseded { older, newer },
            Happening::AutoForgotten { id: newer, idle_days: 90 },
            Happening::AutoForgotten { id: older, idle_days: 90 },
        ]);
        events[4].at = events[3].at;
        let of_older: Vec<_> = walked(&events, &[]).into_iter().filter(|one| one.0 == 1).collect();
        let expected = [(1, None, IN, Some(MoveCause::Stored)), (1, IN, None, Some(MoveCause::Superseded))];
        assert_eq!(of_older, expected);
    }

    #[test]
    fn what_no_event_tells_is_made_up_for_from_the_present() {
        let changed = |n: u8, from, to| {
            let reason = peri_types::MoveReason::Score;
            Happening::ZoneChanged { id: id(n), from, to, reason }
        };
        let events = told([
            changed(1, Zone::Inner, Zone::Outer),
            changed(2, Zone::Inner, Zone::Belt),
            changed(3, Zone::Inner, Zone::Belt),
        ]);
        let moves = walked(&events, &[(1, Zone::Outer), (2, Zone::Core), (4, Zone::Cloud)]);
        let of =
            |n: u8| moves.iter().filter(move |one| one.0 == n).map(|one| (one.1, one.2)).collect::<Vec<_>>();
        let (outer, belt) = (Some(Zone::Outer), Some(Zone::Belt));
        assert_eq!(of(1), [(None, IN), (IN, outer)], "it came when it was made");
        assert_eq!(of(2), [(None, IN), (IN, belt), (belt, Some(Zone::Core))], "somebody put it there");
        assert_eq!(of(3), [(IN, belt), (belt, None)], "it is no longer there");
        assert_eq!(of(4), [(None, Some(Zone::Cloud))], "it never moved");
    }
}
