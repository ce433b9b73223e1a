//! Many memories at once: good lines are kept, bad ones are told by number, and again changes nothing.

use super::support::{Peri, text};

#[test]
fn lines_and_json_lines_are_told_apart() {
    let peri = Peri::new();
    let lines = peri.file("notes.txt", "first note\r\n\n  \nsecond note\n{not json, just a note}");
    assert_eq!(peri.ok(&["remember", "--file", &lines]), "3 stored, 0 merged, 0 refused\n");
    assert_eq!(peri.ok(&["remember", "--file", &lines]), "0 stored, 3 merged, 0 refused\n");
    let piped =
        peri.run_with(&["remember", "--file", "-"], b"\n{\"text\":\"third\"}\n{\"content\":\"fourth\"}");
    assert_eq!(piped.out, "2 stored, 0 merged, 0 refused\n");
    let braces = peri.file("braces.txt", "{a}\n{b}\n");
    assert_eq!(
        peri.ok(&["remember", "--file", &braces, "--format", "lines"]),
        "2 stored, 0 merged, 0 refused\n"
    );
}

#[test]
fn a_bad_line_in_the_middle_costs_only_itself() {
    let peri = Peri::new();
    let mut bytes = Vec::new();
    for number in 0..1200 {
        match number {
            3 => bytes.extend_from_slice(b"{\"content\":\"x\",\"speeker\":\"Ana\"}\n"),
            600 => bytes.extend_from_slice(b"{\"content\":\"caf\xe9\"}\n"),
            601 => bytes.extend_from_slice(b"{\"content\":\"\"}\n"),
            602 => bytes.extend_from_slice(b"{\"content\":\n"),
            number => bytes.extend_from_slice(format!("{{\"content\":\"note {number}\"}}\n").as_bytes()),
        }
    }
    let file = peri.file("notes.jsonl", bytes);
    let run = peri.run(&["remember", "--file", &file]);
    assert_eq!((run.code, run.out.as_str()), (8, "1,196 stored, 0 merged, 4 refused\n"));
    let told: Vec<&str> = run.err.lines().collect();
    for (line, says) in [
        (0, "refused: line 4: unknown key \"speeker\"; did you mean \"speaker\"?"),
        (1, "refused: line 601: it is not UTF-8 text: the byte at offset 15"),
        (2, "refused: line 602: the content is empty"),
        (3, "refused: line 603: it is not JSON"),
    ] {
        assert!(told[line].starts_with(says), "{}", run.err);
    }
    let again = peri.json_of(&["remember", "--file", &file], 8);
    assert_eq!((&again["merged"], &again["refused"][0]["line"]), (&1196.into(), &4.into()));
    assert_eq!(peri.held().0, 1196);
}

#[test]
fn many_refusals_are_counted() {
    let peri = Peri::new();
    let run =
        peri.run_with(&["remember", "--file", "-", "--format", "jsonl"], "nonsense\n".repeat(50).as_bytes());
    assert_eq!((run.code, run.err.lines().count()), (2, 21));
    assert!(run.err.ends_with("and 30 more lines\n"), "{}", run.err);
}

#[test]
fn a_line_says_everything_that_arguments_can_say_and_arguments_fill_the_gaps() {
    let peri = Peri::new();
    let line = r#"{"content":"the kiln is hot","kind":"observation","layer":"working","importance":0.2,"tags":["a"],
        "aliases":["oven"],"session":"s","speaker":"Ines","source":"x","occurred_at":"2026-01-02","expires_at":"2100-01-01",
        "pinned":true,"metadata":{"degrees":1240},"namespace":"team","id":"0198c5b2-7d3e-7a41-9c55-1f2e3d4c5b6a"}"#;
    let both =
        format!("{}\n{{\"text\":\"plain\",\"time\":\"2026-02-03T04:05:06Z\"}}\n", line.replace('\n', " "));
    let run =
        peri.run_with(&["remember", "--file", "-", "--tag", "import", "--source", "y"], both.as_bytes());
    assert_eq!(run.out, "2 stored, 0 merged, 0 refused\n", "{}", run.err);
    let listed = peri.json(&["list", "-n", "*", "--oldest-first"]);
    let (full, plain) = (&listed["memories"][0], &listed["memories"][1]);
    assert_eq!(
        (&full["metadata"]["degrees"], &full["source"], &full["layer"]),
        (&1240.into(), &"x".into(), &"working".into())
    );
    assert_eq!(full["tags"], serde_json::json!(["import", "a"]));
    assert_eq!(
        (text(&plain["source"]), text(&plain["occurred_at"])),
        ("y".to_owned(), "2026-02-03T04:05:06Z".to_owned())
    );
}

#[test]
fn turns_of_a_conversation_are_episodes_unless_told_otherwise() {
    let peri = Peri::new();
    peri.run_with(
        &["remember", "--file", "-", "--session", "monday"],
        b"{\"text\":\"hello there\",\"speaker\":\"Ana\"}\n{\"text\":\"hello you\",\"speaker\":\"Ana\",\"kind\":\"fact\"}\n",
    );
    let listed = peri.json(&["list", "--oldest-first"]);
    let parts = |at: usize| (text(&listed["memories"][at]["kind"]), text(&listed["memories"][at]["layer"]));
    assert_eq!(parts(0), ("episode".to_owned(), "episodic".to_owned()));
    assert_eq!(parts(1), ("fact".to_owned(), "episodic".to_owned()));
}

impl Peri {
    fn json_of(&self, args: &[&str], code: i32) -> serde_json::Value {
        let run = self.run(&[args, &["--json"]].concat());
        assert_eq!(run.code, code, "{run:?}");
        serde_json::from_str(&run.out).unwrap()
    }
}
