//! Links between memories: drawn, walked, ranked, written for others, taken away.

use super::support::{Peri, text};

/// Three memories in a row, from Korean over Chinese to English.
fn row(peri: &Peri) -> [String; 3] {
    let ids = ["김민수는 부산으로 이사한다", "王芳喜欢在周末拍照", "the kiln is in the shed"]
        .map(|text| peri.remember(&[text]));
    peri.ok(&["graph", "link", &ids[0], &ids[1]]);
    peri.ok(&["graph", "link", &ids[1], &ids[2], "--type", "derived_from", "--weight", "0.5"]);
    ids
}

#[test]
fn neighbours_are_shown_by_their_words_as_far_as_asked_for() {
    let peri = Peri::new();
    let [one, two, three] = row(&peri);
    let told = peri.ok(&["graph", "neighbours", &one, "--depth", "2"]);
    let lines: Vec<&str> = told.lines().collect();
    assert!(lines[0].ends_with("  김민수는 부산으로 이사한다"), "{told}");
    assert!(
        lines[1].starts_with("  → related to 1.00 ") && lines[1].ends_with("  王芳喜欢在周末拍照"),
        "{told}"
    );
    assert!(
        lines[2].starts_with("    → derived from 0.50 ") && lines[2].ends_with("  the kiln is in the shed"),
        "{told}"
    );
    let found = |args: &[&str]| {
        let told = peri.json(&[&["graph", "neighbours"], args].concat());
        told["neighbours"].as_array().unwrap().iter().map(|one| text(&one["id"])).collect::<Vec<_>>()
    };
    assert_eq!(found(&[&one]), [two.as_str()]);
    assert_eq!(found(&[&one, "--depth", "2"]), [two.as_str(), &three]);
    assert_eq!(found(&[&one, "--direction", "in"]), [""; 0]);
    assert_eq!(found(&[&three, "--direction", "in"]), [two.as_str()]);
    assert_eq!(found(&[&two, "--type", "derived_from"]), [three.as_str()]);
    assert_eq!(found(&[&one, "--depth", "9", "--limit", "1"]), [two.as_str()]);
}

#[test]
fn what_is_shown_of_an_id_can_be_typed_back() {
    let peri = Peri::new();
    let lines: String = (0..40).map(|number| format!("a note about kiln {number}\n")).collect();
    peri.run_with(&["remember", "--lines"], lines.as_bytes());
    let listed = peri.json(&["list", "--limit", "2"]);
    let [one, two] = [0, 1].map(|at| text(&listed["memories"][at]["id"]));
    let told = peri.ok(&["graph", "link", &one, &two]);
    let short = told.lines().next().unwrap().split_whitespace().nth(1).unwrap();
    assert!(short.len() < one.len() && one.starts_with(short), "{told}");
    assert_eq!(text(&peri.json(&["get", short])["memory"]["id"]), one);
}

#[test]
fn a_path_tells_the_memories_and_the_edges_between_them() {
    let peri = Peri::new();
    let [one, two, three] = row(&peri);
    let told = peri.ok(&["graph", "path", &three, &one]);
    let lines: Vec<&str> = told.lines().collect();
    assert_eq!((lines.len(), lines[1], lines[3]), (5, "  ↑ derived from 0.50", "  ↑ related to 1.00"));
    let path = peri.json(&["graph", "path", &one, &three]);
    assert_eq!(path["path"]["nodes"], serde_json::json!([one, two, three]));
    peri.ok(&["graph", "unlink", &two, &three]);
    let none = peri.run(&["graph", "path", &one, &three]);
    assert!(none.code == 0 && none.err.contains("no edges lead from one to the other"), "{none:?}");
    assert_eq!(peri.json(&["graph", "path", &one, &three])["path"], serde_json::Value::Null);
}

#[test]
fn memories_of_two_namespaces_are_never_linked() {
    let peri = Peri::new();
    let one = peri.remember(&["the kiln is in the shed"]);
    let other = peri.remember(&["Ana prefers tea", "-n", "elsewhere"]);
    for verb in ["link", "unlink", "path"] {
        let run = peri.run(&["graph", verb, &one, &other]);
        assert_eq!(run.code, 2, "{run:?}");
        assert!(run.err.contains("one is in default, the other in elsewhere"), "{run:?}");
    }
}

#[test]
fn unlinking_takes_one_type_or_all_and_has_a_direction() {
    let peri = Peri::new();
    let [one, two, _] = row(&peri);
    peri.ok(&["graph", "link", &one, &two, "--type", "sequence"]);
    let wrong = peri.run(&["graph", "unlink", &two, &one]);
    assert!(wrong.out == "0 edges taken away\n" && wrong.err.contains("a direction"), "{wrong:?}");
    assert_eq!(peri.ok(&["graph", "unlink", &one, &two, "--type", "sequence"]), "1 edge taken away\n");
    assert_eq!(peri.ok(&["graph", "unlink", &one, &two]), "1 edge taken away\n");
}

#[test]
fn rank_and_communities_are_told_the_first_first() {
    let peri = Peri::new();
    let [one, two, three] = row(&peri);
    let ranks = peri.json(&["graph", "rank"]);
    assert_eq!(text(&ranks["ranks"][0]["id"]), three);
    assert_eq!(peri.ok(&["graph", "rank", "--limit", "1"]).lines().count(), 1);
    assert_eq!(peri.ok(&["graph", "pagerank"]), peri.ok(&["graph", "rank"]));
    let groups = peri.json(&["graph", "communities"]);
    assert_eq!(groups["groups"], serde_json::json!([[one, two, three]]));
    let told = peri.ok(&["graph", "communities"]);
    assert!(told.starts_with("1. 3 memories\n  "), "{told}");
    let empty = peri.run(&["graph", "rank", "-n", "elsewhere"]);
    assert!(empty.out.is_empty() && empty.err.contains("no memories of elsewhere are linked"), "{empty:?}");
}

#[test]
fn every_format_holds_every_word_and_a_file_is_whole_or_not_there() {
    let peri = Peri::new();
    row(&peri);
    let folder = peri.home().parent().unwrap().to_owned();
    for (format, begins) in [("dot", "digraph"), ("graphml", "<?xml"), ("json", "{\"nodes\"")] {
        let printed = peri.ok(&["graph", "export", "--format", format]);
        assert!(printed.starts_with(begins), "{printed}");
        for word in ["김민수는", "王芳喜欢", "kiln", "derived_from"] {
            assert!(printed.contains(word), "{format} {word}: {printed}");
        }
        let file = folder.join(format!("graph.{format}"));
        let name = file.to_str().unwrap();
        peri.ok(&["graph", "export", "--format", format, "-o", name]);
        assert_eq!(std::fs::read_to_string(&file).unwrap(), printed);
        assert_eq!(peri.run(&["graph", "export", "--format", format, "-o", name]).code, 2);
        peri.ok(&["graph", "export", "--format", format, "-o", name, "--force"]);
    }
    let left = std::fs::read_dir(&folder)
        .unwrap()
        .filter(|entry| entry.as_ref().unwrap().file_name().to_string_lossy().ends_with(".part"));
    assert_eq!(left.count(), 0);
}
