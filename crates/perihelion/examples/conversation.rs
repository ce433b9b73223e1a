//! A conversation: turns with a session, a speaker and a time, then questions with the reasons for each answer.
//!
//! Run it with `cargo run -p perihelion --example conversation`.
#![allow(clippy::print_stdout)]

use perihelion::{Filter, Options, Perihelion, Recall, Remember, Timestamp};

/// What was said: session, time, speaker, words.
const TURNS: [(&str, &str, &str, &str); 9] = [
    ("monday", "2025-03-03T09:00:00Z", "Ines", "Good morning! How was your weekend?"),
    ("monday", "2025-03-03T09:01:00Z", "Jonas", "I finally planted the apple trees behind the house."),
    ("monday", "2025-03-03T09:02:00Z", "Ines", "How many are there?"),
    ("monday", "2025-03-03T09:03:00Z", "Jonas", "Seven, and one of them already has buds."),
    ("friday", "2025-03-07T16:00:00Z", "Ines", "I booked the sleeper train to Vienna for my birthday."),
    ("friday", "2025-03-07T16:01:00Z", "Jonas", "Which concert are you going to?"),
    ("friday", "2025-03-07T16:02:00Z", "Ines", "Mahler's second, at the Musikverein, on the 12th of April."),
    ("friday", "2025-03-07T16:03:00Z", "Jonas", "Bring me some chocolate cake!"),
    ("friday", "2025-03-07T16:04:00Z", "Ines", "Only if you water my plants meanwhile."),
];

const QUESTIONS: [&str; 4] = [
    "What did Jonas plant?",
    "How many apple trees are there?",
    // The answer shares no word with this question; it is found through the turn before it.
    "Which concert will Ines hear in Vienna?",
    "What was said on 7 March 2025 about a train?",
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = tempfile::tempdir()?;
    let engine = Perihelion::open(Options::at(folder.path()))?;

    // Who said it, in which session and when: all of it helps to find a turn later. A batch is stored
    // together or not at all.
    let mut turns = Vec::new();
    for (session, at, speaker, content) in TURNS {
        turns.push(Remember::new(content).said(session, speaker).at(at.parse::<Timestamp>()?));
    }
    println!("remembered {} turns\n", engine.remember_all(turns)?.len());

    for question in QUESTIONS {
        println!("{question}");
        for hit in engine.recall(&Recall::new(question).limit(3))?.hits {
            let speaker = hit.memory.facets.speaker.as_deref().unwrap_or("somebody");
            println!("  {:.2}  {speaker}: {}", hit.score, hit.memory.content);
            // Every score comes with its reasons: what each stage brought, and the words that matched.
            let parts: Vec<_> = hit
                .explanation
                .parts
                .iter()
                .map(|part| format!("{} {:+.1}", part.stage, part.value))
                .collect();
            println!("        {} | words: {}", parts.join(", "), hit.explanation.matched.join(" "));
        }
        println!();
    }

    // A filter narrows a question down before anything is ranked.
    let filter =
        Filter { speaker: Some("Jonas".into()), session: Some("friday".into()), ..Filter::default() };
    let recalled =
        engine.recall(&Recall { filter, ..Recall::new("what does he want from Vienna, cake?") })?;
    println!("Jonas on Friday:");
    for hit in recalled.hits {
        println!("  {:.2}  {}", hit.score, hit.memory.content);
    }
    engine.close()?;
    Ok(())
}
