//! Recording tasks, the strategies that worked, and what was learned from both.

use serde_json::Value;

use super::support::{Peri, Run, nowhere, text};

/// Records a task that ended well.
fn record(peri: &Peri, task: &str, agent: &str) -> String {
    peri.ok(&["-q", "learn", "record", "--task", task, "--outcome", "success", "--agent", agent])
        .trim()
        .to_owned()
}

/// Keeps a strategy and gives its id.
pub fn strategy(peri: &Peri, words: &str) -> String {
    peri.ok(&["-q", "learn", "store", words]).trim().to_owned()
}

fn refused(run: &Run, code: i32, says: &str) {
    assert_eq!(run.code, code, "{run:?}");
    assert!(run.err.contains(says), "{run:?}");
}

#[test]
fn a_recorded_task_is_listed_and_shown_by_the_beginning_of_its_id() {
    let peri = Peri::new();
    let steps = ["--step", "cargo test login=>1 failed", "--step", "로그인을 고친다"];
    let about = [
        "learn",
        "record",
        "--task",
        "로그인 테스트를 고쳐 줘",
        "--outcome",
        "partial",
        "--session",
        "월요일",
    ];
    let receipt = peri.json(&[&about[..], &steps].concat())["receipts"][0].clone();
    assert_eq!((text(&receipt["outcome"]), text(&receipt["namespace"])), ("stored".into(), "default".into()));
    let id = text(&receipt["id"]);
    let shown = peri.json(&["learn", "show", &id[..13]])["trajectory"].clone();
    assert_eq!(shown["steps"][0]["output"], "1 failed");
    assert_eq!(shown["steps"][1]["input"], "로그인을 고친다");
    let listed = peri.ok(&["learn", "trajectories", "--outcome", "partial", "--session", "월요일"]);
    assert!(listed.contains(&id) && listed.contains("로그인 테스트를 고쳐 줘"), "{listed}");
    assert!(!peri.ok(&["learn", "trajectories", "--outcome", "failure"]).contains(&id));
    assert!(peri.ok(&["learn", "show", &id]).contains("1. cargo test login => 1 failed"));
}

#[test]
fn tasks_from_a_file_are_kept_and_bad_lines_are_listed() {
    let peri = Peri::new();
    let lines = "{\"task\": \"测试登录\", \"outcome\": \"success\", \"agent\": \"coder\"}\n\
                 not json\n\n\
                 {\"task\": \"deploy\"}\n\
                 {\"task\": \"deploy\", \"outcome\": \"failure\", \"namespace\": \"team/ops\"}\n\
                 {\"task\": \" \", \"outcome\": \"failure\"}\n";
    let file = peri.file("tasks.jsonl", lines);
    let run = peri.run(&["learn", "record", "--file", &file, "--agent", "tester", "--json"]);
    assert_eq!(run.code, 8, "{run:?}");
    let report: Value = serde_json::from_str(&run.out).unwrap();
    let numbers: Vec<u64> =
        report["refused"].as_array().unwrap().iter().map(|one| one["line"].as_u64().unwrap()).collect();
    assert_eq!((numbers, report["receipts"].as_array().unwrap().len()), (vec![2, 4, 6], 2));
    let all = peri.json(&["learn", "trajectories", "-n", "*"])["trajectories"].clone();
    let agents: Vec<String> = all.as_array().unwrap().iter().map(|one| text(&one["agent"])).collect();
    assert_eq!(agents, ["tester", "coder"], "a line goes before the argument");
    let piped = peri.run_with(&["learn", "record"], lines.as_bytes());
    refused(&piped, 8, "line 2: it is no JSON");
    let nothing = peri.run_with(&["learn", "record"], b"nonsense\n");
    refused(&nothing, 2, "line 1");
    refused(&peri.run_with(&["learn", "record"], b"\n"), 2, "holds no task");
}

#[test]
fn a_task_with_an_id_is_recorded_once() {
    let peri = Peri::new();
    let line = b"{\"task\": \"deploy\", \"outcome\": \"success\", \"id\": \"0198c5b2-7d3e-7a41-9c55-1f2e3d4c5b6a\"}\n";
    for expected in ["stored", "merged"] {
        let run = peri.run_with(&["learn", "record", "--json"], line);
        let report: Value = serde_json::from_str(&run.out).unwrap();
        assert_eq!(report["receipts"][0]["outcome"], expected);
    }
    assert_eq!(peri.json(&["learn", "stats"])["trajectories"], 1);
}

