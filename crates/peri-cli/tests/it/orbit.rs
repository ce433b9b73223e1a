//! Zones as people see them: where memories begin, how they move, and that doing it twice changes nothing.

use super::support::{Peri, text};

/// A folder whose zones change once a day, so that two commands in a row are of the same step.
fn daily() -> Peri {
    Peri::new().with("PERI_ORBIT_STEP_SECONDS", "86400")
}

#[test]
fn reorbiting_says_what_it_did_and_again_finds_nothing_to_do() {
    let peri = daily();
    let idle = peri.remember(&["the kiln is in the shed"]);
    let pinned = peri.remember(&["the kiln key hangs by the door", "--pin", "--importance", "1"]);
    peri.age(40);
    let done = peri.ok(&["reorbit"]);
    assert!(done.starts_with("2 memories looked at, ") && done.contains(", 0 forgotten, as of 20"), "{done}");
    assert_eq!(peri.zone(&idle), "cloud");
    assert_ne!(peri.zone(&pinned), "cloud");
    let zones = |peri: &Peri| peri.ok(&["list"]);
    let before = zones(&peri);
    let again = peri.json(&["reorbit"]);
    assert_eq!((&again["moved"], &again["forgotten"], &again["memories"]), (&0.into(), &0.into(), &0.into()));
    assert!(peri.ok(&["reorbit"]).starts_with("nothing to do: the zones are those of "));
    assert_eq!(zones(&peri), before);
}

#[test]
fn what_nobody_uses_goes_to_the_trash_and_comes_back_from_it() {
    let peri = Peri::new();
    let idle = peri.remember(&["the kiln is in the shed"]);
    peri.age(200);
    let done = peri.run(&["reorbit"]);
    assert!(done.out.contains("1 forgotten") && done.err.contains("peri trash list"), "{done:?}");
    assert!(peri.recall(&["kiln"]).is_empty());
    peri.ok(&["trash", "restore", &idle]);
    assert_eq!(peri.recall(&["kiln"]), ["the kiln is in the shed"]);
}

#[test]
fn reorbiting_by_hand_and_by_the_chores_gives_the_same_zones() {
    let story = |verb: &str| {
        let peri = Peri::new();
        peri.run_with(
            &["remember", "--file", "-"],
            b"{\"content\":\"the kiln is hot\",\"importance\":0.9}\n{\"content\":\"Ana prefers tea\",\"importance\":0.1}\n",
        );
        peri.recall(&["kiln"]);
        peri.age(35);
        peri.ok(&[verb]);
        let listed = peri.json(&["list"]);
        [0, 1].map(|at| text(&listed["memories"][at]["zone"]))
    };
    assert_eq!(story("reorbit"), story("maintain"));
}

#[test]
fn only_the_namespaces_that_are_named_are_reorbited() {
    let peri = daily();
    for namespace in ["a", "b", "c"] {
        peri.remember(&["the kiln is in the shed", "-n", namespace]);
    }
    peri.age(40);
    let done = peri.json(&["reorbit", "-n", "a", "-n", "b"]);
    assert_eq!(done["namespaces"], serde_json::json!(["a", "b"]));
    assert_eq!(done["memories"], 2);
}

#[test]
fn a_list_shows_only_the_zones_that_are_asked_for() {
    let peri = Peri::new();
    let old = peri.remember(&["the kiln is in the shed"]);
    peri.age(40);
    peri.ok(&["reorbit"]);
    let new = peri.remember(&["Ana prefers tea"]);
    let listed = |zones: &[&str]| {
        let zones: Vec<&str> = zones.iter().flat_map(|zone| ["--zone", zone]).collect();
        let page = peri.json(&[&["list"], &zones[..]].concat());
        page["memories"].as_array().unwrap().iter().map(|memory| text(&memory["id"])).collect::<Vec<_>>()
    };
    assert_eq!(listed(&["cloud"]), [old.as_str()]);
    assert_eq!(listed(&["core", "inner"]), [new.as_str()]);
    assert_eq!(listed(&["inner", "cloud"]), [new.as_str(), old.as_str()]);
    assert_eq!(listed(&["belt"]), [""; 0]);
}

#[test]
fn zones_and_edges_are_told_by_get_recall_and_stats() {
    let peri = Peri::new();
    let id = peri.remember(&["Ana prefers green tea"]);
    let other = peri.remember(&["the kiln is in the shed"]);
    peri.ok(&["graph", "link", &id, &other]);
    assert!(peri.ok(&["get", &id]).contains("\nzone           inner\n"));
    assert!(peri.ok(&["recall", "tea"]).lines().next().unwrap().ends_with("  inner"));
    let stats = peri.ok(&["stats"]);
    assert!(
        stats.contains("\nzones          inner 2\n") && stats.ends_with("\nedges          1\n"),
        "{stats}"
    );
}
