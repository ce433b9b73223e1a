//! Benchmark: how fast and how good recall is, on the questions that users judged. The trend is kept.

use perihelion::{FeedbackRecord, NewAlert, Recall, Scope, Severity};
use serde_json::{Value, json};

use crate::job::{Findings, Job, Trouble};

/// So many of the latest judged questions of a namespace are asked again.
const QUESTIONS: usize = 200;

/// Fewer judged questions say nothing.
const QUESTIONS_MIN: usize = 5;

/// A result counts if it is among so many.
const DEPTH: usize = 10;

/// So many earlier runs are compared with, if there are so many at least.
const TREND: usize = 10;
const TREND_MIN: usize = 3;

/// A quality that falls by more than this is told.
const QUALITY_FALL: f64 = 0.1;

pub(crate) fn run(job: &Job<'_>) -> Result<Findings, Trouble> {
    let mut measured = Measured::default();
    for namespace in job.engine.namespaces(job.scope)? {
        for record in job.engine.judged(&namespace, QUESTIONS)? {
            job.breathe()?;
            measured.ask(job, &record)?;
        }
    }
    if measured.questions() < QUESTIONS_MIN {
        return Err(Trouble::Unavailable(format!(
            "{} questions were judged so far, and {QUESTIONS_MIN} are needed (peri feedback)",
            measured.questions()
        )));
    }
    let figures = measured.figures();
    let mut findings = Findings::new(format!(
        "{} questions: recall@5 {:.3}, recall@10 {:.3}, p50 {:.1} ms, p95 {:.1} ms",
        measured.questions(),
        figures.recall_at_5,
        figures.recall_at_10,
        figures.p50_micros / 1000.0,
        figures.p95_micros / 1000.0
    ));
    findings.alerts = alerts(&figures, job);
    for (name, value) in figures.named() {
        findings = findings.figure(name, value);
    }
    Ok(findings)
}

/// What was measured.
#[derive(Default)]
struct Measured {
    micros: Vec<f64>,
    at_5: f64,
    at_10: f64,
    reciprocal: f64,
}

struct Figures {
    questions: usize,
    recall_at_5: f64,
    recall_at_10: f64,
    reciprocal_rank: f64,
    p50_micros: f64,
    p95_micros: f64,
}

impl Figures {
    fn named(&self) -> [(&'static str, Value); 6] {
        [
            ("questions", json!(self.questions)),
            ("recall_at_5", json!(self.recall_at_5)),
            ("recall_at_10", json!(self.recall_at_10)),
            ("reciprocal_rank", json!(self.reciprocal_rank)),
            ("p50_micros", json!(self.p50_micros)),
            ("p95_micros", json!(self.p95_micros)),
        ]
    }
}

impl Measured {
    fn questions(&self) -> usize {
        self.micros.len()
    }

    /// Asks a judged question again, without counting it as a use.
    fn ask(&mut self, job: &Job<'_>, record: &FeedbackRecord) -> Result<(), Trouble> {
        let scope = Scope::Exact(record.namespace.clone());
        // What is gone meanwhile cannot be found.
        let used = record.results.iter().filter(|result| result.used);
        let used: Vec<_> = used
            .filter(|one| job.engine.get(&scope, one.id).is_ok_and(|memory| memory.trashed_at.is_none()))
            .collect();
        if used.is_empty() {
            return Ok(());
        }
        let recalled = job.engine.search(&Recall::new(&record.query).in_scope(scope).limit(DEPTH))?;
        let places: Vec<usize> = used
            .iter()
            .filter_map(|one| recalled.hits.iter().position(|hit| hit.memory.id == one.id))
            .collect();
        let share =
            |depth: usize| places.iter().filter(|place| **place < depth).count() as f64 / used.len() as f64;
        self.at_5 += share(5);
        self.at_10 += share(DEPTH);
        self.reciprocal += places.iter().min().map_or(0.0, |place| 1.0 / (place + 1) as f64);
        self.micros.push(recalled.took.0.as_secs_f64() * 1e6);
        Ok(())
    }

    fn figures(&self) -> Figures {
        let mut micros = self.micros.clone();
        micros.sort_by(f64::total_cmp);
        let at = |share: f64| {
            micros.get(((micros.len() as f64 - 1.0) * share).round() as usize).copied().unwrap_or(0.0)
        };
        let count = self.micros.len().max(1) as f64;
        Figures {
            questions: self.micros.len(),
            recall_at_5: self.at_5 / count,
            recall_at_10: self.at_10 / count,
            reciprocal_rank: self.reciprocal / count,
            p50_micros: at(0.5),
            p95_micros: at(0.95),
        }
    }
}

/// What became worse than it was in the runs before. Times are not among it: they were taken on a thread that yields to
/// all others.
fn alerts(figures: &Figures, job: &Job<'_>) -> Vec<NewAlert> {
    let earlier = |name: &str| -> Option<f64> {
        let runs = job.earlier.iter().filter(|run| run.status == "done").take(TREND);
        let mut values: Vec<f64> =
            runs.filter_map(|run| run.detail.get("figures")?.get(name)?.as_f64()).collect();
        values.sort_by(f64::total_cmp);
        (values.len() >= TREND_MIN).then(|| values[values.len() / 2])
    };
    let mut alerts = Vec::new();
    if let Some(usual) = earlier("recall_at_10").filter(|usual| usual - figures.recall_at_10 > QUALITY_FALL) {
        alerts.push(alert(
            "quality",
            format!("recall@10 on judged questions fell from {usual:.2} to {:.2}", figures.recall_at_10),
        ));
    }
    alerts
}

fn alert(mark: &str, message: String) -> NewAlert {
    NewAlert {
        mark: mark.to_owned(),
        namespace: None,
        severity: Severity::Warning,
        message,
        ids: Vec::new(),
        file: None,
    }
}
