//! Which backups are kept.

use std::collections::BTreeSet;

use jiff::tz::TimeZone;
use peri_backup::{BackupError, BackupName, Backups, Retention, to_remove};
use perihelion::{ChangeNumber, Timestamp};
use proptest::prelude::*;

use crate::support::{clock, create, furnished};

fn name(seconds: i64) -> BackupName {
    BackupName::new(Timestamp::from_second(1_770_000_000 + seconds).unwrap(), ChangeNumber(seconds as u64))
}

fn retention(last: u32, daily: u32, weekly: u32, monthly: u32) -> Retention {
    Retention { last, daily, weekly, monthly, zone: TimeZone::UTC }
}

const DAY: i64 = 24 * 60 * 60;

fn now() -> Timestamp {
    Timestamp::from_second(1_770_000_000 + 4000 * DAY).unwrap()
}

#[test]
fn the_newest_of_each_period_is_kept() {
    // Four a day for a hundred days.
    let names: Vec<_> = (0..400).map(|number| name(number * DAY / 4)).collect();
    let kept = |retention: Retention| names.len() - to_remove(&names, &retention, now()).len();
    assert_eq!(kept(retention(5, 0, 0, 0)), 5);
    assert_eq!(kept(retention(0, 7, 0, 0)), 7);
    assert_eq!(kept(retention(0, 0, 4, 0)), 4);
    assert_eq!(kept(retention(0, 0, 0, 3)), 3);
    assert_eq!(kept(retention(0, 0, 0, 0)), 1, "the newest is always kept");
    let removed = to_remove(&names, &retention(0, 2, 0, 0), now());
    let day = |name: &BackupName| name.time().to_zoned(TimeZone::UTC).date();
    let kept: Vec<_> = names.iter().filter(|name| !removed.contains(name)).collect();
    assert!(kept.iter().all(|kept| names.iter().all(|other| day(other) != day(kept) || other <= kept)));
}

#[test]
fn days_begin_where_somebody_lives() {
    // 23:30 and 00:30 in Seoul are one day in UTC.
    let at = |text: &str| BackupName::new(text.parse().unwrap(), ChangeNumber(1));
    let names = [at("2026-03-01T14:30:00Z"), at("2026-03-01T15:30:00Z")];
    let now = "2026-03-02T00:00:00Z".parse().unwrap();
    assert_eq!(to_remove(&names, &retention(0, 2, 0, 0), now).len(), 1);
    let seoul = Retention { zone: TimeZone::get("Asia/Seoul").unwrap(), ..retention(0, 2, 0, 0) };
    assert_eq!(to_remove(&names, &seoul, now).len(), 0);
}

#[test]
fn what_a_restore_replaced_never_takes_the_place_of_a_backup() {
    let names = [name(0), name(DAY).before_restore(), name(DAY + 60).before_restore()];
    let soon = Timestamp::from_second(1_770_000_000 + 2 * DAY).unwrap();
    let late = Timestamp::from_second(1_770_000_000 + 30 * DAY).unwrap();
    for retention in [retention(1, 0, 0, 0), retention(0, 1, 0, 0), retention(0, 0, 1, 1)] {
        assert_eq!(to_remove(&names, &retention, soon), []);
        assert_eq!(to_remove(&names, &retention, late), names[1..]);
    }
    // Where there is no other, the newest stays.
    assert_eq!(to_remove(&names[1..], &retention(1, 0, 0, 0), late), [names[1].clone()]);
}

#[test]
fn what_a_restore_replaced_is_kept_for_a_week() {
    let names = [name(0).before_restore(), name(60), name(120)];
    let after = |days: i64| Timestamp::from_second(1_770_000_000 + days * DAY).unwrap();
    assert_eq!(to_remove(&names, &retention(1, 0, 0, 0), after(6)), [names[1].clone()]);
    assert_eq!(to_remove(&names, &retention(1, 0, 0, 0), after(8)), [names[0].clone(), names[1].clone()]);
}

proptest! {
    #[test]
    fn the_newest_is_kept_and_keeping_more_never_removes_more(
        times in proptest::collection::btree_set(0_i64..400 * DAY, 1..60),
        counts in [0_u32..6, 0_u32..6, 0_u32..6, 0_u32..6],
        more in 0_usize..4,
    ) {
        let names: Vec<_> = times.iter().map(|seconds| name(*seconds)).collect();
        let [last, daily, weekly, monthly] = counts;
        let removed: BTreeSet<_> = to_remove(&names, &retention(last, daily, weekly, monthly), now()).into_iter().collect();
        prop_assert!(!removed.contains(names.last().unwrap()));
        prop_assert!(names.len() - removed.len() <= (counts.iter().sum::<u32>().max(1) + 1) as usize);
        // Pruning what was pruned removes nothing.
        let kept: Vec<_> = names.iter().filter(|name| !removed.contains(name)).cloned().collect();
        prop_assert_eq!(to_remove(&kept, &retention(last, daily, weekly, monthly), now()), vec![]);
        let mut larger = counts;
        larger[more] += 1;
        let [last, daily, weekly, monthly] = larger;
        let fewer: BTreeSet<_> = to_remove(&names, &retention(last, daily, weekly, monthly), now()).into_iter().collect();
        prop_assert!(fewer.is_subset(&removed));
    }
}

#[test]
fn pruning_removes_what_is_not_kept_and_what_was_never_finished_and_leaves_damage_alone() {
    let time = clock();
    let (folder, engine) = furnished(&time);
    let backups = Backups::beside(folder.path());
    let mut names = Vec::new();
    for _ in 0..4 {
        names.push(create(&backups, &engine).manifest.name);
        time.advance(jiff::SignedDuration::from_hours(24));
    }
    let place = folder.path().join("backups");
    std::fs::write(place.join(names[3].as_str()).join("manifest.json"), "{}").unwrap();
    let (fresh, old) = (BackupName::new(time.now(), ChangeNumber(9)), name(0));
    for unfinished in [&fresh, &old] {
        std::fs::create_dir(place.join(unfinished.as_str())).unwrap();
        std::fs::write(place.join(unfinished.as_str()).join("perihelion.db.zst"), "half").unwrap();
    }
    assert!(matches!(backups.prune(&retention(0, 0, 0, 0), time.now()), Err(BackupError::NothingKept)));
    let planned = backups.plan(&retention(1, 0, 0, 0), time.now()).unwrap();
    assert_eq!(backups.list().unwrap().len(), 4, "a plan removes nothing");
    let pruned = backups.prune(&retention(1, 0, 0, 0), time.now()).unwrap();
    assert_eq!(planned, pruned);
    assert_eq!(pruned.removed, names[..2]);
    assert_eq!((pruned.unfinished, pruned.damaged), (vec![old], vec![names[3].clone()]));
    assert_eq!(pruned.kept, [names[2].clone()], "the last good one");
    assert!(place.join(fresh.as_str()).exists(), "it may still be under way");
    let left: Vec<_> = backups.list().unwrap().into_iter().map(|(name, _)| name).collect();
    assert_eq!(left, names[2..]);
}
