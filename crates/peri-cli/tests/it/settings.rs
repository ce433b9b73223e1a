//! Each setting of orbits, links, consolidation and events changes something that a person can see.

use super::configuration::check;
use super::support::{Peri, text};

/// Where a new memory of little importance begins.
fn first_zone(peri: &Peri) -> String {
    let id = peri.remember(&["the kiln is in the shed", "--importance", "0.1"]);
    peri.zone(&id)
}

/// Where a memory is after so many days in which nobody used it.
fn zone_after(peri: &Peri, days: i64) -> String {
    let id = peri.remember(&["the kiln is in the shed", "--importance", "0.5"]);
    peri.age(days);
    peri.ok(&["reorbit"]);
    let memory = peri.json(&["get", &id])["memory"].clone();
    if memory.get("trashed_at").is_some() { "trash".to_owned() } else { text(&memory["zone"]) }
}

/// The zones of two memories after a reorbit, the first stored first.
fn zones_of_two(peri: &Peri, settings: &str) -> String {
    peri.configure(settings);
    let ids = ["the kiln is in the shed", "Ana prefers tea"]
        .map(|text| peri.remember(&[text, "--importance", "1"]));
    peri.age(1);
    peri.ok(&["reorbit"]);
    ids.map(|id| peri.zone(&id)).join(" ")
}

#[test]
fn each_weight_says_how_much_its_term_counts() {
    check(("orbit.weights.recall", "1"), first_zone, "inner", "outer");
    check(("orbit.weights.freshness", "0"), first_zone, "inner", "cloud");
    check(("orbit.weights.importance", "1"), first_zone, "inner", "outer");
    let context = |peri: &Peri| peri.json(&["weights"])["sets"][0]["context"].to_string();
    check(("orbit.weights.context", "0.5"), context, "0.15", "0.5");
}

#[test]
fn saturation_says_how_many_recalls_count_in_full() {
    let act = |peri: &Peri| {
        let id = peri.remember(&["the kiln is in the shed", "--importance", "0.5"]);
        peri.recall(&["kiln"]);
        peri.age(1);
        peri.ok(&["reorbit"]);
        peri.zone(&id)
    };
    check(("orbit.saturation", "1"), act, "inner", "core");
}

#[test]
fn half_life_says_how_fast_freshness_fades() {
    check(("orbit.half_life_days", "1"), |peri| zone_after(peri, 14), "inner", "belt");
}

#[test]
fn the_least_scores_say_which_zone_a_score_leads_to() {
    let plain = |peri: &Peri| zone_after(peri, 0);
    check(("orbit.core_min", "0.4"), plain, "inner", "core");
    check(("orbit.inner_min", "0.6"), plain, "inner", "outer");
    let further = |peri: &Peri| {
        peri.configure("[orbit]\ncore_min = 0.9\ninner_min = 0.65\n");
        zone_after(peri, 0)
    };
    check(("orbit.outer_min", "0.6"), further, "outer", "belt");
    let furthest = |peri: &Peri| {
        peri.configure("[orbit]\ncore_min = 0.9\ninner_min = 0.65\nouter_min = 0.63\n");
        zone_after(peri, 0)
    };
    check(("orbit.belt_min", "0.6"), furthest, "belt", "cloud");
}

#[test]
fn the_capacities_say_how_many_fit_into_a_zone() {
    let core = |peri: &Peri| zones_of_two(peri, "[orbit]\ncore_min = 0.5\n");
    check(("orbit.core_capacity", "1"), core, "core core", "inner");
    let inner = |peri: &Peri| zones_of_two(peri, "");
    check(("orbit.inner_capacity", "1"), inner, "inner inner", "outer");
    let outer = |peri: &Peri| zones_of_two(peri, "[orbit]\ncore_min = 0.95\ninner_min = 0.9\n");
    check(("orbit.outer_capacity", "1"), outer, "outer outer", "belt");
}

#[test]
fn the_step_says_at_which_times_zones_change() {
    for (seconds, peri) in
        [(300, Peri::new()), (86_399, Peri::new().with("PERI_ORBIT_STEP_SECONDS", "86399"))]
    {
        let step: jiff::Timestamp = text(&peri.json(&["reorbit"])["step"]).parse().unwrap();
        assert_eq!(step.as_second() % seconds, 0);
    }
}

#[test]
fn decay_says_whether_and_when_idle_memories_fall_and_are_forgotten() {
    check(("decay.enabled", "false"), |peri| zone_after(peri, 40), "cloud", "belt");
    check(("decay.demote_days", "60"), |peri| zone_after(peri, 40), "cloud", "belt");
    check(("decay.forget_days", "300"), |peri| zone_after(peri, 200), "trash", "cloud");
    check(("decay.protected", "belt"), |peri| zone_after(peri, 40), "cloud", "belt");
    let run = Peri::new().with("PERI_DECAY_PROTECTED", "moon").run(&["health", "-q"]);
    assert_eq!(run.out, "unhealthy\n", "{run:?}");
    let run = Peri::new().with("PERI_DECAY_PROTECTED", "moon").run(&["stats"]);
    assert!(run.err.contains("decay.protected") && run.err.contains("inner"), "{run:?}");
}

