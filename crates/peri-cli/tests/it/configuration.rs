//! Where settings come from, which one wins, and that each of them changes something.

use std::time::Duration;

use super::support::{Peri, text};

const KEY: &str = "ghp_abcdefghijklmnopqrstuvwxyz0123456789";

#[test]
fn arguments_go_before_the_environment_before_the_file_before_the_defaults() {
    let origin = |peri: &Peri, args: &[&str]| {
        let shown = peri.json(&[&["config", "show"], args].concat());
        let setting = shown["settings"]
            .as_array()
            .unwrap()
            .iter()
            .find(|setting| setting["key"] == "namespace")
            .unwrap()
            .clone();
        (text(&setting["value"]), text(&setting["origin"]))
    };
    let peri = Peri::new();
    assert_eq!(origin(&peri, &[]), ("default".to_owned(), "default".to_owned()));
    peri.configure("# mine\nnamespace = \"from-file\"\n");
    let (value, place) = origin(&peri, &[]);
    assert_eq!(value, "from-file");
    assert!(place.ends_with("perihelion.toml:2"), "{place}");
    let peri = peri.with("PERI_NAMESPACE", "from-environment");
    assert_eq!(origin(&peri, &[]), ("from-environment".to_owned(), "environment PERI_NAMESPACE".to_owned()));
    assert_eq!(
        origin(&peri, &["-n", "from-argument"]),
        ("from-argument".to_owned(), "argument --namespace".to_owned())
    );
    let other = peri.file("other.toml", "[recall]\nlimit = 3\n");
    assert!(peri.ok(&["--config", &other, "config", "show"]).contains("other.toml:2"));
}

