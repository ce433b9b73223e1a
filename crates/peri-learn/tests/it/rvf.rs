//! The learning file: round trips, files of others, torn and hostile ones.

use jiff::{SignedDuration, Timestamp};
use peri_learn::rvf::{
    AdapterRecord, ConvertError, Ending, Entry, EwcRecord, Factor, Foreign, Origin, PatternRecord,
    ReadReport, RvfError, RvfFile, RvfLimits, TrajectoryRecord,
};
use peri_types::{
    ChangeNumber, Pattern, PatternId, PatternTerm, SpaceId, TaskOutcome, Trajectory, TrajectoryId,
    TrajectoryStep, TurnId,
};
use proptest::prelude::*;

fn read(bytes: &[u8]) -> Result<(RvfFile, ReadReport), RvfError> {
    RvfFile::read(bytes, &RvfLimits::default())
}

fn written(file: &RvfFile) -> Vec<u8> {
    let mut bytes = Vec::new();
    file.write(&mut bytes, &RvfLimits::default()).unwrap();
    bytes
}

fn origin() -> Origin {
    Origin { namespace: "team/imported".parse().unwrap(), at: "2026-03-01T12:00:00Z".parse().unwrap() }
}

fn small() -> RvfFile {
    let mut file = RvfFile::default();
    file.patterns.put(Entry::new(PatternRecord {
        id: "하나".to_owned(),
        strategy: "먼저 测试 실행 😀\n\"then\"".to_owned(),
        embedding: vec![0.1, -0.0, f32::MIN_POSITIVE],
        ..Default::default()
    }));
    file.trajectories.put(Entry::new(TrajectoryRecord {
        id: "둘".to_owned(),
        outcome: "success".to_owned(),
        ..Default::default()
    }));
    file.ewc.put(Entry::new(EwcRecord { tasks_learned: 2, ..Default::default() }));
    let factor = Factor { rows: 1, columns: 2, values: vec![1.5, -2.25] };
    file.adapters.put(Entry::new(AdapterRecord {
        name: "query".to_owned(),
        rank: 1,
        dimensions: 2,
        factors: [("down".to_owned(), factor)].into(),
        ..Default::default()
    }));
    let line = r#"{"type":"graph","data":{"big":123456789012345678901234567890,"값":[1]}}"#.to_owned();
    file.others.push(Foreign { kind: "graph".to_owned(), line });
    file
}

#[test]
fn a_file_has_its_marks_and_reads_back() {
    let bytes = written(&small());
    assert!(bytes.starts_with(b"RVLS\n{\"type\":\"pattern\",\"data\":{\"id\":"));
    assert!(bytes.ends_with(b"}\nREND\n"));
    let (file, report) = read(&bytes).unwrap();
    assert_eq!(file, small());
    assert_eq!(file.patterns.get("하나").unwrap().embedding[1].to_bits(), (-0.0_f32).to_bits());
    let expected = ReadReport { records: 5, foreign: 1, ..Default::default() };
    assert_eq!(report, expected);
    assert_eq!(written(&file), bytes);
    assert_eq!(read(&written(&RvfFile::default())).unwrap().0, RvfFile::default());
}

