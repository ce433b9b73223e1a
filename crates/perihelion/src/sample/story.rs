//! The sample's story: its lines, each at its time before now.

use jiff::civil;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Span};
use peri_types::Timestamp;

use super::deed::{Deed, Line};

/// The files of the story, each about something. What happens at the same time happens in this order.
const FILES: [(&str, &str); 7] = [
    ("people.jsonl", include_str!("people.jsonl")),
    ("decisions.jsonl", include_str!("decisions.jsonl")),
    ("craft.jsonl", include_str!("craft.jsonl")),
    ("incidents.jsonl", include_str!("incidents.jsonl")),
    ("talks.jsonl", include_str!("talks.jsonl")),
    ("tasks.jsonl", include_str!("tasks.jsonl")),
    ("asked.jsonl", include_str!("asked.jsonl")),
];

/// One deed and when it was done.
#[derive(Debug)]
pub(super) struct Step {
    pub(super) at: Timestamp,
    pub(super) deed: Deed,
}

/// The whole story as it is told now, in the order of time.
pub(super) fn story(now: Timestamp, zone: &TimeZone) -> Vec<Step> {
    let mut steps: Vec<Step> = lines().into_iter().flat_map(|line| steps_of(line, now, zone)).collect();
    steps.sort_by_key(|step| step.at);
    steps
}

fn lines() -> Vec<Line> {
    let all = FILES.iter().flat_map(|(_, text)| text.lines());
    all.map(|line| serde_json::from_str(line).expect("a test reads every line of the story")).collect()
}

/// The times of a line: one, or several for what was asked again and again.
fn steps_of(line: Line, now: Timestamp, zone: &TimeZone) -> Vec<Step> {
    let (until, every) = match &line.deed {
        Deed::Ask(asked) => (asked.until.max(1), asked.every),
        _ => (line.day, None),
    };
    let mut days = vec![line.day];
    while let (Some(every), Some(last)) = (every.filter(|every| *every > 0), days.last())
        && let Some(next) = last.checked_sub(every).filter(|next| *next >= until)
    {
        days.push(next);
    }
    let at = |day| moment(day, &line.time, now, zone);
    days.into_iter().map(|day| Step { at: at(day), deed: line.deed.clone() }).collect()
}

/// A time of a day so many days ago; never later than now.
fn moment(day: u16, time: &str, now: Timestamp, zone: &TimeZone) -> Timestamp {
    let today = now.to_zoned(zone.clone()).date();
    let date = today.saturating_sub(Span::new().days(i64::from(day)));
    let time: civil::Time = time.parse().unwrap_or(civil::Time::midnight());
    let then = date.to_datetime(time).to_zoned(zone.clone()).map(|zoned| zoned.timestamp());
    let earlier = now.saturating_sub(SignedDuration::from_hours(24 * i64::from(day))).unwrap_or(now);
    then.unwrap_or(earlier).min(now)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use serde_json::Value;

    use super::*;

    fn now() -> Timestamp {
        "2026-03-04T00:00:10Z".parse().unwrap()
    }

    #[test]
    fn the_whole_story_is_past_and_in_order() {
        for zone in
            [TimeZone::UTC, TimeZone::fixed(jiff::tz::offset(9)), TimeZone::fixed(jiff::tz::offset(-8))]
        {
            let steps = story(now(), &zone);
            assert!(steps.is_sorted_by_key(|step| step.at));
            let (first, last) = (steps[0].at, steps[steps.len() - 1].at);
            assert!(last < now(), "{last}");
            let days = now().duration_since(first).as_hours() / 24;
            assert!((55..=61).contains(&days), "{days}");
        }
    }

    #[test]
    fn every_line_holds_only_what_is_understood() {
        let known = [
            "day",
            "time",
            "do",
            "name",
            "content",
            "kind",
            "layer",
            "importance",
            "tags",
            "aliases",
            "speaker",
            "session",
            "source",
            "pinned",
            "data",
            "context",
            "metadata",
        ];
        for (file, text) in FILES {
            for (number, line) in text.lines().enumerate() {
                let value: Value =
                    serde_json::from_str(line).unwrap_or_else(|error| panic!("{file}:{number}: {error}"));
                assert!(value["day"].as_u64().is_some_and(|day| (1..=60).contains(&day)), "{file}: {line}");
                let time = value["time"].as_str().unwrap();
                assert!(time.len() == 5 && time.parse::<civil::Time>().is_ok(), "{file}: {line}");
                if value["do"] == "remember" {
                    let unknown: Vec<_> = value
                        .as_object()
                        .unwrap()
                        .keys()
                        .filter(|key| !known.contains(&key.as_str()))
                        .collect();
                    assert!(unknown.is_empty(), "{file}: {unknown:?} in {line}");
                }
            }
        }
    }

    #[test]
    fn names_are_given_once_and_before_they_are_used() {
        let mut names = BTreeSet::new();
        for step in story(now(), &TimeZone::UTC) {
            let (given, used): (Option<String>, Vec<String>) = match step.deed {
                Deed::Remember(told) => (told.name, Vec::new()),
                Deed::Append(happened) => (happened.name, Vec::new()),
                Deed::Link(drawn) => (None, vec![drawn.source, drawn.target]),
                Deed::Feedback(judged) => (None, [judged.used, judged.unused].concat()),
                Deed::Revise(revised) => (None, vec![revised.name]),
                Deed::Forget { name } => (None, vec![name]),
                _ => (None, Vec::new()),
            };
            for name in used {
                assert!(names.contains(&name), "{name} is used before it is given, at {}", step.at);
            }
            if let Some(name) = given {
                assert!(names.insert(name.clone()), "{name} is given twice");
            }
        }
    }
}