#[test]
fn wrong_arguments_are_told_and_change_nothing() {
    let peri = Peri::new();
    for (args, code, says) in [
        (&["learn", "record", "--task", "x"][..], 2, "--outcome"),
        (&["learn", "record", "--task", "x", "--outcome", "won"], 2, "success, partial, failure"),
        (&["learn", "record", "--task", " ", "--outcome", "success"], 2, ""),
        (&["learn", "record", "--task", "x", "--outcome", "success", "--step", "=>ok"], 2, "what was done"),
        (
            &["learn", "record", "--task", "x", "--outcome", "success", "--pattern", "0198c5b27d3e"],
            3,
            "no pattern",
        ),
        (
            &["learn", "record", "--task", "x", "--outcome", "success", "-n", "team/*"],
            2,
            "exactly one namespace",
        ),
        (&["learn", "record", "--file", nowhere().to_str().unwrap()], 2, "cannot be read"),
        (&["learn", "store", "x", "--quality", "1.5"], 2, "from 0 to 1"),
        (&["learn", "patterns", "--term", "ever"], 2, "short, long"),
        (&["learn", "show", "zzz"], 2, "not the id"),
        (&["learn", "show", "0198c5b27d3e"], 3, "peri learn trajectories"),
        (&["learn", "promote", "0198c5b2-7d3e-7a41-9c55-1f2e3d4c5b6a"], 3, "no pattern"),
        (&["learn", "sets", "magic"], 2, "router, adapter"),
        (&["learn", "rollback", "router", "5"], 3, "number 5"),
        (&["learn", "import", nowhere().to_str().unwrap()], 2, "cannot be read"),
        (&["learn", "export", nowhere().to_str().unwrap()], 2, "/nowhere"),
    ] {
        let run = peri.run(args);
        assert_eq!(run.code, code, "{args:?}: {run:?}");
        assert!(run.err.contains(says), "{args:?}: {run:?}");
    }
    let stats = peri.json(&["learn", "stats"]);
    assert_eq!((&stats["trajectories"], &stats["short_term"]), (&0.into(), &0.into()));
}

#[test]
fn a_strategy_is_found_offered_kept_put_aside_and_brought_back() {
    let peri = Peri::new();
    let id = strategy(&peri, "run the failing login test alone before anything else");
    let found = peri.json(&["learn", "patterns", "the login test fails"]);
    assert_eq!(text(&found["matches"][0]["pattern"]["id"]), id);
    let recalled = peri.ok(&["recall", "how to handle a failing login test"]);
    assert!(recalled.contains("worked before:") && recalled.contains("alone before anything"), "{recalled}");
    assert!(!peri.ok(&["-q", "recall", "how to handle a failing login test"]).contains("worked before"));
    assert_eq!(peri.json(&["learn", "promote", &id[..13]])["changed"], true);
    assert_eq!(peri.json(&["learn", "promote", &id])["changed"], false);
    assert!(peri.ok(&["learn", "patterns", "--term", "long"]).contains("kept for good"));
    assert!(peri.ok(&["learn", "retire", &id]).contains("put aside"));
    assert!(!peri.ok(&["recall", "how to handle a failing login test"]).contains("worked before"));
    assert!(peri.ok(&["learn", "patterns", "--retired"]).contains(&id));
    assert!(peri.ok(&["learn", "restore", &id]).contains("offered again"));
    assert!(peri.ok(&["learn", "patterns"]).contains(&id));
    let again = peri.json(&["learn", "store", "Run the failing login test alone, before anything else!"]);
    assert_eq!((text(&again["outcome"]), text(&again["pattern"]["id"])), ("merged".into(), id));
}

#[test]
fn patterns_are_drawn_from_tasks_and_judged_by_how_later_ones_end() {
    let peri = Peri::new();
    for number in 0..3 {
        let task = format!("deploy the billing service to staging, release {number}");
        let done = ["learn", "record", "--task", &task, "--outcome", "success", "--agent", "devops"];
        let steps = ["--step", "cargo test -p billing=>ok", "--step", "./deploy staging billing=>deployed"];
        peri.ok(&[&done[..], &steps].concat());
    }
    let drawn = peri.json(&["learn", "distil"])["namespaces"][0].clone();
    let id = text(&drawn["learned"][0]);
    assert_eq!(drawn["trajectories"], 3);
    assert_eq!(peri.json(&["learn", "distil"])["namespaces"], serde_json::json!([]));
    let follow =
        ["learn", "record", "--task", "deploy billing", "--outcome", "failure", "--pattern", &id[..18]];
    peri.ok(&follow);
    peri.ok(&["learn", "distil"]);
    let pattern = peri.json(&["learn", "show", &id])["pattern"].clone();
    let before = pattern["uses"].as_u64().unwrap();
    peri.ok(&follow);
    peri.ok(&["learn", "distil"]);
    assert_eq!(peri.json(&["learn", "show", &id])["pattern"]["uses"], before + 1);
    let stats = peri.ok(&["learn", "stats"]);
    assert!(stats.contains("to prove themselves") || stats.contains("kept for good"), "{stats}");
}

