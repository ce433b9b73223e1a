//! `peri doctor`: runs the whole loop and says what it finds.

use perihelion::{Check, Perihelion, Scope, Verdict};
use serde_json::json;

use crate::app::App;
use crate::commands::{hook, workers};
use crate::config::Loaded;
use crate::error::CliError;
use crate::exit::Exit;
use crate::home::Home;
use crate::output::{BAD, CAUTION, GOOD, Output, counted};

/// Takes only the global arguments.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  peri doctor\n  peri doctor --json")]
pub(crate) struct Args {}

/// Runs the command. A configuration that cannot be used, or a folder that cannot be opened, is a finding
/// like any other.
pub(crate) fn run(_: Args, app: &mut App) -> Result<Exit, CliError> {
    let home = app.home()?;
    let loaded = match app.config() {
        Ok(loaded) => loaded,
        Err(error) => {
            tell(&[broken("configuration", &error)], &home, &mut app.out)?;
            return Ok(error.exit());
        }
    };
    let mut checks = vec![configuration(&loaded)];
    let folder = &loaded.home.folder;
    let exit = match Perihelion::open(loaded.config.options(folder)) {
        Ok(engine) => {
            checks.push(check("folder", Verdict::Ok, folder.display().to_string(), None));
            checks.extend(engine.doctor());
            checks.extend(hook::check(folder));
            checks.extend([learning(&engine), workers_check(&engine)]);
            tell(&checks, &home, &mut app.out)?;
            if let Err(error) = engine.close() {
                app.out.warning(&format!("closing left chores undone, the memories are safe: {error}"))?;
            }
            let failed = checks.iter().any(|check| check.verdict == Verdict::Failed);
            if failed { Exit::Internal } else { Exit::Done }
        }
        Err(error) => {
            let error = CliError::from(error);
            checks.push(broken("folder", &error));
            tell(&checks, &home, &mut app.out)?;
            error.exit()
        }
    };
    Ok(exit)
}

fn configuration(loaded: &Loaded) -> Check {
    let detail = if loaded.file.exists() {
        format!("{} is in order", loaded.file.display())
    } else {
        "no file, the defaults are used".to_owned()
    };
    check("configuration", Verdict::Ok, detail, None)
}

/// What was learned, in a few words.
fn learning(engine: &Perihelion) -> Check {
    match engine.learning(&Scope::All) {
        Ok(learned) => {
            let patterns = counted(learned.short_term + learned.long_term, "pattern", "patterns");
            let tasks = counted(learned.trajectories, "recorded task", "recorded tasks");
            check("learning", Verdict::Ok, format!("{patterns}, {tasks}"), None)
        }
        Err(error) => broken("learning", &error.into()),
    }
}

/// Workers whose last run failed are worth a look.
fn workers_check(engine: &Perihelion) -> Check {
    match workers::failing(engine) {
        Ok(failing) if failing.is_empty() => {
            check("workers", Verdict::Ok, "no last run of a worker failed".to_owned(), None)
        }
        Ok(failing) => {
            let told = failing.iter().map(|run| format!("{} {}: {}", run.worker, run.status, run.summary));
            let remedy =
                "`peri workers logs NAME` tells more, `peri workers run NAME` tries again".to_owned();
            check("workers", Verdict::Warning, told.collect::<Vec<_>>().join("; "), Some(remedy))
        }
        Err(error) => broken("workers", &error.into()),
    }
}

fn broken(name: &'static str, error: &CliError) -> Check {
    let detail = std::iter::once(error.to_string()).chain(error.causes()).collect::<Vec<_>>().join(": ");
    check(name, Verdict::Failed, detail, error.hint())
}

fn check(name: &'static str, verdict: Verdict, detail: String, remedy: Option<String>) -> Check {
    Check { name, verdict, detail, remedy }
}

fn tell(checks: &[Check], home: &Home, out: &mut Output) -> Result<(), CliError> {
    if out.json {
        let verdict = checks.iter().map(|check| check.verdict).max();
        out.document(&json!({ "folder": home.folder, "verdict": verdict, "checks": checks }))?;
        return out.flush();
    }
    let names = checks.iter().map(|check| check.name.len()).max().unwrap_or(0);
    for check in checks {
        let (style, word) = match check.verdict {
            Verdict::Ok => (GOOD, "ok"),
            Verdict::Warning => (CAUTION, "warning"),
            Verdict::Failed => (BAD, "failed"),
        };
        let verdict = out.paint(style, &format!("{word:<7}"));
        let detail = out.clean(&check.detail);
        out.line(&format!("{verdict}  {:<names$}  {detail}", check.name))?;
        if let Some(remedy) = &check.remedy {
            out.line(&format!("{:9}{:names$}  what to do: {remedy}", "", ""))?;
        }
    }
    out.flush()
}
