//! `peri demo`: everything once, on an invented conversation in a folder of its own.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use perihelion::{Namespace, Perihelion, Recall, Recalled, Remember, Scope};
use serde_json::json;

use crate::app::App;
use crate::error::CliError;
use crate::exit::Exit;
use crate::home;
use crate::import::{conversation_turn, record};
use crate::output::{ACCENT, FAINT, Output, Reasons, STRONG, counted};

/// Two people over four sessions, and a few plain facts. All of it is invented.
const CONVERSATION: &str = include_str!("conversation.jsonl");

/// What is asked, and what it is meant to show.
const QUESTIONS: [(&str, &str); 7] = [
    ("why does Ines carry an adrenaline pen?", "a turn of a conversation, and who said it"),
    ("when is the pottery class?", "the memory says course, not class"),
    ("which orchestra does Tomasz play in?", "one turn among many of his"),
    ("E0308", "an identifier, letter for letter"),
    ("부산으로 누가 옮기나요?", "Korean, by its words"),
    ("谁喜欢拍照", "Chinese, by its words"),
    ("how deep is the Mariana trench?", "nothing here knows that, and nothing is what comes back"),
];

/// Hits shown for each question.
const HITS: usize = 2;

const COMMANDS: [(&str, &str); 5] = [
    ("peri remember TEXT", "keep something"),
    ("peri recall QUESTION", "find what matters to a question"),
    ("peri list", "see the latest memories"),
    ("peri forget ID", "move one to the trash"),
    ("peri doctor", "check that all is well"),
];

/// Takes only the global arguments; `--home` names a folder that must be new.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  peri demo")]
pub(crate) struct Args {}

struct Answer {
    question: &'static str,
    point: &'static str,
    recalled: Recalled,
    took: Duration,
}

/// Runs the command.
pub(crate) fn run(_: Args, app: &mut App) -> Result<Exit, CliError> {
    let folder = folder(app)?;
    let config = app.config()?.config;
    let opening = Instant::now();
    let engine = Perihelion::open(config.options(&folder))?;
    let opened = opening.elapsed();
    let storing = Instant::now();
    let stored = engine.remember_all(requests(&config.namespace)?)?.len();
    let stored_in = storing.elapsed();
    let answers = answers(&engine, &config.namespace)?;
    let out = &mut app.out;
    if out.json {
        out.document(&document(&folder, stored, opened, stored_in, &answers))?;
    } else {
        out.line(&format!(
            "{} remembered in {}: a conversation of Ines and Tomasz, and a few facts",
            counted(stored as u64, "memory", "memories"),
            milliseconds(stored_in)
        ))?;
        answers.iter().try_for_each(|answer| tell(answer, out))?;
        tell_end(&folder, out)?;
    }
    out.flush()?;
    engine.close()?;
    Ok(Exit::Done)
}

/// A folder that holds no memories yet, so that nothing real is touched.
fn folder(app: &App) -> Result<PathBuf, CliError> {
    let folder = app.global.home.as_deref().map(home::whole).transpose()?.unwrap_or_else(|| {
        let now = jiff::Timestamp::now().as_millisecond();
        std::env::temp_dir().join(format!("perihelion-demo-{now}-{}", std::process::id()))
    });
    if folder.join(Perihelion::DATABASE).exists() {
        let message = format!("{} holds memories already", folder.display());
        return Err(CliError::input(
            message,
            "nothing was changed; give --home a new folder, or leave it out",
        ));
    }
    Ok(folder)
}

fn requests(namespace: &Namespace) -> Result<Vec<Remember>, CliError> {
    let template = Remember::default().in_namespace(namespace.clone());
    let lines = CONVERSATION.lines().filter(|line| !line.is_empty());
    lines
        .map(|line| {
            let request = record::parse(line, &template)
                .map_err(|why| CliError::input(format!("{line}: {why}"), "report this"))?;
            Ok(conversation_turn(request))
        })
        .collect()
}

fn answers(engine: &Perihelion, namespace: &Namespace) -> Result<Vec<Answer>, CliError> {
    let ask = |(question, point)| {
        let asking = Instant::now();
        let request = Recall::new(question).in_scope(Scope::Exact(namespace.clone())).limit(HITS);
        let recalled = engine.recall(&request)?;
        Ok(Answer { question, point, recalled, took: asking.elapsed() })
    };
    QUESTIONS.into_iter().map(ask).collect()
}

fn tell(answer: &Answer, out: &mut Output) -> Result<(), CliError> {
    out.line("")?;
    let question = out.paint(STRONG, answer.question);
    let about = out.paint(FAINT, &format!("({}, {})", answer.point, milliseconds(answer.took)));
    out.line(&format!("{} {question}  {about}", out.paint(ACCENT, "?")))?;
    if answer.recalled.hits.is_empty() {
        return out.line("    nothing relevant");
    }
    for (at, hit) in answer.recalled.hits.iter().enumerate() {
        out.hit(at + 1, hit, false, Reasons::Shown)?;
    }
    Ok(())
}

fn tell_end(folder: &std::path::Path, out: &mut Output) -> Result<(), CliError> {
    let folder = folder.display().to_string();
    out.line("")?;
    out.field("the data is in", &folder)?;
    let folder = quoted(&folder);
    out.field("ask it more", &format!("peri --home {folder} recall --explain your question"))?;
    out.field("throw it away", &format!("rm -r {folder}"))?;
    out.line("")?;
    out.line("Every day, on your own memories:")?;
    COMMANDS.iter().try_for_each(|(command, what)| out.line(&format!("  {command:<22} {what}")))
}

/// A path as a shell takes it whole: a space in it must not make two of it, least of all for `rm`.
fn quoted(path: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "/._-+@%:,".contains(c);
    if path.chars().all(plain) { path.to_owned() } else { format!("'{}'", path.replace('\'', r"'\''")) }
}

fn document(
    folder: &std::path::Path,
    stored: usize,
    opened: Duration,
    stored_in: Duration,
    answers: &[Answer],
) -> serde_json::Value {
    let ms = |took: Duration| took.as_secs_f64() * 1000.0;
    let answers = answers.iter().map(|answer| {
        json!({ "question": answer.question, "took_ms": ms(answer.took), "hits": answer.recalled.hits })
    });
    json!({
        "folder": folder,
        "stored": stored,
        "opened_ms": ms(opened),
        "stored_ms": ms(stored_in),
        "answers": answers.collect::<Vec<_>>(),
    })
}

fn milliseconds(took: Duration) -> String {
    format!("{:.1} ms", took.as_secs_f64() * 1000.0)
}
