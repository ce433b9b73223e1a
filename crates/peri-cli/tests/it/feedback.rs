//! Feedback on results, and the weights it may move.

use super::configuration::check;
use super::support::{Peri, text};

#[test]
fn feedback_is_kept_for_the_results_that_were_named() {
    let peri = Peri::new();
    let one = peri.remember(&["Ana prefers green tea"]);
    let two = peri.remember(&["the kiln is in the shed"]);
    let told =
        peri.ok(&["feedback", "--query", "녹차 tea", "--used", &one, "--not-used", &two, "--session", "s"]);
    assert!(told.starts_with("kept for 2 results in default\n"), "{told}");
    let logged = peri.ok(&["logs", "--event", "feedback_given"]);
    assert!(logged.contains(&format!("of use: {}; not: {}", &one[..13], &two[..13])), "{logged}");
}

#[test]
fn what_was_of_use_counts_as_used() {
    let peri = Peri::new();
    let [one, two] = ["Ana prefers green tea", "the kiln is in the shed"].map(|text| peri.remember(&[text]));
    peri.ok(&["feedback", "--query", "tea", "--used", &one, "--not-used", &two]);
    assert_eq!(peri.json(&["get", &one])["usage"]["recalls"], 1);
    assert_eq!(peri.json(&["get", &two])["usage"], serde_json::Value::Null);
}

#[test]
fn several_ids_may_follow_one_option() {
    let peri = Peri::new();
    let ids = ["Ana prefers green tea", "the kiln is in the shed"].map(|text| peri.remember(&[text]));
    assert_eq!(peri.json(&["feedback", "--query", "x", "--used", &ids[0], &ids[1]])["judged"], 2);
    assert_eq!(
        peri.json(&["feedback", "--query", "x", "--not-used", &ids[0], "--not-used", &ids[1]])["judged"],
        2
    );
}

#[test]
fn results_of_two_namespaces_are_not_judged_together() {
    let peri = Peri::new();
    let one = peri.remember(&["Ana prefers tea"]);
    let other = peri.remember(&["the kiln is hot", "-n", "elsewhere"]);
    let run = peri.run(&["feedback", "--query", "x", "--used", &one, "--not-used", &other]);
    assert_eq!(run.code, 2);
    assert!(run.err.contains("of two namespaces, default and elsewhere"), "{run:?}");
}

#[test]
fn weights_are_told_with_which_set_holds_and_rolling_back_takes_an_earlier_one() {
    let peri = Peri::new();
    peri.remember(&["Ana prefers tea"]);
    let told = peri.ok(&["weights"]);
    assert_eq!(
        told,
        "  0  recall 0.300  freshness 0.300  importance 0.250  context 0.150  holds now: configured\n"
    );
    let rolled = peri.ok(&["weights", "rollback", "0"]);
    assert!(rolled.starts_with("nothing changed: set 0 holds in default already\n"), "{rolled}");
    let peri = peri.with("PERI_FEEDBACK_TUNE", "true");
    assert_eq!(judge_fifty(&peri), "set 1 holds");
    for _ in 0..2 {
        peri.ok(&["weights", "rollback", "0"]);
        let sets = peri.json(&["weights"]);
        assert_eq!((&sets["holds"], sets["sets"].as_array().map(Vec::len)), (&2.into(), Some(3)));
        assert!(text(&sets["sets"][2]["reason"]).contains("rolled back"), "{sets}");
    }
}

/// Fifty questions to which something old and important was the answer, and something new and trifling was not.
fn judge_fifty(peri: &Peri) -> String {
    let lines: String =
        (0..50).map(|number| format!("{{\"content\":\"note {number}\",\"importance\":1}}\n")).collect();
    let stored = peri.run_with(&["remember", "--file", "-", "--json"], lines.as_bytes());
    let stored: serde_json::Value = serde_json::from_str(&stored.out).unwrap();
    peri.age(60);
    let trifle = peri.remember(&["Ana prefers tea", "--importance", "0"]);
    for receipt in stored["receipts"].as_array().unwrap() {
        let id = text(&receipt["id"]);
        peri.ok(&["feedback", "--query", &format!("about {id}"), "--used", &id, "--not-used", &trifle]);
    }
    format!("set {} holds", peri.json(&["weights"])["holds"])
}

#[test]
fn feedback_tune_says_whether_feedback_moves_the_weights() {
    check(("feedback.tune", "true"), judge_fifty, "set 0 holds", "set 1 holds");
}

/// The largest change of a weight by fifty recalls, and how many sets there are.
fn moved(peri: &Peri) -> String {
    judge_fifty(peri);
    let sets = peri.json(&["weights"])["sets"].as_array().unwrap().clone();
    let importance: Vec<String> =
        sets.iter().map(|set| format!("{:.3}", set["importance"].as_f64().unwrap())).collect();
    format!("{} sets, {}", sets.len(), importance.join(" "))
}

#[test]
fn the_bounds_of_the_tuner_say_how_far_and_how_readily_weights_move() {
    let tuned = || Peri::new().with("PERI_FEEDBACK_TUNE", "true");
    assert_eq!(moved(&tuned()), "2 sets, 0.250 0.300");
    assert_eq!(moved(&tuned().with("PERI_FEEDBACK_STEP_MAX", "0.02")), "2 sets, 0.250 0.270");
    assert_eq!(
        moved(&tuned().with("PERI_FEEDBACK_WEIGHT_MAX", "0.28")),
        "1 sets, 0.250",
        "configured outside"
    );
    assert_eq!(
        moved(&tuned().with("PERI_FEEDBACK_WEIGHT_MIN", "0.2")),
        "1 sets, 0.250",
        "configured outside"
    );
    assert_eq!(moved(&tuned().with("PERI_FEEDBACK_FEEDBACKS_MIN", "60")), "1 sets, 0.250");
    for (key, value) in
        [("STEP_MAX", "0.6"), ("WEIGHT_MIN", "0.3"), ("WEIGHT_MAX", "0.2"), ("FEEDBACKS_MIN", "9")]
    {
        let run = tuned().with(&format!("PERI_FEEDBACK_{key}"), value).run(&["weights"]);
        assert_eq!(run.code, 2, "{run:?}");
        assert!(run.err.contains(&format!("feedback.{}", key.to_lowercase())), "{run:?}");
    }
}