#[test]
fn a_file_of_the_original_reads() {
    let text = concat!(
        "RVLS\n",
        r#"{"type":"pattern","data":{"id":"p-1","strategy":"检查密码","embedding":[0.5],"success_rate":0.75,"#,
        r#""use_count":4,"last_used":"2026-05-14T08:00:00.123456789+00:00","is_long_term":true,"sparse":{"a":1}}}"#,
        "\n",
        r#"{"type":"trajectory","data":{"id":"t-1","steps":[{"input":"로그인 테스트","output":"ok","duration_ms":5,"#,
        r#""confidence":0.9,"tool":"x"}],"outcome":"PartialFailure","duration_ms":7},"saved":1}"#,
        "\n",
        r#"{"type":"ewc","data":{"tasks_learned":1,"protection_strength":1000.0,"task_weights":{"a":[0.1]}}}"#,
        "\n",
        r#"{"type":"lora","data":{"weights":"AAAA"}}"#,
        "\nREND"
    );
    let (file, report) = read(text.as_bytes()).unwrap();
    let expected = ReadReport { records: 4, foreign: 1, unknown_fields: 2, ..Default::default() };
    assert_eq!(report, expected);

    let (pattern, vector) = file.patterns.get("p-1").unwrap().to_pattern(&origin()).unwrap();
    assert_eq!((pattern.uses, pattern.successes, pattern.quality), (4, 3, 0.75));
    assert_eq!((pattern.term, pattern.domain.as_str()), (PatternTerm::Long, "security"));
    assert_eq!((pattern.namespace, vector), (origin().namespace, Some(vec![0.5])));
    assert_eq!(pattern.used_at, "2026-05-14T08:00:00.123456789Z".parse().ok());
    let again = file.patterns.get("p-1").unwrap().to_pattern(&origin()).unwrap().0;
    assert_eq!(pattern.id, again.id, "the same id whenever it is read");

    let (trajectory, vector) = file.trajectories.get("t-1").unwrap().to_trajectory(&origin()).unwrap();
    assert_eq!((trajectory.outcome, trajectory.at, vector), (TaskOutcome::Partial, origin().at, None));
    assert_eq!((trajectory.task.as_str(), trajectory.steps.len()), ("로그인 테스트", 1));

    let back = String::from_utf8(written(&file)).unwrap();
    for foreign in [
        r#""sparse":{"a":1}"#,
        r#""tool":"x""#,
        r#""saved":1"#,
        r#"{"type":"lora","data":{"weights":"AAAA"}}"#,
    ] {
        assert!(back.contains(foreign), "{foreign} in {back}");
    }
}

#[test]
fn every_prefix_of_a_file_gives_a_prefix_of_its_records_or_says_what_it_is_not() {
    let bytes = written(&small());
    let whole = read(&bytes).unwrap().0;
    for end in 0..bytes.len() {
        let outcome = read(&bytes[..end]);
        if end < 4 {
            assert!(matches!(outcome, Err(RvfError::NotALearningFile { .. })), "{end}");
            continue;
        }
        let (file, report) = outcome.unwrap();
        let lines = bytes[..end].iter().filter(|byte| **byte == b'\n').count();
        // The opening mark is a line; a last line is whole even without its end.
        assert!(file.len() + 1 == lines || file.len() == lines, "{end}: {report:?}");
        assert!(whole.patterns.entries().starts_with(file.patterns.entries()));
        assert!(whole.trajectories.entries().starts_with(file.trajectories.entries()));
        assert!(whole.ewc.entries().starts_with(file.ewc.entries()));
        assert!(whole.adapters.entries().starts_with(file.adapters.entries()));
        assert!(whole.others.starts_with(&file.others));
        assert_eq!(report.skipped, 0, "{end}");
        let is_marked = bytes[..end].ends_with(b"\nREND");
        assert_eq!(report.ending == Ending::Whole, is_marked, "{end}");
        let is_cut = report.ending == Ending::CutLine;
        assert_eq!(is_cut, file.len() + 1 == lines && bytes[end - 1] != b'\n' && !is_marked, "{end}");
        assert_eq!(report.problems.len(), usize::from(is_cut), "{end}");
    }
}

/// A good pattern, whatever comes before and after it.
const GOOD: &str = r#"{"type":"pattern","data":{"id":"good","strategy":"가"}}"#;

