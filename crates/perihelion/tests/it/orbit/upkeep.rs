//! One history, looked after in many ways: the zones, the trash and the events come out the same.

use perihelion::{
    Capacities, Clock, Decay, EventKind, Facets, Happening, Importance, LogQuery, MemoryId, MoveReason,
    Namespace, Options, OrbitSettings, Perihelion, Recall, Remember, Revise, Scope, Timestamp, Trashed, Zone,
};

use super::{DAY, HOUR, MINUTE, important, move_to, plain, seconds, start};
use crate::support::{Random, all, ns, scope};

/// The events that tell of orbits.
const OF_ORBITS: [EventKind; 4] =
    [EventKind::ZoneChanged, EventKind::Decayed, EventKind::Reorbited, EventKind::AutoForgotten];

/// Something that happens between two steps.
#[derive(Debug, Clone)]
enum Act {
    Remember { importance: f64, pinned: bool },
    Recall,
    Revise { importance: f64 },
    Pin { pinned: bool },
    Repeat { importance: f64 },
    Forget,
    Restore,
}

/// What happens to which memory, and when.
#[derive(Debug, Clone)]
struct Moment {
    at: i64,
    memory: u8,
    act: Act,
}

fn place_of(memory: u8) -> Namespace {
    ns(["team/one", "team/two", "alone"][usize::from(memory % 3)])
}

/// The same in every run; of two that are equal, the first in order stays in an overfull zone.
fn id_of(memory: u8) -> MemoryId {
    let mut bytes = [0x70; 16];
    bytes[15] = memory;
    MemoryId::from_bytes(bytes)
}

/// A history over `days` in which nothing is used or changed that may have been forgotten by then. Memories are
/// recalled, revised, pinned, told again, forgotten and restored at any time.
fn history(seed: u64, days: i64, idle_max: i64) -> Vec<Moment> {
    let mut random = Random(seed);
    let mut moments = Vec::new();
    let mut used: Vec<i64> = Vec::new();
    let mut trashed: Vec<bool> = Vec::new();
    let (mut at, end) = (1, days * DAY);
    while at < end {
        let memories = used.len() as u64;
        let mut importance = || [0.0, 0.2, 0.5, 0.7, 1.0][random.below(5) as usize];
        if memories < 6 || (memories < 36 && importance() < 0.4) {
            let act = Act::Remember { importance: importance(), pinned: random.below(12) == 0 };
            moments.push(Moment { at, memory: memories as u8, act });
            used.push(at);
            trashed.push(false);
        } else {
            // Some are asked for again and again, most hardly ever.
            let memory = random.below(memories).min(random.below(memories)).min(random.below(memories));
            let number = memory as usize;
            let importance = [0.1, 0.3, 0.6, 0.9][random.below(4) as usize];
            let act = match random.below(14) {
                _ if trashed[number] => Act::Restore,
                0 => Act::Forget,
                1 | 2 => Act::Revise { importance },
                3 => Act::Pin { pinned: importance < 0.5 },
                4 => Act::Repeat { importance },
                _ => Act::Recall,
            };
            if trashed[number] || at - used[number] < idle_max {
                trashed[number] = matches!(act, Act::Forget);
                moments.push(Moment { at, memory: memory as u8, act });
                used[number] = at;
            }
        }
        // Early on everything follows quickly; never on a step.
        let pace = if memories < 6 { 10 } else { (end / 150).max(20) };
        at += 7 + random.below(pace.unsigned_abs()) as i64;
        at += i64::from(at % 300 == 0);
    }
    moments
}

/// Who looks after the orbits, and how often.
#[derive(Debug, Clone, Copy)]
enum Upkeep {
    Every(i64),
    TimesInARow { every: i64, times: usize },
    ByReorbit { every: i64 },
    Reopened { every: i64 },
    TwoEngines { every: i64 },
}

impl Upkeep {
    fn every(self) -> i64 {
        match self {
            Self::Every(every)
            | Self::TimesInARow { every, .. }
            | Self::ByReorbit { every }
            | Self::Reopened { every }
            | Self::TwoEngines { every } => every,
        }
    }
}

/// A history being lived through.
struct Life {
    folder: tempfile::TempDir,
    clock: Clock,
    orbit: OrbitSettings,
    upkeep: Upkeep,
    engines: Vec<Perihelion>,
    turn: usize,
}

