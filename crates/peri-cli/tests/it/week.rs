//! A week of coding sessions through the real hooks: an agent that is compacted, restarted or replaced goes on as if it
//! had been there all along.
//!
//! The agents are played, their hooks are not: each is a process as the agent runs it, and many are killed. The story is
//! in `week/story.txt`, and what is asked about it in `week/questions.txt`.

mod answers;
mod chance;
mod checks;
mod clutter;
mod deeds;
mod edges;
mod machine;
mod record;
mod simulation;
mod story;
mod tally;

use self::machine::Kills;
use self::simulation::{Found, Week};

/// What is killed, and when, follows from this.
const SEED: u64 = 20_261_116;

#[test]
fn an_agent_that_was_not_there_goes_on_as_if_it_had_been() {
    let mut week = Week::new(SEED, Kills::Many);
    week.live(&story::sessions(include_str!("week/story.txt")));
    let answered = week.ask_all(&story::questions(include_str!("week/questions.txt")));
    tell(&week.told(&answered));

    let expected = answered.iter().filter(|one| one.question.weakness.is_none());
    let wrong = expected.filter_map(|one| Some(format!("{}: {}", one.question.text, one.fault.as_ref()?)));
    let unanswered = week.asked.iter().filter(|(_, found)| *found == Found::No);
    let unanswered = unanswered.map(|(question, _)| format!("{}: not given", question.text));
    check(&[
        ("questions", wrong.chain(unanswered).collect()),
        ("leaks between projects", week.leaks(&answered)),
        ("secrets seen", week.secrets_seen()),
        ("given twice", week.given_twice()),
        ("journal", week.faults_of_journal()),
        ("hooks", week.faults_of_hooks()),
    ]);
}

/// Fails with everything that is wrong at once.
#[track_caller]
fn check(findings: &[(&str, Vec<String>)]) {
    let told: Vec<String> = findings
        .iter()
        .flat_map(|(what, faults)| faults.iter().map(move |fault| format!("{what}: {fault}")))
        .collect();
    assert!(told.is_empty(), "\n{}", told.join("\n"));
}

#[expect(clippy::print_stdout, reason = "the numbers are for whoever runs this by hand")]
fn tell(text: &str) {
    println!("{text}");
}
