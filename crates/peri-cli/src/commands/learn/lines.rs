//! Many tasks, one JSON object a line.

use std::io::BufRead;

use perihelion::{NewTrajectory, Perihelion, TrajectoryReceipt};
use serde::Serialize;
use serde_json::{Map, Value};

use crate::error::CliError;
use crate::import::lines::{Line, Lines};

/// The longest line. What one task may hold is limited besides.
const LINE_BYTES_MAX: usize = 64 << 20;

/// A line that was not recorded.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(super) struct Refused {
    /// Which line, from 1.
    pub(super) line: usize,
    /// Why.
    pub(super) why: String,
}

/// What became of all lines.
#[derive(Debug, Default, Serialize)]
pub(super) struct Report {
    /// What was recorded.
    pub(super) receipts: Vec<TrajectoryReceipt>,
    /// What was not.
    pub(super) refused: Vec<Refused>,
}

/// Records every line that can be read; the others are listed. What a line does not say is taken from the template.
pub(super) fn record(
    engine: &Perihelion,
    name: &str,
    reader: impl BufRead,
    template: &Map<String, Value>,
) -> Result<Report, CliError> {
    let mut lines = Lines::new(reader, LINE_BYTES_MAX);
    let mut report = Report::default();
    while let Some(line) = lines.next().map_err(|source| CliError::read(name, source))? {
        let refused = |why| Refused { line: lines.number, why };
        let new = match line {
            Line::Text(text) if text.trim().is_empty() => continue,
            Line::Text(text) => parse(&text, template),
            Line::NotText(at) => Err(format!("it is not UTF-8 text from byte {at} on")),
            Line::TooLong(bytes) => Err(format!("{bytes} bytes are more than the {LINE_BYTES_MAX} allowed")),
        };
        match new.map(|new| engine.record_trajectory(new)) {
            Err(why) => report.refused.push(refused(why)),
            Ok(Ok(receipt)) => report.receipts.push(receipt),
            Ok(Err(error)) if error.kind() == perihelion::ErrorKind::InvalidInput => {
                report.refused.push(refused(error.to_string()));
            }
            // Whatever is wrong with the store is wrong for every line.
            Ok(Err(error)) => {
                let (line, kept) = (lines.number, report.receipts.len());
                return Err(CliError::TasksStopped { line, kept, source: Box::new(error.into()) });
            }
        }
    }
    Ok(report)
}

fn parse(text: &str, template: &Map<String, Value>) -> Result<NewTrajectory, String> {
    let value: Value = serde_json::from_str(text).map_err(|error| format!("it is no JSON: {error}"))?;
    let Value::Object(mut object) = value else {
        return Err("it is no JSON object; write {\"task\": …, \"outcome\": …}".to_owned());
    };
    for (key, value) in template {
        object.entry(key).or_insert_with(|| value.clone());
    }
    serde_json::from_value(Value::Object(object)).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_goes_before_the_template_and_what_is_no_task_is_told() {
        let template = Map::from_iter([
            ("namespace".to_owned(), Value::from("team/a")),
            ("agent".to_owned(), Value::from("tester")),
        ]);
        let text = r#"{"task": "로그인 테스트", "outcome": "success", "agent": "coder"}"#;
        let new = parse(text, &template).unwrap();
        assert_eq!((new.agent.as_deref(), new.namespace.as_str()), (Some("coder"), "team/a"));
        for (text, says) in [
            ("测试", "no JSON"),
            ("[1]", "no JSON object"),
            (r#"{"task": "x"}"#, "outcome"),
            (r#"{"task": "x", "outcome": "won"}"#, "won"),
            (r#"{"task": "x", "outcome": "success", "colour": 1}"#, "colour"),
        ] {
            let error = parse(text, &template).unwrap_err();
            assert!(error.contains(says), "{text}: {error}");
        }
    }
}
