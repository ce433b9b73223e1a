//! `peri sweep`: end what has reached the end of its time in its layer, by hand.

use perihelion::Swept;

use crate::app::App;
use crate::error::CliError;
use crate::exit::Exit;
use crate::output::{Output, grouped};

/// Takes only the global arguments.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Programs that stay do it by themselves, and `peri maintain` does it too: see [working], [episodic], \
                  [long_term] and [promotion] in `peri config defaults`.\n\nExample:\n  peri sweep"
)]
pub(crate) struct Args {}

/// Runs the command, over every namespace.
pub(crate) fn run(_: Args, app: &mut App) -> Result<Exit, CliError> {
    if !app.global.namespace.is_empty() {
        let hint = "nothing was done; it is over every namespace, so leave it out";
        return Err(CliError::input("--namespace has no meaning here", hint));
    }
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
    out.line(&words(swept))?;
    if swept.trashed + swept.outlived + swept.cleaned_up > 0 {
        out.hint("what left other layers than working memory lies in the trash: `peri trash list`")?;
    }
    Ok(())
}

/// What was ended, in numbers.
pub(super) fn words(swept: &Swept) -> String {
    let parts = [
        (swept.expired, "expired from working memory"),
        (swept.trashed, "expired elsewhere"),
        (swept.outlived, "outlived the time of episodes"),
        (swept.cleaned_up, "cleaned up"),
        (swept.promoted, "promoted"),
    ];
    let told = parts.iter().filter(|(count, _)| *count > 0);
    let told: Vec<String> = told.map(|(count, what)| format!("{} {what}", grouped(*count))).collect();
    told.join(", ")
}