#[test]
fn a_bad_configuration_is_an_error_that_names_the_place() {
    for (text, says) in [
        ("limit = 3", &["perihelion.toml:1: unknown key \"limit\"", "did you mean recall.limit?"][..]),
        ("[recal]\nlimit = 3", &["perihelion.toml:2: unknown key \"recal.limit\"", "recall.limit"]),
        ("recall = 3", &["unknown key \"recall\"", "recall is a section"]),
        ("[recall]\nlimit = \"ten\"", &["perihelion.toml:2: recall.limit takes a whole number"]),
        ("[recall]\nlimit = 0", &["recall.limit", "at least 1"]),
        ("[recall]\nlimit = 5000", &["perihelion.toml:2", "more than the 1000 of limits.results_max"]),
        ("[store]\nbusy_timeout_ms = 99999999999", &["perihelion.toml:2", "more than 3600000"]),
        ("[trash]\nretention_days = 99999999999", &["perihelion.toml:2", "more than 365250"]),
        ("[recall]\nwithout = [1]", &["recall.without takes a list of texts"]),
        ("[recall]\nwithout = [\"magic\"]", &["recall.without", "unknown stage"]),
        ("[redaction]\nenabled = 1", &["redaction.enabled takes true or false"]),
        ("namespace = \"a b\"", &["namespace", "is not a namespace"]),
        ("[embedding]\nengine = \"gpt\"", &["embedding.engine", "bundled, transformer, openai, hybrid, off"]),
        ("[embedding]\nengine = \"transformer\"", &["embedding.folder", "needs the folder"]),
        ("namespace = \n", &["perihelion.toml:1: "]),
        ("[orbit]\ncore_min = 1.5", &["orbit.core_min", "perihelion.toml:2", "1.5 is not between 0 and 1"]),
        (
            "[orbit]\ncore_min = 0.5\ninner_min = 0.5",
            &["orbit.inner_min", "not below 0.5, which is orbit.core_min"],
        ),
        ("[orbit]\nsaturation = 0", &["orbit.saturation", "at least 1"]),
        ("[orbit]\nsaturation = 5000000000", &["orbit.saturation", "more than 4294967295"]),
        ("[orbit]\nhalf_life_days = 0.5", &["orbit.half_life_days takes a whole number"]),
        ("[orbit]\nhalf_life_days = 0", &["orbit.half_life_days", "at least 1"]),
        ("[orbit]\ncore_capacity = 0", &["orbit.core_capacity", "at least 1"]),
        ("[orbit]\nstep_seconds = 100000", &["orbit.step_seconds", "more than 86400"]),
        ("[orbit]\nreorbit_seconds = 0", &["orbit.reorbit_seconds", "at least 1"]),
        ("[orbit.weights]\nrecall = nan", &["orbit.weights.recall", "is not between 0 and 1"]),
        ("[orbit.weights]\nrecal = 1", &["orbit.weights.recal", "did you mean orbit.weights.recall?"]),
        (
            "orbit.weights = { recall = 0, freshness = 0, importance = 0 }",
            &["orbit.weights.recall", "one of them must count"],
        ),
        ("[decay]\nforget_days = 0", &["decay.forget_days", "at least 1"]),
        ("[graph]\nlink_cosine_min = -0.1", &["graph.link_cosine_min", "is not between 0 and 1"]),
        ("[consolidation]\nmerge_cosine_min = \"high\"", &["consolidation.merge_cosine_min takes a number"]),
        ("[importance]\nevaluate = \"yes\"", &["importance.evaluate takes true or false"]),
        ("[events]\nlog_mb_max = 0", &["events.log_mb_max", "at least 1"]),
        ("[events]\nlog_files = 5000", &["events.log_files", "more than 1000"]),
        ("[server]\nlisten = \"localhost\"", &["server.listen", "no address with a port"]),
        ("[server]\nbody_mb_max = 0", &["server.body_mb_max", "at least 1"]),
        ("[server]\nconcurrency_max = 0", &["server.concurrency_max", "at least 1"]),
        ("[server]\nqueue_timeout_ms = 0", &["server.queue_timeout_ms", "at least 1"]),
        (
            "[server]\nrequests_per_minute = 5000000000",
            &["server.requests_per_minute", "more than 4294967295"],
        ),
        ("[server]\ngrace_seconds = 100000", &["server.grace_seconds", "more than 3600"]),
        ("[server]\ntls_key = \"x.pem\"", &["server.tls_certificate", "a key needs its certificate"]),
        ("[mcp]\ntools = \"core,magic\"", &["mcp.tools", "magic"]),
        ("[mcp]\nworkspaces = [\"/home/ana\"]", &["mcp.workspaces", "ROOT=NAMESPACE"]),
        ("[log]\nlevel = \"loud\"", &["log.level", "error, warn, info, debug, trace, off"]),
        ("[log]\nlevel = \"info,peri_http\"", &["log.level", "there is no level \"peri_http\""]),
        ("[log]\nformat = \"xml\"", &["log.format", "text, json"]),
        (
            "[telemetry]\notlp_endpoint = \"127.0.0.1:4318\"",
            &["telemetry.otlp_endpoint", "begins with http://"],
        ),
        ("[telemetry]\notlp_endpoint = \"https://x\"", &["telemetry.otlp_endpoint", "only http is spoken"]),
    ] {
        let peri = Peri::new();
        peri.configure(text);
        let run = peri.run(&["remember", "x"]);
        assert_eq!(run.code, 2, "{text}: {run:?}");
        for says in says {
            assert!(run.err.contains(says), "{text} should say {says:?}: {}", run.err);
        }
        let doctor = peri.run(&["doctor"]);
        assert_eq!(doctor.code, 2, "{text}: {doctor:?}");
        assert!(doctor.out.starts_with("failed   configuration  "), "{text}: {}", doctor.out);
        assert!(!peri.home().join("perihelion.db").exists(), "{text}: nothing may be opened");
        assert!(
            peri.ok(&["config", "path"]).contains("perihelion.toml"),
            "{text}: the place is shown even then"
        );
    }
}

#[test]
fn the_printed_defaults_change_nothing_as_a_configuration() {
    let peri = Peri::new();
    insta::assert_snapshot!("config_show", peri.ok(&["config", "show"]));
    let plain = peri.json(&["config", "show"]);
    peri.configure(&peri.ok(&["config", "defaults"]));
    let copied = peri.json(&["config", "show"]);
    for (plain, copied) in
        plain["settings"].as_array().unwrap().iter().zip(copied["settings"].as_array().unwrap())
    {
        assert_eq!((&plain["key"], &plain["value"]), (&copied["key"], &copied["value"]));
        assert!(text(&copied["origin"]).contains("perihelion.toml:"), "{copied}");
    }
}

