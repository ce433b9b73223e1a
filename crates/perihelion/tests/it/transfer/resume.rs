//! Imports that were interrupted go on where they were.

use std::io::{BufReader, Read};

use jiff::SignedDuration;
use perihelion::{
    Effect, Ending, ErrorKind, ImportMode, ImportOptions, Imported, Pace, Perihelion, Remember, Resume,
    Scope, Start,
};

use super::{export, later};
use crate::graph::link;
use crate::supersession::clocked;
use crate::support::{keep, kind_of};

fn named(name: &str, mode: ImportMode, start: Start) -> ImportOptions {
    let resume = Some(Resume { name: name.to_owned(), start });
    ImportOptions { mode, resume, ..ImportOptions::default() }
}

fn go_on(engine: &Perihelion, lines: &str, mode: ImportMode) -> Imported {
    engine.import(&mut lines.as_bytes(), named("file", mode, Start::WhereItWas)).unwrap()
}

/// So many memories that several parts are written, with edges, sessions and a line that is refused.
fn large() -> (String, perihelion::Clock) {
    let (_folder, engine, clock) = clocked();
    let many = (0..5000)
        .map(|i| Remember::new(format!("기억 Quixou{i}zq{}", i * i)).said(format!("s{}", i % 40), "Ana"));
    engine.remember_all(many.collect()).unwrap();
    let ids = ["herons nest by the lake", "storks nest on roofs"].map(|text| keep(&engine, text));
    link(&engine, ids[0], ids[1]);
    for session in 0..40 {
        engine.start_session(&perihelion::Namespace::default(), &format!("s{session}")).unwrap();
    }
    (export(&engine), clock)
}

/// Breaks off after so many bytes.
pub struct Broken<'a>(&'a [u8], std::io::ErrorKind);

impl Read for Broken<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        match self.0.read(buffer)? {
            0 => Err(self.1.into()),
            read => Ok(read),
        }
    }
}

pub fn broken(lines: &str, at: usize) -> BufReader<Broken<'_>> {
    BufReader::new(Broken(&lines.as_bytes()[..at], std::io::ErrorKind::ConnectionReset))
}

#[test]
fn an_import_that_broke_off_goes_on_and_ends_like_one_that_did_not() {
    let (lines, clock) = large();
    let lines = lines.replacen("\n", "\nnonsense\n", 1);
    for mode in [ImportMode::Append, ImportMode::Upsert, ImportMode::Replace] {
        let (_folder, engine) = later(&clock, 1);
        keep(&engine, "penguins cannot fly");
        let mut breaks = 0;
        for part in 1..=4 {
            let at = lines.len() * part / 5;
            let options = named("file", mode, Start::WhereItWas);
            let failed = engine.import(&mut broken(&lines, at), options);
            assert_eq!(kind_of(failed), Some(ErrorKind::Unavailable));
            breaks += 1;
        }
        let told = go_on(&engine, &lines, mode);
        assert!(told.resumed_after.is_some_and(|line| line > 1000), "{breaks}: {told:?}");
        let (_folder, other) = later(&clock, 1);
        keep(&other, "penguins cannot fly");
        let at_once =
            other.import(&mut lines.as_bytes(), ImportOptions { mode, ..ImportOptions::default() }).unwrap();
        assert_eq!((told.added, told.replaced, told.known), (at_once.added, at_once.replaced, at_once.known));
        assert_eq!(
            (told.edges, told.sessions, told.trashed),
            (at_once.edges, at_once.sessions, at_once.trashed)
        );
        assert_eq!(
            told.refused_unlisted + told.refused.len() as u64,
            1,
            "refused in an earlier run: {told:?}"
        );
        assert_eq!((told.ending, &told.nothing_trashed), (at_once.ending, &at_once.nothing_trashed));
        let own = |engine: &Perihelion| {
            // The memory that was here first has an id of its own in each.
            export(engine).lines().filter(|line| !line.contains("penguins")).collect::<Vec<_>>().join("\n")
        };
        assert_eq!(own(&engine), own(&other), "{mode:?}");
        let again = go_on(&engine, &lines, mode);
        assert_eq!((again.resumed_after, again.added), (None, 0), "it was finished, so it begins anew");
    }
}

