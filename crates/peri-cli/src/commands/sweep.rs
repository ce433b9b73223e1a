//! `peri sweep`: end what has reached the end of its time in its layer, by hand.

use perihelion::Swept;

use crate::app::App;
use crate::error::CliError;
use crate::exit::Exit;
use crate::output::{Output, grouped};

/// Takes only the global arguments.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  peri sweep")]
pub(crate) struct Args {}

/// Runs the command, over every namespace.
pub(crate) fn run(_: Args, app: &mut App) -> Result<Exit, CliError> {
    let session = app.open()?;
    let swept = session.engine.sweep()?;
    tell(&swept, &mut app.out)?;
    session.close(&mut app.out)?;
    Ok(Exit::Done)
}

fn tell(swept: &Swept, out: &mut Output) -> Result<(), CliError> {
    if out.json {
        return out.document(swept);
    }
    if swept.count() == 0 {
        return out.line("nothing to do: nothing has reached the end of its time");
    }
    let parts = [
        (swept.expired, "expired from working memory"),
        (swept.trashed, "expired elsewhere"),
        (swept.outlived, "episodes ended"),
        (swept.cleaned_up, "cleaned up"),
        (swept.promoted, "promoted"),
    ];
    let told = parts.iter().filter(|(count, _)| *count > 0);
    let told: Vec<String> = told.map(|(count, what)| format!("{} {what}", grouped(*count))).collect();
    out.line(&told.join(", "))?;
    if swept.trashed + swept.outlived + swept.cleaned_up > 0 {
        out.hint("what left other layers than working memory lies in the trash: peri trash list")?;
    }
    Ok(())
}
