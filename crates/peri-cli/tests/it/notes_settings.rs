//! Each setting of notes and of contexts changes something that a person can see.

use super::configuration::check;
use super::support::Peri;

fn hear(peri: &Peri, said: &str) -> String {
    let run = peri.run(&["hear", "--session", "s", "--user", said]);
    format!("{} {} {}", run.code, run.out, run.err)
}

#[test]
fn the_place_says_where_notes_are_kept() {
    let act = |peri: &Peri| {
        peri.ok(&["hear", "--session", "s", "--user", "Never deploy on Fridays.", "--now"]);
        let kept = peri.ok(&["session", "notes", "s"]).contains("Fridays");
        format!("kept {kept}, files {}", peri.home().join("notes").exists())
    };
    check(("notes.place", "store"), act, "kept true, files true", "kept true, files false");
}

#[test]
fn turns_say_what_becomes_of_messages() {
    let replayed = |peri: &Peri| {
        hear(peri, "The build is green.");
        let found = peri.json(&["session", "replay", "s"]);
        format!("{} messages", found["messages"].as_array().unwrap().len())
    };
    check(("notes.turns", "off"), replayed, "1 messages", "0 messages");
    let recalled = |peri: &Peri| {
        hear(peri, "The build is green.");
        format!("{:?}", peri.recall(&["green build"]))
    };
    check(("notes.turns", "episodes"), recalled, "[]", "The build is green.");
}

#[test]
fn recallable_says_whether_notes_are_memories() {
    let act = |peri: &Peri| {
        peri.ok(&["hear", "--session", "s", "--user", "Never deploy on Fridays.", "--now"]);
        format!("{:?}", peri.recall(&["deploy on Fridays"]))
    };
    check(("notes.recallable", "false"), act, "Fridays", "[]");
}

#[test]
fn observe_tokens_say_when_messages_are_observed() {
    let act = |peri: &Peri| hear(peri, "Never deploy on Fridays.");
    check(("notes.observe_tokens", "1"), act, "tokens wait", "observed 1 message");
}

#[test]
fn the_tokens_of_a_context_are_those_of_its_moment() {
    let at = |moment: &'static str| {
        move |peri: &Peri| peri.json(&["context", "--moment", moment])["tokens_max"].to_string()
    };
    check(("notes.context.start_tokens", "77"), at("start"), "2000", "77");
    check(("notes.context.prompt_tokens", "88"), at("prompt"), "1200", "88");
}

#[test]
fn a_context_has_as_many_memories_as_the_settings_say() {
    let act = |peri: &Peri| {
        for text in ["Ana drinks green tea at noon", "The tea house in Busan is closed on Mondays"] {
            peri.remember(&[text]);
        }
        let found = peri.json(&["context", "tea"]);
        let given = found["parts"][0]["given"].as_array().map_or(0, Vec::len);
        format!("{given} given")
    };
    check(("notes.context.memories", "1"), act, "2 given", "1 given");
    check(("notes.context.score_min", "1"), act, "2 given", "0 given");
}