/// What must not depend on the upkeep.
#[derive(Debug, PartialEq)]
struct Outcome {
    zones: Vec<(MemoryId, Zone)>,
    trash: Vec<MemoryId>,
    /// By namespace, as each has its own steps.
    events: Vec<(Namespace, Vec<(Timestamp, Happening)>)>,
    usage: Vec<(MemoryId, Option<(u64, Timestamp)>)>,
}

impl Life {
    fn begin(orbit: OrbitSettings, upkeep: Upkeep) -> Self {
        let (folder, clock) = (tempfile::tempdir().unwrap(), Clock::manual(start()));
        let mut life = Self { folder, clock, orbit, upkeep, engines: Vec::new(), turn: 0 };
        let count = if matches!(upkeep, Upkeep::TwoEngines { .. }) { 2 } else { 1 };
        life.engines = (0..count).map(|_| life.open()).collect();
        life
    }

    fn open(&self) -> Perihelion {
        let options = plain(self.folder.path(), &self.clock, self.orbit);
        // The trash is compared, so nothing may leave it.
        Perihelion::open(Options { trash_retention: seconds(1000 * DAY), ..options }).unwrap()
    }

    fn engine(&mut self) -> &Perihelion {
        self.turn += 1;
        &self.engines[self.turn % self.engines.len()]
    }

    fn act(&mut self, moment: &Moment) {
        let (memory, upkeep) = (moment.memory, self.upkeep);
        let (namespace, word) = (place_of(memory), format!("item{memory}x"));
        let engine = self.engine();
        match moment.act {
            Act::Remember { importance, pinned } => {
                let request = Remember {
                    id: Some(id_of(memory)),
                    facets: Facets { pinned, ..Facets::default() },
                    ..important(word, importance).in_namespace(namespace)
                };
                assert_eq!(engine.remember(request).unwrap().id, id_of(memory));
            }
            Act::Recall => {
                let found = engine.recall(&Recall::new(word).in_scope(Scope::Exact(namespace))).unwrap();
                let ids: Vec<_> = found.hits.iter().map(|hit| hit.memory.id).collect();
                assert_eq!(ids, [id_of(memory)], "{moment:?}");
            }
            Act::Revise { importance } => {
                let importance = Some(Importance::new(importance).unwrap());
                let revision = Revise { importance, ..Revise::default() };
                engine.revise(&Scope::All, id_of(memory), revision).unwrap();
            }
            Act::Pin { pinned } => {
                let revision = Revise { pinned: Some(pinned), ..Revise::default() };
                engine.revise(&Scope::All, id_of(memory), revision).unwrap();
            }
            Act::Repeat { importance } => {
                let again = important(word, importance).in_namespace(namespace);
                assert_eq!(engine.remember(again).unwrap().id, id_of(memory));
            }
            Act::Forget => drop(engine.forget(&Scope::All, id_of(memory)).unwrap()),
            Act::Restore => drop(engine.restore(&Scope::All, id_of(memory)).unwrap()),
        }
        if matches!(upkeep, Upkeep::TwoEngines { .. }) {
            // What one engine recalled is written back before the other one settles, as its chores would.
            self.engines.iter().for_each(|engine| drop(engine.reorbit(&scope("nobody")).unwrap()));
        }
    }

    fn look_after(&mut self) {
        match self.upkeep {
            Upkeep::Every(_) | Upkeep::TwoEngines { .. } => self.engine().maintain().unwrap(),
            Upkeep::TimesInARow { times, .. } => (0..times).for_each(|_| self.engine().maintain().unwrap()),
            Upkeep::ByReorbit { .. } => drop(self.engine().reorbit(&Scope::All).unwrap()),
            Upkeep::Reopened { .. } => {
                self.engines.drain(..).for_each(|engine| engine.close().unwrap());
                self.engines = vec![self.open()];
                self.engine().maintain().unwrap();
            }
        }
    }

    fn live(mut self, history: &[Moment], end: i64) -> Outcome {
        let mut next = self.upkeep.every();
        for moment in history {
            while next < moment.at {
                move_to(&self.clock, next);
                self.look_after();
                next += self.upkeep.every();
            }
            move_to(&self.clock, moment.at);
            self.act(moment);
        }
        while next < end {
            move_to(&self.clock, next);
            self.look_after();
            next += self.upkeep.every();
        }
        move_to(&self.clock, end);
        self.look_after();
        self.outcome()
    }

