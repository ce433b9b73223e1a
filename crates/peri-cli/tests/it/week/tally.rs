//! The week in numbers.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::Duration;

use peri_agents::hooks::OccasionKind;

use super::answers::{Answered, Source};
use super::machine::{End, HookRun};
use super::simulation::Week;

impl Week {
    /// Everything worth telling about the week, as text.
    pub(super) fn told(&self, answered: &[Answered]) -> String {
        let mut told = String::from("\nA week of hooks\n");
        self.tell_runs(&mut told).unwrap();
        self.tell_given(&mut told).unwrap();
        self.tell_kept(&mut told).unwrap();
        self.tell_answers(answered, &mut told).unwrap();
        let log = self.machine.log();
        if !log.is_empty() {
            writeln!(told, "\nThe log of hooks ({} lines), the last ones:", log.lines().count()).unwrap();
            let skipped = log.lines().count().saturating_sub(8);
            log.lines().skip(skipped).for_each(|line| writeln!(told, "  {line}").unwrap());
        }
        told
    }

    fn tell_runs(&self, told: &mut String) -> std::fmt::Result {
        let runs = &self.machine.runs;
        let count = |end: &dyn Fn(&HookRun) -> bool| runs.iter().filter(|run| end(run)).count();
        writeln!(
            told,
            "{} sessions, {} messages, {} hooks: {} killed, {} slower than they may be. {} workers were awaited: {} killed.",
            self.sessions,
            self.said.len(),
            runs.len(),
            count(&|run| run.end == End::Killed),
            count(&|run| run.is_slow()),
            self.machine.workers_run,
            self.machine.workers_killed,
        )?;
        writeln!(
            told,
            "\n{:<18}{:>6}{:>10}{:>8}{:>8}{:>8}",
            "hook, ms", "runs", "total", "p50", "p95", "max"
        )?;
        for kind in OccasionKind::ALL {
            let own = |run: &&HookRun| run.occasion == kind && run.end == End::Done;
            let mut walls: Vec<Duration> = runs.iter().filter(own).map(|run| run.wall).collect();
            walls.sort_unstable();
            let ms = |wall: Duration| format!("{:.0}", wall.as_secs_f64() * 1000.0);
            let at = |hundredth: usize| {
                walls.get((walls.len() * hundredth / 100).min(walls.len().saturating_sub(1)))
            };
            let part = |hundredth: usize| at(hundredth).map_or_else(String::new, |wall| ms(*wall));
            let (name, total) = (format!("{kind:?}"), ms(walls.iter().sum()));
            let (runs, half, most, longest) = (walls.len(), part(50), part(95), part(100));
            writeln!(told, "{name:<18}{runs:>6}{total:>10}{half:>8}{most:>8}{longest:>8}")?;
        }
        Ok(())
    }

    fn tell_given(&self, told: &mut String) -> std::fmt::Result {
        let mut sessions: BTreeMap<&str, usize> = BTreeMap::new();
        for given in &self.given {
            *sessions.entry(&given.session).or_default() += perihelion::count_tokens(&given.text);
        }
        let all: usize = sessions.values().sum();
        writeln!(told, "\n{all} tokens were given in {} contexts. By session:", self.given.len())?;
        for (session, tokens) in sessions {
            writeln!(told, "  {session:<28}{tokens:>6}")?;
        }
        Ok(())
    }

    fn tell_kept(&self, told: &mut String) -> std::fmt::Result {
        let mut notes = 0;
        for place in self.visited() {
            let listed = self.machine.json(&["-n", &self.namespace(place), "session", "list"]);
            let sessions = listed["sessions"].as_array().into_iter().flatten();
            notes += sessions.filter_map(|session| session["noted"]["notes"].as_u64()).sum::<u64>();
        }
        let memories = &self.machine.json(&["stats"])["memories"];
        let sizes =
            self.machine.files().iter().map(|path| path.metadata().map_or(0, |file| file.len())).sum::<u64>();
        writeln!(told, "\n{notes} notes, {memories} memories, {} KiB in the data folder.", sizes / 1024)
    }

    fn tell_answers(&self, answered: &[Answered], told: &mut String) -> std::fmt::Result {
        writeln!(
            told,
            "\nAsked in the middle of the week, from what the agent was given in its present context:"
        )?;
        for (question, found) in &self.asked {
            let sign = format!("{found:?}");
            writeln!(told, "  {sign:<10}{:<9}{}", question.place, question.text)?;
        }
        writeln!(told, "\nAsked at the end, by somebody who was not there:")?;
        for one in answered {
            let source = match one.source {
                Source::Start => "start".to_owned(),
                Source::Prompt => "prompt".to_owned(),
                Source::Recall(place) => format!("recall {place}"),
                Source::Nowhere => "NOWHERE".to_owned(),
            };
            writeln!(told, "  {source:<10}{:<9}{}", one.question.place, one.question.text)?;
            match (&one.fault, &one.question.weakness) {
                (Some(_), Some(why)) => writeln!(told, "    known to be weak: {why}")?,
                (None, Some(_)) => writeln!(told, "    was known to be weak, and is answered now")?,
                (_, None) => {}
            }
            if let Some(fault) = &one.fault {
                writeln!(told, "    {fault}; {:?} was expected, and recall gives:", one.question.words)?;
                one.hits.iter().for_each(|hit| writeln!(told, "      {hit}").unwrap());
            }
        }
        Ok(())
    }
}
