//! Bringing orbits up to date gives the same however it is cut.

use peri_orbit::{Capacities, Least, Orbit, OrbitSettings, Replayed, Use};
use peri_types::{MoveReason, Zone};
use proptest::prelude::*;

use crate::orbit_model::walk;
use crate::orbit_support::*;

/// Runs one interval in several runs, keeping between them only what a caller keeps.
fn run_in_parts(
    settings: &OrbitSettings,
    orbits: &[Orbit],
    uses: &[Use],
    from: i64,
    ends: &[i64],
) -> Replayed {
    let mut kept: Vec<(usize, Orbit)> = orbits.iter().copied().enumerate().collect();
    let mut pending: Vec<Use> = uses.to_vec();
    let mut all =
        Replayed { moves: Vec::new(), forgotten: Vec::new(), orbits: orbits.to_vec(), settled: from };
    for end in ends {
        let present: Vec<Orbit> = kept.iter().map(|(_, orbit)| *orbit).collect();
        let renumbered: Vec<Use> = pending
            .iter()
            .filter_map(|used| {
                let index = kept.iter().position(|(index, _)| *index == used.index)?;
                Some(Use { index, ..*used })
            })
            .collect();
        let mut part = run(settings, &present, &renumbered, all.settled, *end);
        part.moves.iter_mut().for_each(|moved| moved.index = kept[moved.index].0);
        part.forgotten.iter_mut().for_each(|forgetting| forgetting.index = kept[forgetting.index].0);
        if part.settled > all.settled {
            pending.retain(|used| used.at > part.settled);
        } else {
            assert!(part.moves.is_empty() && part.forgotten.is_empty(), "no step was taken");
        }
        for ((index, orbit), after) in kept.iter_mut().zip(part.orbits) {
            *orbit = after;
            all.orbits[*index] = after;
        }
        kept.retain(|(index, _)| part.forgotten.iter().all(|forgetting| forgetting.index != *index));
        all.moves.extend(part.moves);
        all.forgotten.extend(part.forgotten);
        all.settled = part.settled;
    }
    all
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn a_replay_is_what_walking_every_step_gives(
        settings in narrow_settings(),
        orbits in orbits(80),
        uses in uses(60),
        length in 0..130 * DAY,
    ) {
        let fast = run(&settings, &orbits, &uses, START, START + length);
        let naive = walk(&settings, &orbits, &uses, START, START + length);
        prop_assert_eq!(&fast.moves, &naive.moves);
        prop_assert_eq!(fast, naive);
    }

    #[test]
    fn places_change_hands_at_the_right_steps_however_many_claim_them(
        settings in crowded_settings(),
        orbits in overtaking(120),
        uses in uses(4),
        length in 0..60 * DAY,
    ) {
        let fast = run(&settings, &orbits, &uses, START, START + length);
        let naive = walk(&settings, &orbits, &uses, START, START + length);
        prop_assert_eq!(&fast.moves, &naive.moves);
        prop_assert_eq!(fast, naive);
    }

    #[test]
    fn any_partition_of_the_time_gives_the_same(
        settings in narrow_settings(),
        orbits in orbits(80),
        uses in uses(60),
        length in 0..130 * DAY,
        mut cuts in prop::collection::vec(0.0..1.0_f64, 0..12),
    ) {
        cuts.sort_by(f64::total_cmp);
        let mut ends: Vec<i64> = cuts.iter().map(|cut| START + (cut * length as f64) as i64).collect();
        ends.push(START + length);
        let whole = run(&settings, &orbits, &uses, START, START + length);
        let parts = run_in_parts(&settings, &orbits, &uses, START, &ends);
        prop_assert_eq!(&whole.moves, &parts.moves);
        prop_assert_eq!(whole, parts);
    }

    #[test]
    fn without_uses_and_births_whatever_comes_nearer_found_room(
        settings in narrow_settings(),
        orbits in orbits(80),
        length in 0..400 * DAY,
    ) {
        let from = START + 300 * DAY;
        let settled = run(&settings, &orbits, &[], from, from + 2 * DAY);
        let left: Vec<Orbit> = settled.orbits.iter().enumerate()
            .filter(|(index, _)| settled.forgotten.iter().all(|forgetting| forgetting.index != *index))
            .map(|(_, orbit)| *orbit)
            .collect();
        let later = run(&settings, &left, &[], settled.settled, settled.settled + length);
        for moved in later.moves {
            prop_assert!(moved.to > moved.from || moved.reason == MoveReason::Room, "{moved:?}");
        }
    }
}

#[test]
fn those_who_lead_only_in_the_middle_of_a_long_stretch_have_their_places() {
    let mut settings = OrbitSettings { half_life: days(30), ..OrbitSettings::default() };
    settings.step = std::time::Duration::from_secs(3600);
    settings.capacities = Capacities { core: 2, inner: 3, outer: 4 };
    settings.least = Least { core: 0.04, inner: 0.03, outer: 0.02, belt: 0.01 };
    settings.decay.enabled = false;
    let half_life = 30 * DAY;
    let from = START.div_euclid(half_life) * half_life;
    // The fresh lead first and the important last; those between lead when half of the time is over.
    let kinds = [(0.0, from), (0.476, from - half_life), (0.884, from - 40 * half_life)];
    let orbits: Vec<Orbit> =
        (0..90).map(|i| kinds[i % 3]).map(|(value, at)| orbit(body(value, at), Zone::Belt)).collect();
    let done = run(&settings, &orbits, &[], from, from + half_life - DAY);
    assert_eq!(done.moves, walk(&settings, &orbits, &[], from, from + half_life - DAY).moves);
    for kind in 0..3 {
        assert!(done.moves.iter().any(|moved| moved.index % 3 == kind && moved.to == Zone::Core));
    }
}