#[test]
fn a_replacement_that_was_interrupted_knows_what_it_took_before() {
    let (lines, clock) = large();
    let (_folder, engine) = later(&clock, 1);
    let gone = keep(&engine, "penguins cannot fly");
    let options = named("file", ImportMode::Replace, Start::WhereItWas);
    assert!(engine.import(&mut broken(&lines, lines.len() / 2), options).is_err());
    let told = go_on(&engine, &lines, ImportMode::Replace);
    assert_eq!((told.ending, told.trashed, told.added), (Ending::Whole, 1, 5002), "{told:?}");
    assert!(engine.get(&Scope::All, gone).unwrap().trashed_at.is_some());
}

#[test]
fn an_import_that_is_stopped_keeps_what_it_has_and_says_where_it_is() {
    let (lines, clock) = large();
    let (_folder, engine) = later(&clock, 1);
    let options = named("file", ImportMode::Append, Start::WhereItWas);
    let told = engine.import_watched(&mut lines.as_bytes(), options, &mut |_| Pace::Stop).unwrap();
    assert_eq!(told.ending, Ending::Stopped);
    assert!((1..5002).contains(&told.added), "{told:?}");
    assert_eq!(engine.stats(&Scope::All).unwrap().memories, told.added);
    let rest = go_on(&engine, &lines, ImportMode::Append);
    assert_eq!((rest.resumed_after, rest.added, rest.known), (Some(told.lines), 5002, 0));
    assert_eq!(export(&engine), lines);
}

#[test]
fn another_name_and_a_new_start_begin_at_the_first_line() {
    let (lines, clock) = large();
    let (_folder, engine) = later(&clock, 1);
    let begun = named("file", ImportMode::Append, Start::WhereItWas);
    assert!(engine.import(&mut broken(&lines, lines.len() / 2), begun).is_err());
    for options in [
        named("another file", ImportMode::Append, Start::WhereItWas),
        named("file", ImportMode::Append, Start::Anew),
        named("file", ImportMode::Append, Start::WhereItWas),
    ] {
        let told = engine.import(&mut lines.as_bytes(), options).unwrap();
        assert_eq!((told.resumed_after, told.added + told.known), (None, 5002));
    }
}

#[test]
fn a_rehearsal_foretells_how_an_interrupted_import_goes_on() {
    let (lines, clock) = large();
    let (_folder, engine) = later(&clock, 1);
    let options = || named("file", ImportMode::Append, Start::WhereItWas);
    assert!(engine.import(&mut broken(&lines, lines.len() / 2), options()).is_err());
    let rehearsed = ImportOptions { effect: Effect::Rehearsed, ..options() };
    let foretold = engine.import(&mut lines.as_bytes(), rehearsed).unwrap();
    assert!(foretold.resumed_after.is_some());
    assert_eq!(engine.import(&mut lines.as_bytes(), options()).unwrap(), foretold);
}

#[test]
fn how_far_an_import_was_is_forgotten_after_thirty_days() {
    let (lines, clock) = large();
    let folder = tempfile::tempdir().unwrap();
    let clock = perihelion::Clock::manual(clock.now() + SignedDuration::from_hours(24));
    let options = perihelion::Options { clock: clock.clone(), ..crate::support::options(folder.path()) };
    let engine = Perihelion::open(options).unwrap();
    let begun = named("file", ImportMode::Append, Start::WhereItWas);
    assert!(engine.import(&mut broken(&lines, lines.len() / 2), begun).is_err());
    for (days, resumed) in [(29, true), (2, false)] {
        clock.advance(SignedDuration::from_hours(24 * days));
        engine.import(&mut &b""[..], ImportOptions::default()).unwrap();
        let rehearsed = ImportOptions {
            effect: Effect::Rehearsed,
            ..named("file", ImportMode::Append, Start::WhereItWas)
        };
        let told = engine.import(&mut lines.as_bytes(), rehearsed).unwrap();
        assert_eq!(told.resumed_after.is_some(), resumed, "after {days} days more");
    }
}

#[test]
fn what_was_compressed_and_cut_is_kept_as_far_as_it_goes() {
    let (lines, clock) = large();
    let (_folder, engine) = later(&clock, 1);
    let cut = Broken(&lines.as_bytes()[..lines.len() / 2], std::io::ErrorKind::UnexpectedEof);
    let told = engine.import(&mut BufReader::new(cut), ImportOptions::default()).unwrap();
    assert_eq!(told.ending, Ending::Cut);
    let whole =
        lines[..lines.len() / 2].lines().filter(|line| line.starts_with("{\"record\":\"memory\"")).count()
            - 1;
    assert_eq!(told.added as usize, whole);
}