/// How many edges there are after three memories about the same thing.
fn edges(peri: &Peri) -> String {
    for text in ["Ana likes green tea", "Ana drinks green tea at noon", "Ana buys green tea on Fridays"] {
        peri.remember(&[text]);
    }
    format!("{} edges", peri.json(&["health"])["edges"])
}

#[test]
fn the_graph_settings_say_what_is_linked() {
    check(("graph.auto_link", "false"), edges, "3 edges", "0 edges");
    check(("graph.link_cosine_min", "1"), edges, "3 edges", "0 edges");
    check(("graph.links_per_memory", "1"), edges, "3 edges", "2 edges");
    let by_hand = |peri: &Peri| {
        let ids = ["the kiln is in the shed", "Ana prefers tea", "Bruno plays chess"]
            .map(|text| peri.remember(&[text]));
        peri.ok(&["graph", "link", &ids[0], &ids[1]]);
        peri.ok(&["graph", "link", &ids[0], &ids[2], "--weight", "0.5"])
    };
    check(("graph.edges_max", "1"), by_hand, "linked ", "not linked");
}

#[test]
fn consolidation_says_what_becomes_of_repeated_and_replaced_statements() {
    let merge = |peri: &Peri| {
        peri.remember(&["Ana's favourite colour is blue"]);
        peri.ok(&["remember", "The favourite colour of Ana is blue"])
    };
    check(("consolidation.merge", "false"), merge, "merged into ", "stored ");
    check(("consolidation.merge_cosine_min", "1"), merge, "merged into ", "stored ");
    let supersede = |peri: &Peri| {
        peri.remember(&["The staging server is called Ganymede"]);
        peri.remember(&["The staging server is called Callisto"]);
        format!("{} found", peri.recall(&["staging server"]).len())
    };
    check(("consolidation.supersede", "false"), supersede, "1 found", "2 found");
}

#[test]
fn importance_evaluate_says_whether_words_are_judged() {
    let act = |peri: &Peri| {
        let id = peri.remember(&["Important: the deadline is tomorrow at 9, never forget it"]);
        format!("{} is", peri.json(&["get", &id])["memory"]["importance"])
    };
    check(("importance.evaluate", "false"), act, "is", "0.5 is");
}

#[test]
fn the_event_settings_say_what_is_logged() {
    let act = |peri: &Peri| {
        peri.remember(&["Ana prefers tea"]);
        peri.recall(&["tea"]);
        let run = peri.run(&["logs"]);
        run.out + &run.err
    };
    check(("events.log", "false"), act, "stored", "events.log is false");
    let plain = act(&Peri::new().with("PERI_EVENTS_RECALLS", "false"));
    assert!(plain.contains("stored") && !plain.contains("recalled"), "{plain}");
    assert!(act(&Peri::new()).contains("recalled"));
}

/// The files of the log once it holds more than two megabytes, and has begun anew twice.
fn log_files(peri: &Peri) -> String {
    let logs = peri.home().join("logs");
    peri.remember(&["the first memory"]);
    for number in 0..2 {
        // Torn lines take room like others do, and are passed over.
        let mut held = std::fs::read(logs.join("events.jsonl")).unwrap();
        held.splice(0..0, format!("{}\n", "x".repeat(3 << 20)).into_bytes());
        std::fs::write(logs.join("events.jsonl"), held).unwrap();
        peri.remember(&[&format!("memory {number}")]);
    }
    let names =
        std::fs::read_dir(&logs).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    format!("{} files", names.filter(|name| name.ends_with(".jsonl")).count())
}

#[test]
fn the_log_begins_anew_when_it_is_large_and_keeps_so_many_files() {
    check(("events.log_mb_max", "1"), log_files, "1 files", "3 files");
    let few = |peri: &Peri| {
        peri.configure("[events]\nlog_mb_max = 1\n");
        log_files(peri)
    };
    check(("events.log_files", "1"), few, "3 files", "2 files");
}

#[test]
fn recall_goes_without_the_graph_when_told_so() {
    let act = |peri: &Peri| {
        let one = peri.remember(&["Ana keeps bees behind the orchard"]);
        let two = peri.remember(&["the honey is sold on Saturdays"]);
        peri.ok(&["graph", "link", &one, &two]);
        let found = peri.json(&["recall", "who keeps bees", "--without", "floor"]);
        found["hits"].to_string() + " end"
    };
    assert!(act(&Peri::new()).contains("\"graph\""));
    assert!(!act(&Peri::new().with("PERI_RECALL_WITHOUT", "graph")).contains("\"graph\""));
}