#[test]
fn a_router_learns_from_outcomes_and_can_be_taken_back() {
    let peri = Peri::new();
    let asked = ["route", "재고 보고서를 만들어 줘"];
    let before = peri.json(&asked);
    assert_eq!(before["outcomes"], 0);
    for number in 0..12 {
        record(&peri, &format!("{number}월 재고 보고서를 만들어 줘"), "accountant");
        record(&peri, &format!("第{number}周 修复登录测试"), "tester");
    }
    let trained = peri.json(&["learn", "train"])["namespaces"][0]["router"].clone();
    assert_eq!(trained["outcomes"], 24);
    let after = peri.json(&asked);
    assert_eq!(text(&after["agent"]), "accountant", "{after}");
    assert_eq!(text(&peri.json(&["route", "修复登录测试"])["agent"]), "tester");
    assert!(after["confidence"].as_f64().unwrap() > 0.0 && !after["reasons"].as_array().unwrap().is_empty());
    let told = peri.ok(&asked);
    assert!(told.starts_with("accountant") && told.contains("or else"), "{told}");
    assert_eq!(peri.ok(&["-q", "route", "재고 보고서를 만들어 줘"]).trim(), "accountant");
    let sets = peri.json(&["learn", "sets", "router"])["sets"].clone();
    assert_eq!(sets.as_array().unwrap().len(), 1);
    let back = peri.json(&["learn", "rollback", "router", "0"]);
    assert_eq!(back["set"]["active"], false);
    assert!(peri.ok(&["learn", "sets", "router"]).contains("holds now: rolled back to 0"));
    assert!(peri.ok(&["learn", "sets", "adapter"]).is_empty());
}

#[test]
fn a_task_can_be_piped_to_be_routed_and_none_is_an_error() {
    let peri = Peri::new();
    let run = peri.run_with(&["route", "-", "--json"], "写单元测试".as_bytes());
    let routed: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(routed["task"], "写单元测试");
    assert!(!text(&routed["agent"]).is_empty());
    assert_eq!(peri.run_with(&["route"], b"").code, 2);
    assert_eq!(peri.run(&["route", "x", "-n", "team/*"]).code, 2);
}

#[test]
fn what_was_learned_goes_to_a_file_and_into_another_folder() {
    let (peri, other) = (Peri::new(), Peri::new());
    strategy(&peri, "先备份数据库再迁移");
    record(&peri, "데이터베이스를 옮긴다", "coder");
    let file = peri.home().with_file_name("learned.rvls").display().to_string();
    assert!(peri.ok(&["learn", "export", &file]).contains("1 pattern, 1 trajectory, 0 adapters written"));
    let rehearsed = other.json(&["learn", "import", &file, "--dry-run"]);
    assert_eq!((&rehearsed["patterns"], &rehearsed["dry_run"]), (&1.into(), &true.into()));
    assert_eq!(other.json(&["learn", "stats"])["trajectories"], 0);
    assert!(other.ok(&["learn", "import", &file]).contains("took in 1 pattern, 1 trajectory"));
    assert!(other.ok(&["learn", "import", &file]).contains("took in 0 patterns, 0 trajectories"));
    assert_eq!(other.json(&["learn", "patterns"]), peri.json(&["learn", "patterns"]));
    let whole = std::fs::read(&file).unwrap();
    std::fs::write(&file, &whole[..whole.len() - 20]).unwrap();
    let torn = other.run(&["learn", "import", &file]);
    refused(&torn, 8, "cut off");
    let notes = peri.file("notes.txt", "not a learning file");
    refused(&peri.run(&["learn", "export", &notes]), 2, "not a learning file");
    assert_eq!(std::fs::read_to_string(&notes).unwrap(), "not a learning file");
}