#[test]
fn a_bad_environment_is_an_error_and_a_slip_is_a_warning() {
    let run = Peri::new().with("PERI_RECALL_LIMIT", "many").run(&["stats"]);
    assert_eq!(run.code, 2);
    assert!(
        run.err.contains("environment PERI_RECALL_LIMIT: recall.limit takes a whole number"),
        "{}",
        run.err
    );
    let run = Peri::new().with("PERI_RECAL_LIMIT", "3").run(&["stats"]);
    assert_eq!(run.code, 0);
    assert!(run.err.contains("did you mean PERI_RECALL_LIMIT?"), "{}", run.err);
}

#[test]
fn the_folder_is_the_platforms_unless_somebody_says_otherwise() {
    let peri = Peri::new();
    let mut command = peri.command();
    let output =
        command.env_remove("PERI_HOME").env("HOME", peri.home()).args(["config", "path"]).output().unwrap();
    assert!(String::from_utf8(output.stdout).unwrap().contains("perihelion/perihelion.db"));
    let path = peri.ok(&["config", "path"]);
    assert!(path.contains("environment PERI_HOME") && path.contains("does not exist"), "{path}");
}

#[test]
fn the_folder_is_told_in_full_and_a_tilde_is_never_a_folder() {
    let peri = Peri::new();
    let told = peri.json(&["--home", "inside", "config", "path"]);
    assert!(std::path::Path::new(told["folder"].as_str().unwrap()).is_absolute(), "{told}");
    for run in [
        peri.run(&["--home=~/memories", "remember", "x"]),
        peri.run(&["--home=~/memories", "demo"]),
        peri.with("PERI_HOME", "~/memories").run(&["remember", "x"]),
    ] {
        assert_eq!(run.code, 2, "{run:?}");
        assert!(run.err.contains("the shell did not replace"), "{}", run.err);
    }
}

/// Runs the same commands without and with one setting; what they give must differ as told.
pub(super) fn check(setting: (&str, &str), act: impl Fn(&Peri) -> String, without: &str, with: &str) {
    let (key, value) = setting;
    let variable = format!("PERI_{}", key.replace('.', "_").to_uppercase());
    let plain = act(&Peri::new());
    assert!(plain.contains(without), "without {key}: {plain}");
    let set = act(&Peri::new().with(&variable, value));
    assert!(set.contains(with) && !plain.contains(with), "with {key}: {set}");
}

fn errors(peri: &Peri, args: &[&str]) -> String {
    let run = peri.run(args);
    format!("{} {}", run.code, run.err)
}

#[test]
fn namespace_says_where_memories_go() {
    check(("namespace", "team/ana"), |peri| peri.ok(&["remember", "x"]), "in default", "in team/ana");
}

#[test]
fn embedding_engine_says_whether_there_are_vectors() {
    check(("embedding.engine", "off"), |peri| peri.json(&["stats"])["space"].to_string(), "static", "null");
}

#[test]
fn embedding_folder_says_where_the_transformer_is() {
    let act = |peri: &Peri| {
        peri.configure("[embedding]\nengine = \"transformer\"\n");
        errors(peri, &["stats"])
    };
    check(
        ("embedding.folder", "my-model"),
        act,
        "2 error: embedding.folder",
        "6 error: the embedding engine cannot be started",
    );
}

fn teas(peri: &Peri) {
    peri.run_with(&["remember", "--lines"], b"Ana prefers green tea\nBruno prefers black tea\n");
}

#[test]
fn recall_limit_says_how_many_results_come() {
    let act = |peri: &Peri| {
        teas(peri);
        peri.recall(&["tea"]).len().to_string()
    };
    check(("recall.limit", "1"), act, "2", "1");
}

#[test]
fn recall_floor_says_whether_something_always_comes() {
    let act = |peri: &Peri| {
        teas(peri);
        format!("{:?}", peri.recall(&["volcanic rock samples"]))
    };
    check(("recall.floor", "false"), act, "[]", "tea");
}

#[test]
fn recall_max_tokens_says_how_much_comes() {
    let act = |peri: &Peri| {
        teas(peri);
        peri.json(&["recall", "tea"])["over_budget"].to_string()
    };
    check(("recall.max_tokens", "7"), act, "0", "1");
}