    fn outcome(&self) -> Outcome {
        let engine = &self.engines[0];
        let memories = all(engine, Trashed::Without);
        let ids = |memories: &[perihelion::Memory]| memories.iter().map(|memory| memory.id).collect();
        let trash: Vec<MemoryId> = ids(&all(engine, Trashed::Only));
        let events = engine.namespaces(&Scope::All).unwrap().into_iter().map(|namespace| {
            let (scope, kinds) = (Scope::Exact(namespace.clone()), OF_ORBITS.to_vec());
            let query = LogQuery { limit: usize::MAX, kinds, scope, ..LogQuery::default() };
            let told = engine.events(&query).unwrap().events;
            (namespace, told.into_iter().map(|event| (event.at, event.what)).collect())
        });
        let usage =
            |memory: &perihelion::Memory| (memory.id, engine.usage(&memory.namespace, memory.id).unwrap());
        Outcome {
            zones: memories.iter().map(|memory| (memory.id, memory.zone)).collect(),
            usage: memories.iter().map(usage).collect(),
            trash,
            events: events.collect(),
        }
    }
}

/// A month in a day, with so little room that memories contend for it.
fn fast() -> OrbitSettings {
    OrbitSettings {
        half_life: seconds(HOUR),
        saturation: 10,
        capacities: Capacities { core: 1, inner: 2, outer: 3 },
        decay: Decay { demote_every: seconds(2 * HOUR), forget_after: seconds(6 * HOUR), ..Decay::default() },
        ..OrbitSettings::default()
    }
}

fn crowded() -> OrbitSettings {
    OrbitSettings { capacities: Capacities { core: 1, inner: 2, outer: 3 }, ..OrbitSettings::default() }
}

/// Lives one history through with each upkeep and compares what came of it.
fn check_upkeep(orbit: OrbitSettings, history: &[Moment], end: i64, upkeeps: &[Upkeep]) -> Outcome {
    let mut outcomes = upkeeps.iter().map(|upkeep| Life::begin(orbit, *upkeep).live(history, end));
    let expected = outcomes.next().unwrap();
    for (outcome, upkeep) in outcomes.zip(&upkeeps[1..]) {
        let what = format!("{upkeep:?} as {:?}", upkeeps[0]);
        for ((namespace, events), (_, others)) in expected.events.iter().zip(&outcome.events) {
            let differ = events.iter().zip(others).find(|(event, other)| event != other);
            assert_eq!(differ, None, "{what}: the first event that differs in {namespace}");
        }
        assert_eq!(outcome, expected, "{what}");
    }
    expected
}

#[test]
fn one_history_gives_the_same_zones_trash_and_events_however_often_and_by_whom_it_is_settled() {
    let every = 5 * MINUTE;
    let upkeeps = [
        Upkeep::Every(every),
        Upkeep::Every(1000 * DAY),
        Upkeep::TimesInARow { every: 3 * HOUR + 11, times: 10 },
        Upkeep::ByReorbit { every: 47 * MINUTE },
        Upkeep::Reopened { every: 5 * HOUR },
        Upkeep::TwoEngines { every: 2 * HOUR + 5 },
    ];
    for seed in [1, 2] {
        let outcome = check_upkeep(fast(), &history(seed, 1, 5 * HOUR), DAY + 3 * HOUR, &upkeeps);
        let told: Vec<&Happening> =
            outcome.events.iter().flat_map(|(_, events)| events).map(|(_, what)| what).collect();
        for kind in OF_ORBITS {
            assert!(told.iter().any(|what| what.kind() == kind), "seed {seed}: no {kind}");
        }
        for wanted in [MoveReason::Score, MoveReason::Idle, MoveReason::Room] {
            let for_it = |what: &&Happening| matches!(what, Happening::ZoneChanged { reason, .. } if *reason == wanted);
            assert!(told.iter().any(for_it), "seed {seed}: nothing moved for {wanted:?}");
        }
        assert!(!outcome.trash.is_empty() && outcome.zones.len() > 3, "seed {seed}");
    }
}