#[test]
fn running_every_step_or_ten_times_in_a_row_gives_the_same() {
    let settings = OrbitSettings::default();
    let orbits: Vec<Orbit> = (0..40)
        .map(|i| orbit(body(f64::from(i % 11) / 10.0, START - i64::from(i) * 3 * DAY), Zone::Inner))
        .collect();
    let uses: Vec<Use> =
        (0..30).map(|i| Use { index: i, at: START + i as i64 * 7 * HOUR, recalls: 1 }).collect();
    let end = START + 20 * DAY;
    let whole = run(&settings, &orbits, &uses, START, end);
    assert!(!whole.moves.is_empty() && !whole.forgotten.is_empty());
    let ends: Vec<i64> = (START..=end).step_by(300_000).chain([end; 10]).collect();
    assert_eq!(whole, run_in_parts(&settings, &orbits, &uses, START, &ends));
}

#[test]
fn a_run_without_a_new_step_does_nothing() {
    let settings = OrbitSettings::default();
    let orbits = [orbit(body(0.5, START - 200 * DAY), Zone::Core)];
    let uses = [Use { index: 0, at: START, recalls: 1 }];
    let step = START.div_euclid(300_000) * 300_000;
    for (from, to) in [(step, step), (step, step + 299_999), (step + 1, step), (step, step - 40 * DAY)] {
        let nothing = run(&settings, &orbits, &uses, from, to);
        assert!(nothing.moves.is_empty() && nothing.forgotten.is_empty());
        assert_eq!((nothing.orbits.as_slice(), nothing.settled), (orbits.as_slice(), from));
    }
}

#[test]
fn a_use_counts_from_the_first_step_at_or_after_it() {
    let settings = OrbitSettings::default();
    let step = 300_000;
    let from = START.div_euclid(step) * step;
    let orbits = [orbit(body(0.5, from - 40 * DAY), Zone::Cloud)];
    for (at, counted) in [
        (from - DAY, from + step),
        (from, from + step),
        (from + 1, from + step),
        (from + step, from + step),
        (from + step + 1, from + 2 * step),
    ] {
        let uses = [Use { index: 0, at, recalls: 3 }];
        let done = run(&settings, &orbits, &uses, from, from + 2 * step);
        let moves: Vec<_> = done.moves.iter().filter(|moved| moved.to < moved.from).collect();
        assert_eq!((moves.len(), moves[0].at, moves[0].reason), (1, counted, MoveReason::Score), "{at}");
        assert_eq!((done.orbits[0].body.recalls, done.orbits[0].body.last_used), (3, at));
    }
}

#[test]
fn uses_after_the_last_step_wait_for_the_next_run() {
    let settings = OrbitSettings::default();
    let from = START.div_euclid(300_000) * 300_000;
    let orbits = [orbit(body(0.5, from), Zone::Inner)];
    let uses = [Use { index: 0, at: from + 400_000, recalls: 1 }, Use { index: 9, at: from, recalls: 1 }];
    let first = run(&settings, &orbits, &uses, from, from + 500_000);
    assert_eq!((first.orbits[0].body.recalls, first.settled), (0, from + 300_000));
    let second = run(&settings, &first.orbits, &uses, first.settled, from + 600_000);
    assert_eq!((second.orbits[0].body.recalls, second.settled), (1, from + 600_000));
}

#[test]
fn the_unborn_take_no_room() {
    let mut settings = OrbitSettings::default();
    settings.capacities.core = 1;
    settings.least.core = 0.3;
    let from = START.div_euclid(300_000) * 300_000;
    let orbits = [orbit(body(0.5, from), Zone::Core), orbit(body(0.9, from + DAY), Zone::Core)];
    let done = run(&settings, &orbits, &[], from, from + 2 * DAY);
    assert_eq!(done.moves.len(), 1);
    assert_eq!((done.moves[0].index, done.moves[0].at), (0, from + DAY));
    assert_eq!(done.moves[0].reason, MoveReason::Room);
}

#[test]
fn the_forgotten_leave_once_and_from_the_cloud() {
    let settings = OrbitSettings::default();
    let orbits = [orbit(body(0.5, START), Zone::Inner)];
    let done = run(&settings, &orbits, &[], START, START + 365 * DAY);
    assert_eq!(done.forgotten.len(), 1);
    assert_eq!((done.orbits[0].zone, done.forgotten[0].idle_days), (Zone::Cloud, 90));
    assert!(done.moves.iter().all(|moved| moved.at <= done.forgotten[0].at));
}

#[test]
fn what_was_changed_by_hand_moves_because_of_itself() {
    let settings = OrbitSettings::default();
    let mut pinned = body(0.5, START - 80 * DAY);
    pinned.pinned = true;
    let done = |uses: &[Use]| run(&settings, &[orbit(pinned, Zone::Belt)], uses, START, START + HOUR);
    let changed = done(&[Use { index: 0, at: START, recalls: 0 }]);
    assert_eq!((changed.moves.len(), changed.moves[0].reason), (1, MoveReason::Score));
    assert_eq!(changed.orbits[0].body, pinned);
    assert_eq!(done(&[]).moves[0].reason, MoveReason::Room);
}
