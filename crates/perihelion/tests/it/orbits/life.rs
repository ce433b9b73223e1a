//! Whatever happens to memories, the picture is what the lists say, and the moves lead to it.

use std::collections::BTreeMap;

use perihelion::{
    Clock, Deletion, EdgeType, Layer, MemoryId, Namespace, NewEdge, OrbitMove, Perihelion, Recall, Remember,
    Revise, Scope, SetWork, Trashed, Zone,
};

use super::{fresh, moves_of, play, seen};
use crate::orbit::{important, move_to};
use crate::support::{Random, all, ns, scope};

const PLACE: &str = "삶/生活";

/// Does one thing of many to memories of the place. What is refused changes nothing.
fn happen(engine: &Perihelion, random: &mut Random, n: u64) {
    let place = ns(PLACE);
    let known: Vec<MemoryId> = [Trashed::Without, Trashed::Only]
        .into_iter()
        .flat_map(|side| all(engine, side))
        .filter(|memory| memory.namespace == place)
        .map(|memory| memory.id)
        .collect();
    let mut any = || known.get(random.below(known.len().max(1) as u64) as usize).copied();
    let (one, other) = (any(), any());
    let what = random.below(17);
    let (Some(one), Some(other)) = (one.filter(|_| what > 4), other) else {
        let content = format!("기억 {} 记忆", random.below(n / 2 + 8));
        let mut new: Remember = important(content, random.below(11) as f64 / 10.0).in_namespace(place);
        new.layer = (what == 0).then_some(Layer::Episodic);
        engine.remember(new).unwrap();
        return;
    };
    let here = Scope::Exact(place.clone());
    let revise = |change| engine.revise(&here, one, change).is_ok();
    let done = match what {
        5 | 6 => engine.forget(&here, one).is_ok(),
        7 | 8 => engine.restore(&here, one).is_ok(),
        9 => engine.purge(&here, one).is_ok(),
        10 => revise(Revise { superseded_by: Some(Some(other)), ..Revise::default() }),
        11 => revise(Revise { superseded_by: Some(None), ..Revise::default() }),
        12 => revise(Revise { pinned: Some(random.below(2) == 0), ..Revise::default() }),
        13 => engine.promote(&here, &[one], None).is_ok(),
        14 => engine.undo_promotion(&here, one).is_ok(),
        15 => engine.recall(&Recall { limit: Some(3), ..Recall::new("기억").in_scope(here.clone()) }).is_ok(),
        _ => {
            let edge = NewEdge { source: one, target: other, edge_type: EdgeType::Supersedes, weight: 1.0 };
            engine.link(&here, &edge).is_ok()
                && engine.work_set(SetWork::new(format!("열쇠 {n}"), "값").in_namespace(place)).is_ok()
        }
    };
    // Most are refused now and then, and that is as good.
    assert!(done || what > 4);
}

fn lived(seed: u64) -> (tempfile::TempDir, Clock, Perihelion) {
    let (folder, clock, engine) = fresh();
    let mut random = Random(seed);
    let mut seconds = 0;
    for n in 0..120 {
        seconds += 1 + random.below(240_000) as i64;
        move_to(&clock, seconds);
        happen(&engine, &mut random, n);
        if random.below(6) == 0 {
            engine.maintain().unwrap();
        }
        if n == 60 && seed % 4 == 3 {
            engine.delete_namespace(&ns(PLACE), Deletion::ToTrash).unwrap();
        }
    }
    engine.maintain().unwrap();
    (folder, clock, engine)
}

#[test]
fn the_picture_is_what_lists_and_numbers_say() {
    for seed in 0..4 {
        let (_folder, _clock, engine) = lived(seed);
        let listed = all(&engine, Trashed::Without);
        let listed = listed
            .iter()
            .filter(|memory| memory.namespace == ns(PLACE) && memory.facets.superseded_by.is_none());
        let listed: BTreeMap<MemoryId, Zone> = listed.map(|memory| (memory.id, memory.zone)).collect();
        assert_eq!(seen(&engine, &ns(PLACE)), listed, "seed {seed}");
        let orbits = engine.orbits(&ns(PLACE), 1).unwrap();
        let counted: Vec<(Zone, u64)> = orbits.zones.iter().map(|one| (one.zone, one.memories)).collect();
        let counted: Vec<_> = counted.into_iter().filter(|(_, count)| *count > 0).collect();
        let stats = engine.stats(&scope(PLACE)).unwrap();
        assert_eq!(counted, stats.namespaces[0].zones, "seed {seed}");
        assert_eq!(orbits.settled_at, stats.namespaces[0].settled_at);
        assert_eq!(orbits.total, listed.len() as u64);
    }
}

#[test]
fn the_moves_played_from_their_beginning_lead_to_the_picture() {
    for seed in 0..10 {
        let (_folder, _clock, engine) = lived(seed);
        let told = moves_of(&engine, &ns(PLACE), 365, 0);
        assert!(told.complete && told.moves.len() > 60);
        let mut zones = BTreeMap::new();
        play(&told.moves, &mut zones);
        assert_eq!(zones, seen(&engine, &ns(PLACE)), "seed {seed}");
        let now: Vec<&OrbitMove> =
            told.moves.iter().filter(|one| one.at == told.now && one.reason.is_none()).collect();
        assert!(now.is_empty(), "seed {seed}: nothing has to be made up for: {now:?}");
        assert_eq!(moves_of(&engine, &Namespace::default(), 365, 0).moves, [], "of this namespace alone");
    }
}

#[test]
fn one_memory_is_told_the_same_moves_as_all() {
    for seed in 2..5 {
        let (_folder, _clock, engine) = lived(seed);
        let told = moves_of(&engine, &ns(PLACE), 365, 0).moves;
        for memory in [Trashed::Without, Trashed::Only].into_iter().flat_map(|side| all(&engine, side)) {
            let own: Vec<OrbitMove> = told.iter().filter(|one| one.id == memory.id).copied().collect();
            let orbit = engine.memory_orbit(&Scope::All, memory.id).unwrap();
            let zones =
                |moves: &[OrbitMove]| moves.iter().map(|one| (one.at, one.from, one.to)).collect::<Vec<_>>();
            assert_eq!(zones(&orbit.moves), zones(&own), "seed {seed}, {}", memory.id);
        }
    }
}