#[test]
fn bad_lines_are_named_and_skipped_and_the_others_stay() {
    let deep = format!(
        r#"{{"type":"pattern","data":{{"id":"x","strategy":"y","z":{}{}}}}}"#,
        "[".repeat(5000),
        "]".repeat(5000)
    );
    let pattern =
        |fields: &str| format!(r#"{{"type":"pattern","data":{{"id":"x","strategy":"y",{fields}}}}}"#);
    let mut wrong = Vec::new();
    for (bad, reason) in [
        ("not json".to_owned(), "expected ident"),
        ("[1,2]".to_owned(), "invalid"),
        ("{}".to_owned(), "missing field `type`"),
        (r#"{"type":7}"#.to_owned(), "expected a string"),
        (r#"{"type":"pattern"}"#.to_owned(), "missing field `data`"),
        (r#"{"type":"pattern","data":[]}"#.to_owned(), "invalid type: sequence"),
        (r#"{"type":"pattern","data":{"id":"x"}}"#.to_owned(), "missing field `strategy`"),
        (pattern(r#""success_rate":1e999"#), "number out of range"),
        (pattern(r#""success_rate":1e39"#), "number out of range"),
        (pattern(r#""embedding":[1e39]"#), "number out of range"),
        (pattern(r#""embedding":[NaN]"#), "expected value"),
        (pattern(r#""embedding":[null]"#), "invalid type: null"),
        (pattern(r#""other":1e999"#), "number out of range"),
        (pattern(r#""use_count":-1"#), "invalid value"),
        (pattern(r#""use_count":4294967296"#), "invalid value"),
        (pattern(r#""namespace":"../etc""#), "is not a namespace"),
        (pattern(r#""last_used":"yesterday""#), "failed to parse"),
        (pattern(r#""term":"forever""#), "forever"),
        (pattern(r#""domain":"a\u0000b""#), "NUL"),
        (pattern(r#""domain":"a","domain":"b""#), "duplicate field"),
        (pattern("\"domain\":\"a\0b\""), "control character"),
        (format!("{GOOD} {GOOD}"), "trailing characters"),
        (deep, "recursion limit"),
        (r#"{"type":"lora","data":{"name":"a","rank":1,"dimensions":2,"factors":{"f":{"rows":4294967295,"columns":4294967295,"values":[1]}}}}"#.to_owned(), "holds 1 numbers"),
    ] {
        let text = format!("RVLS\n{bad}\n{GOOD}\nREND\n");
        let (file, report) = read(text.as_bytes()).unwrap();
        assert_eq!((file.len(), report.skipped, report.ending), (1, 1, Ending::Whole), "{bad:.80}");
        assert!(file.patterns.get("good").is_some());
        let [problem] = report.problems.as_slice() else { panic!("{bad:.80}: {report:?}") };
        assert_eq!(problem.line, 2);
        assert!(!report.is_whole());
        if !problem.reason.contains(reason) {
            wrong.push(format!("{bad:.80}: {}", problem.reason));
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
}

#[test]
fn text_that_is_not_unicode_is_a_bad_line() {
    let bytes = [b"RVLS\n\xff\xfe\n", GOOD.as_bytes(), b"\r\n\r\nREND\r\n"].concat();
    let (file, report) = read(&bytes).unwrap();
    assert_eq!((file.len(), report.skipped, report.ending), (1, 1, Ending::Whole));
}

#[test]
fn another_kind_of_file_is_refused() {
    for bytes in [
        &b""[..],
        b"\n",
        b"RVL",
        b"rvls\n",
        b"\xef\xbb\xbfRVLS\n",
        b" RVLS\n",
        b"{}\n",
        &[b'x'; 100],
        b"RVLSX\n",
    ] {
        assert!(matches!(read(bytes), Err(RvfError::NotALearningFile { .. })), "{bytes:?}");
    }
}

#[test]
fn what_stands_behind_the_end_is_counted_and_not_read() {
    let text = format!("RVLS\nREND\n{GOOD}\n");
    let (file, report) = read(text.as_bytes()).unwrap();
    assert!(file.is_empty() && !report.is_whole());
    assert_eq!(report.bytes_after_end, GOOD.len() as u64 + 1);
    assert!(read(b"RVLS\nREND\n\n  \n").unwrap().1.is_whole());
}

/// A stream that never ends and counts what was taken from it.
struct Endless<'a> {
    opening: &'a [u8],
    taken: u64,
}

impl std::io::Read for Endless<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let count = std::io::Read::read(&mut self.opening, buffer)?;
        if count == 0 {
            buffer.fill(b'x');
        }
        self.taken += if count == 0 { buffer.len() } else { count } as u64;
        Ok(if count == 0 { buffer.len() } else { count })
    }
}

#[test]
fn limits_hold_while_reading() {
    let limits = RvfLimits { line_bytes_max: 1000, records_max: 3, bytes_max: 100_000, problems_max: 2 };
    let mut endless = Endless { opening: b"RVLS\n", taken: 0 };
    assert!(matches!(RvfFile::read(&mut endless, &limits), Err(RvfError::TooLarge { .. })));
    assert!(endless.taken < 200_000, "{}", endless.taken);
    let mut endless = Endless { opening: b"", taken: 0 };
    assert!(RvfFile::read(&mut endless, &limits).is_err());

    let long = format!("RVLS\n{}\n{GOOD}\nREND", "y".repeat(5000));
    let (file, report) = RvfFile::read(long.as_bytes(), &limits).unwrap();
    assert_eq!((file.len(), report.skipped), (1, 1));
    assert!(report.problems[0].reason.contains("1000 bytes"));

    let many = format!("RVLS\n{}REND", format!("{GOOD}\n").repeat(4));
    assert!(matches!(RvfFile::read(many.as_bytes(), &limits), Err(RvfError::TooManyRecords { .. })));
    let bad = format!("RVLS\n{}REND", "?\n".repeat(50));
    let report = RvfFile::read(bad.as_bytes(), &limits).unwrap().1;
    assert_eq!((report.skipped, report.problems.len()), (50, 2));
}

#[test]
fn what_would_not_read_back_is_not_written() {
    let limits = RvfLimits { line_bytes_max: 200, ..Default::default() };
    let refused = |file: &RvfFile| file.write(&mut Vec::new(), &limits).unwrap_err().to_string();
    let with = |record: PatternRecord| {
        let mut file = RvfFile::default();
        file.patterns.put(Entry::new(record));
        file
    };
    let base = PatternRecord { id: "a".to_owned(), strategy: "b".to_owned(), ..Default::default() };
    assert!(refused(&with(PatternRecord { quality: Some(f32::NAN), ..base.clone() })).contains("not finite"));
    assert!(refused(&with(PatternRecord { strategy: "a\0b".to_owned(), ..base.clone() })).contains("NUL"));
    assert!(refused(&with(PatternRecord { strategy: "가".repeat(100), ..base })).contains("at most 200"));
    for line in ["{\"type\":\"x\"}\nREND", "REND", "{\"type\":\"pattern\"}"] {
        let foreign = Foreign { kind: "x".to_owned(), line: line.to_owned() };
        assert!(
            refused(&RvfFile { others: vec![foreign], ..Default::default() }).contains("not one line"),
            "{line}"
        );
    }
}

#[test]
fn a_later_record_replaces_an_earlier_one_in_its_place() {
    let line = |id: &str, strategy: &str| {
        format!(r#"{{"type":"pattern","data":{{"id":"{id}","strategy":"{strategy}"}}}}"#)
    };
    let text = format!("RVLS\n{}\n{}\n{}\nREND", line("a", "1"), line("b", "2"), line("a", "3"));
    let (file, report) = read(text.as_bytes()).unwrap();
    let found: Vec<&str> = file.patterns.records().map(|record| record.strategy.as_str()).collect();
    assert_eq!((found, report.replaced, report.records), (vec!["3", "2"], 1, 3));
}

#[test]
fn adapters_of_two_namespaces_do_not_replace_each_other() {
    let adapter = |namespace: Option<&str>, name: &str| {
        let namespace = namespace.map(|namespace| namespace.parse().unwrap());
        Entry::new(AdapterRecord { name: name.to_owned(), namespace, ..Default::default() })
    };
    let mut file = RvfFile::default();
    for (namespace, name) in
        [(None, "q"), (Some("a"), "q"), (Some("b"), "q"), (None, "a q"), (Some("a"), "q")]
    {
        file.adapters.put(adapter(namespace, name));
    }
    assert_eq!(file.adapters.len(), 4);
}

#[test]
fn a_record_that_is_no_pattern_or_trajectory_says_why() {
    let record = TrajectoryRecord { id: "t".to_owned(), outcome: "모름".to_owned(), ..Default::default() };
    assert!(matches!(record.to_trajectory(&origin()), Err(ConvertError::UnknownOutcome { .. })));
    let record = PatternRecord { id: "p".to_owned(), strategy: " ".to_owned(), ..Default::default() };
    assert!(matches!(record.to_pattern(&origin()), Err(ConvertError::NoStrategy { .. })));
}

fn finite() -> impl Strategy<Value = f32> {
    any::<u32>()
        .prop_map(f32::from_bits)
        .prop_filter("files hold finite numbers", |number| number.is_finite())
}

fn time() -> impl Strategy<Value = Timestamp> {
    (0_i64..4_000_000_000, 0_i32..1_000_000_000)
        .prop_map(|(seconds, nanos)| Timestamp::UNIX_EPOCH + SignedDuration::new(seconds, nanos))
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof!["[a-z\"\\\\\n\u{1}]{0,12}", "[가-힣 ]{0,8}", "[一-龥]{1,8}", "\\PC{0,20}"]
}

fn id() -> impl Strategy<Value = [u8; 16]> {
    any::<[u8; 16]>()
}

prop_compose! {
    fn pattern()(
        id in id(), strategy in text(), domain in text(), agent in proptest::option::of(text()), quality in 0.0_f32..=1.0,
        uses in any::<u32>(), successes in any::<u32>(), is_long in any::<bool>(),
        sources in proptest::collection::vec(self::id(), 0..3), created_at in time(),
        used_at in proptest::option::of(time()), retired_at in proptest::option::of(time()),
    ) -> Pattern {
        Pattern {
            id: PatternId::from_bytes(id),
            namespace: "team/가".parse().unwrap(),
            strategy: format!("先{strategy}"),
            domain, agent, quality, uses, successes,
            term: if is_long { PatternTerm::Long } else { PatternTerm::Short },
            sources: sources.into_iter().map(TrajectoryId::from_bytes).collect(),
            created_at, used_at, retired_at,
            change: ChangeNumber::default(),
        }
    }
}

prop_compose! {
    fn trajectory()(
        id in id(), task in text(), session in proptest::option::of(text()), turn in proptest::option::of(self::id()),
        domain in text(), agent in proptest::option::of(text()),
        steps in proptest::collection::vec((text(), text(), any::<u64>(), 0.0_f32..=1.0), 0..4),
        outcome in prop_oneof![Just(TaskOutcome::Success), Just(TaskOutcome::Partial), Just(TaskOutcome::Failure)],
        at in time(), duration_ms in any::<u64>(), patterns in proptest::collection::vec(self::id(), 0..3),
        distilled_at in proptest::option::of(time()),
    ) -> Trajectory {
        let step = |(input, output, duration_ms, confidence)| TrajectoryStep { input, output, duration_ms, confidence };
        Trajectory {
            id: TrajectoryId::from_bytes(id),
            namespace: "team/나".parse().unwrap(),
            session, task, domain, agent, outcome, at, duration_ms, distilled_at,
            turn: turn.map(TurnId::from_bytes),
            steps: steps.into_iter().map(step).collect(),
            patterns: patterns.into_iter().map(PatternId::from_bytes).collect(),
        }
    }
}

fn vector() -> impl Strategy<Value = Option<Vec<f32>>> {
    proptest::option::of(proptest::collection::vec(finite(), 1..9))
}

fn bits(vector: &[f32]) -> Vec<u32> {
    vector.iter().map(|number| number.to_bits()).collect()
}

proptest! {
    #[test]
    fn patterns_and_trajectories_of_ours_come_back_as_they_were(
        pattern in pattern(), trajectory in trajectory(), one in vector(), two in vector(),
    ) {
        let mut file = RvfFile::default();
        file.patterns.put(Entry::new(PatternRecord::of(&pattern, one.clone())));
        file.trajectories.put(Entry::new(TrajectoryRecord::of(&trajectory, two.clone())));
        let (back, report) = read(&written(&file)).unwrap();
        prop_assert!(report.is_whole() && report.unknown_fields == 0);
        prop_assert_eq!(&back, &file);
        let record = back.patterns.records().next().unwrap();
        prop_assert_eq!(record.to_pattern(&origin()), Ok((pattern, one.clone())));
        prop_assert_eq!(bits(&record.embedding), bits(&one.unwrap_or_default()));
        let record = back.trajectories.records().next().unwrap();
        prop_assert_eq!(record.to_trajectory(&origin()), Ok((trajectory, two.clone())));
        prop_assert_eq!(bits(&record.embedding), bits(&two.unwrap_or_default()));
    }

    #[test]
    fn weights_come_back_to_the_last_bit(
        values in proptest::collection::vec(finite(), 0..40), strength in finite(), name in text(),
        other in proptest::collection::btree_map("[a-z가]{9}", any::<i64>(), 0..3),
    ) {
        let mut ewc = Entry::new(EwcRecord {
            tasks_learned: 3,
            protection_strength: strength,
            task_weights: [(name.clone(), values.clone())].into(),
            task_importance: [(name.clone(), values.clone())].into(),
            name: Some(name.clone()),
            namespace: None,
        });
        ewc.other = other.into_iter().map(|(name, value)| (name, value.into())).collect();
        let mut file = RvfFile::default();
        file.ewc.put(ewc);
        let factor = Factor { rows: values.len() as u32, columns: 1, values: values.clone() };
        file.adapters.put(Entry::new(AdapterRecord {
            name, rank: 1, dimensions: 1,
            factors: [("up".to_owned(), factor)].into(),
            space: Some(SpaceId { model: "모델".to_owned(), dimensions: 1 }),
            ..Default::default()
        }));
        let (back, report) = read(&written(&file)).unwrap();
        prop_assert!(report.is_whole());
        prop_assert_eq!(&back, &file);
        let record = back.adapters.records().next().unwrap();
        prop_assert_eq!(bits(&record.factors["up"].values), bits(&values));
        let record = back.ewc.records().next().unwrap();
        prop_assert_eq!(record.protection_strength.to_bits(), strength.to_bits());
        prop_assert!(record.task_weights.values().all(|found| bits(found) == bits(&values)));
    }

    #[test]
    fn any_bytes_are_read_or_refused_and_what_was_read_reads_again(
        lines in proptest::collection::vec(prop_oneof![
            Just(GOOD.as_bytes().to_vec()),
            Just(b"REND".to_vec()),
            Just(br#"{"type":"x","data":{"a":[1,2]},"b":null}"#.to_vec()),
            Just(br#"{"type":"ewc","data":{"a":{"b":1.5e300}}}"#.to_vec()),
            proptest::collection::vec(any::<u8>(), 0..30),
        ], 0..8),
    ) {
        let bytes = [b"RVLS\n".to_vec(), lines.join(&b'\n')].concat();
        let (file, _) = read(&bytes).unwrap();
        let (again, report) = read(&written(&file)).unwrap();
        prop_assert!(report.is_whole());
        prop_assert_eq!(again, file);
    }
}
