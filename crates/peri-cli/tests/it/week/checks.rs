//! What must hold of a week, whatever was killed in it. Each check tells what is wrong, in words.

use std::collections::BTreeMap;

use super::answers::Answered;
use super::clutter;
use super::simulation::{Said, Week};

/// Words that are said in one place only, and looked for in all others.
const OWN_WORDS: [(&str, &[&str]); 3] = [
    ("harbor", &["PostgreSQL", "Nordfracht", "Etikett", "webhook", "Mina", "NATS", "归档", "배송"]),
    ("lantern", &["Kotlin", "MapLibre", "TestFlight", "amber", "지우", "微信", "오프라인"]),
    ("someone", &["fish", "Borealis"]),
];

impl Week {
    /// Every hook ended well, and printed what its agent understands or nothing.
    pub(super) fn faults_of_hooks(&self) -> Vec<String> {
        self.machine.runs.iter().filter_map(|run| run.fault()).collect()
    }

    /// Nothing of one place is given or recalled in another.
    pub(super) fn leaks(&self, answered: &[Answered]) -> Vec<String> {
        let given = self.given.iter().map(|given| (&given.place, given.text.as_str()));
        let recalled =
            answered.iter().flat_map(|one| one.hits.iter().map(|hit| (&one.question.place, hit.as_str())));
        let texts: Vec<(&String, &str)> = given.chain(recalled).collect();
        let mut leaks = Vec::new();
        for (place, words) in OWN_WORDS {
            for word in words {
                let elsewhere = texts.iter().filter(|(own, text)| *own != place && text.contains(word));
                leaks.extend(elsewhere.map(|(own, text)| format!("{word} of {place} in {own}: {text}")));
                assert!(
                    self.said.iter().any(|said| said.place == place && said.text.contains(word)),
                    "{word}"
                );
            }
        }
        leaks
    }

    /// The secret is nowhere: not in what agents were given, and not in any file.
    pub(super) fn secrets_seen(&self) -> Vec<String> {
        let secret = clutter::secret();
        assert!(self.said.iter().any(|said| said.text.contains(&secret)), "somebody says it");
        let given = self.given.iter().filter(|given| given.text.contains(&secret));
        let given = given.map(|given| format!("given to {}", given.session));
        given.chain(self.secret_seen.iter().cloned()).chain(self.secret_in_files()).collect()
    }

    /// The files of the data folder that the secret is in. Files that go away meanwhile are none.
    pub(super) fn secret_in_files(&self) -> Vec<String> {
        let secret = clutter::secret();
        let is_in = |bytes: Vec<u8>| bytes.windows(secret.len()).any(|window| window == secret.as_bytes());
        let files = self.machine.files().into_iter().filter(|path| std::fs::read(path).is_ok_and(is_in));
        files.map(|path| format!("in {}", path.display())).collect()
    }

    /// The places where something was said.
    pub(super) fn visited(&self) -> impl Iterator<Item = &String> {
        self.places.keys().filter(|place| self.said.iter().any(|said| said.place == **place))
    }

    /// What an agent was given twice in one context, and what was handed over to two sessions.
    pub(super) fn given_twice(&self) -> Vec<String> {
        let mut in_contexts: BTreeMap<(&str, usize, &str), usize> = BTreeMap::new();
        let mut handed_over: BTreeMap<(&str, &str), Vec<&str>> = BTreeMap::new();
        for given in self.given.iter().filter(|given| given.is_noted) {
            let mut part = "";
            for line in given.text.lines() {
                if line.starts_with('<') {
                    part = line;
                } else if line.starts_with("- ") {
                    let own = note_in(line);
                    *in_contexts.entry((&given.session, given.window, own)).or_default() += 1;
                    if part == "<earlier-session>" {
                        handed_over.entry((&given.place, own)).or_default().push(&given.session);
                    }
                }
            }
        }
        let twice = in_contexts.iter().filter(|(_, count)| **count > 1);
        let twice = twice.map(|((session, window, note), count)| {
            format!("{count} times to {session} in its context {window}: {note}")
        });
        let both = handed_over.iter().filter(|(_, sessions)| sessions.len() > 1);
        let both = both.map(|((_, note), sessions)| format!("handed over to {sessions:?}: {note}"));
        twice.chain(both).collect()
    }

    /// What the journal lacks although a hook acknowledged it, and what it has more than once or without reason.
    pub(super) fn faults_of_journal(&self) -> Vec<String> {
        let mut faults = Vec::new();
        for place in self.visited() {
            let mut kept = self.journal(place);
            for ((session, actor, text), said) in self.said_in(place) {
                let count = kept.remove(&(session.clone(), actor.to_owned(), text.clone())).unwrap_or(0);
                let least = said.iter().filter(|said| said.is_acknowledged).count();
                if count < least || count > said.len() {
                    let short: String = text.chars().take(80).collect();
                    let most = said.len();
                    faults.push(format!("{count} times, not {least} to {most}: {session} {actor}: {short}"));
                }
            }
            faults.extend(kept.keys().map(|entry| format!("nobody said {entry:?}")));
        }
        faults
    }

    /// What was said in a place, as it must be kept.
    fn said_in(&self, place: &str) -> BTreeMap<(String, &'static str, String), Vec<&Said>> {
        let mut all: BTreeMap<_, Vec<&Said>> = BTreeMap::new();
        for said in self.said.iter().filter(|said| said.place == place) {
            let text = peri_text::redact(&said.text).text.trim().to_owned();
            all.entry((said.session.clone(), said.actor, text)).or_default().push(said);
        }
        all
    }

    /// How often everything is in the journal of a place.
    fn journal(&self, place: &str) -> BTreeMap<(String, String, String), usize> {
        let namespace = self.namespace(place);
        let mut kept = BTreeMap::new();
        let mut after: Option<String> = None;
        loop {
            let mut args = vec!["-n", &namespace, "journal", "list", "--limit", "500"];
            args.extend(after.as_deref().into_iter().flat_map(|after| ["--after", after]));
            let page = self.machine.json(&args);
            for entry in page["entries"].as_array().unwrap() {
                let text = |name: &str| entry[name].as_str().unwrap_or_default().to_owned();
                *kept.entry((text("session"), text("actor"), text("text"))).or_default() += 1;
            }
            after = page["next"].as_str().map(str::to_owned);
            if after.is_none() {
                return kept;
            }
        }
    }
}

/// What a line of a context says, without how important it is, whether it is done, and when it was.
fn note_in(line: &str) -> &str {
    let line = line.trim_start_matches("- ").trim_start_matches("[x] ");
    undated(line.trim_start_matches(['🔴', '🟡', '🟢', ' ']).trim_start_matches("Done: "))
}

/// A line of a context without the day that stands at the end of memories.
pub(super) fn undated(line: &str) -> &str {
    match line.rsplit_once(" (") {
        Some((note, day)) if day.len() == "2026-11-02)".len() && day.starts_with("20") => note,
        _ => line,
    }
}