#[test]
fn recall_without_switches_stages_off() {
    let act = |peri: &Peri| {
        teas(peri);
        let parts = peri.json(&["recall", "tea", "--without", "floor"])["hits"][0]["explanation"]["parts"]
            .to_string();
        parts + " end"
    };
    let has_words = |parts: &str| parts.contains("\"words\"");
    assert!(has_words(&act(&Peri::new())));
    assert!(!has_words(&act(&Peri::new().with("PERI_RECALL_WITHOUT", "words, typos"))));
}

#[test]
fn redaction_enabled_says_whether_secrets_are_taken_out() {
    let act = |peri: &Peri| {
        peri.remember(&["the key is", KEY]);
        peri.ok(&["list"])
    };
    check(("redaction.enabled", "false"), act, "redacted", KEY);
}

#[test]
fn each_limit_refuses_what_is_larger() {
    let metadata = br#"{"content":"x","metadata":{"a":"bbbbbbbb"}}"#;
    let cases: [(&str, &str, &[&str], &[u8]); 6] = [
        ("limits.content_bytes_max", "4", &["remember", "abcde"], b""),
        ("limits.labels_max", "1", &["remember", "x", "--tag", "a", "--tag", "b"], b""),
        ("limits.label_bytes_max", "2", &["remember", "x", "--speaker", "Ana"], b""),
        ("limits.metadata_bytes_max", "5", &["remember", "--file", "-"], metadata),
        ("limits.query_bytes_max", "2", &["recall", "tea"], b""),
        ("limits.results_max", "4", &["recall", "x", "--limit", "5"], b""),
    ];
    for (key, value, args, input) in cases {
        let act = |peri: &Peri| {
            let run = peri.run_with(args, input);
            format!("{} {}", run.code, run.err)
        };
        check((key, value), act, "0 ", key);
    }
}

#[test]
fn store_busy_timeout_says_how_long_to_wait() {
    let peri = Peri::new().with("PERI_STORE_BUSY_TIMEOUT_MS", "30").with("PERI_QUEUE_ENABLED", "false");
    peri.remember(&["x"]);
    let blocker = rusqlite::Connection::open(peri.home().join("perihelion.db")).unwrap();
    blocker.busy_timeout(Duration::from_secs(5)).unwrap();
    blocker.execute_batch("BEGIN IMMEDIATE").unwrap();
    let run = peri.run(&["remember", "y"]);
    assert_eq!(run.code, 5, "{run:?}");
    assert!(run.err.contains("for 30 ms"), "{}", run.err);
    let import = peri.run_with(&["remember", "--lines"], b"one\ntwo\n");
    assert_eq!(import.code, 5);
    assert!(import.err.contains("stopped before line 1; 0 memories"), "{}", import.err);
    assert!(import.err.contains("run the same import again"), "{}", import.err);
    blocker.execute_batch("ROLLBACK").unwrap();
    assert_eq!(peri.held(), (1.into(), 0.into()));
}

#[test]
fn deadlines_say_how_long_whoever_asks_waits() {
    let peri = Peri::new().with("PERI_STORE_BUSY_TIMEOUT_MS", "3600000");
    peri.remember(&["the heron nests by the lake"]);
    let blocker = rusqlite::Connection::open(peri.home().join("perihelion.db")).unwrap();
    blocker.execute_batch("BEGIN IMMEDIATE").unwrap();
    peri.configure("[deadlines]\nread_ms = 40\nwrite_ms = 30\n");
    // The lock is given up only when the answers are there.
    let queued = peri.run(&["remember", "the stork nests on the roof"]);
    assert!(queued.code == 0 && queued.out.contains("queued"), "{queued:?}");
    assert!(peri.ok(&["recall", "where does the heron nest?"]).contains("by the lake"));
    assert!(peri.ok(&["journal", "append", "said"]).contains("queued"));
    blocker.execute_batch("ROLLBACK").unwrap();
    peri.ok(&["maintain"]);
    assert_eq!(peri.held(), (2.into(), 0.into()));
    peri.configure("[deadlines]\nread_ms = 0\n");
    let refused = peri.run(&["list"]);
    assert!(refused.code == 2 && refused.err.contains("deadlines.read_ms"), "{refused:?}");
}

#[test]
fn trash_retention_says_when_chores_purge() {
    let act = |peri: &Peri| {
        let id = peri.remember(&["x"]);
        peri.ok(&["forget", &id]);
        peri.ok(&["maintain"])
    };
    check(("trash.retention_days", "0"), act, "0 memories purged", "1 memory purged");
}