#[test]
fn one_history_gives_the_same_whether_it_is_settled_daily_or_after_four_months() {
    let upkeeps = [
        Upkeep::Every(DAY + 61),
        Upkeep::Every(30 * DAY),
        Upkeep::Every(1000 * DAY),
        Upkeep::ByReorbit { every: 9 * DAY },
    ];
    let outcome = check_upkeep(crowded(), &history(3, 110, 80 * DAY), 125 * DAY, &upkeeps);
    assert!(!outcome.trash.is_empty() && !outcome.zones.is_empty());
}

/// When something moved, from where, to where and why, as the log tells it.
fn moves_told(engine: &Perihelion) -> Vec<(Timestamp, Zone, Zone, MoveReason)> {
    let kinds = vec![EventKind::ZoneChanged];
    let query = LogQuery { limit: usize::MAX, kinds, scope: Scope::All, ..LogQuery::default() };
    let told = engine.events(&query).unwrap().events.into_iter();
    told.filter_map(|event| match event.what {
        Happening::ZoneChanged { from, to, reason, .. } => Some((event.at, from, to, reason)),
        _ => None,
    })
    .collect()
}

#[test]
fn what_a_memory_did_before_it_was_changed_by_hand_is_told_whether_or_not_somebody_reorbited_in_between() {
    let told = |between: bool, change: &dyn Fn(&Perihelion, MemoryId)| {
        let life = Life::begin(OrbitSettings::default(), Upkeep::Every(1000 * DAY));
        let engine = &life.engines[0];
        let id = engine.remember(important("서버는 매일 밤 백업한다", 0.1)).unwrap().id;
        move_to(&life.clock, 40 * DAY + 7);
        if between {
            engine.reorbit(&Scope::All).unwrap();
        }
        change(engine, id);
        move_to(&life.clock, 45 * DAY);
        engine.reorbit(&Scope::All).unwrap();
        moves_told(engine)
    };
    let revise = |revision: Revise| {
        move |engine: &Perihelion, id: MemoryId| {
            drop(engine.revise(&Scope::All, id, revision.clone()).unwrap())
        }
    };
    let matters = Revise { importance: Some(Importance::new(1.0).unwrap()), ..Revise::default() };
    let pinned = Revise { pinned: Some(true), ..Revise::default() };
    type Change = Box<dyn Fn(&Perihelion, MemoryId)>;
    let changes: [(&str, Change); 5] = [
        ("revised", Box::new(revise(matters))),
        ("pinned", Box::new(revise(pinned))),
        ("forgotten", Box::new(|engine, id| drop(engine.forget(&Scope::All, id).unwrap()))),
        (
            "told again",
            Box::new(|engine, id| {
                assert_eq!(engine.remember(important("서버는 매일 밤 백업한다", 0.9)).unwrap().id, id);
            }),
        ),
        (
            "replaced",
            Box::new(|engine, id| {
                let newer = engine.remember(important("nobody backs servers up", 0.5)).unwrap().id;
                let revision = Revise { superseded_by: Some(Some(newer)), ..Revise::default() };
                engine.revise(&Scope::All, id, revision).unwrap();
            }),
        ),
    ];
    for (what, change) in &changes {
        let (with, without) = (told(true, change), told(false, change));
        assert!(with.len() > 1, "{what}: it has moved before");
        assert_eq!(without, with, "{what}");
    }
}

#[test]
fn what_somebody_is_about_to_change_is_not_forgotten_right_before() {
    let life = Life::begin(OrbitSettings::default(), Upkeep::Every(1000 * DAY));
    let engine = &life.engines[0];
    let [changed, left] =
        ["数据库每天晚上备份", "a second one"].map(|text| engine.remember(important(text, 0.1)).unwrap().id);
    move_to(&life.clock, 200 * DAY + 7);
    let revision = Revise { importance: Some(Importance::new(0.9).unwrap()), ..Revise::default() };
    engine.revise(&Scope::All, changed, revision).unwrap();
    engine.reorbit(&Scope::All).unwrap();
    let ids = |trashed| all(engine, trashed).iter().map(|memory| memory.id).collect::<Vec<_>>();
    assert_eq!(ids(Trashed::Without), [changed]);
    assert_eq!(ids(Trashed::Only), [left]);
}
