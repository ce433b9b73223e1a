//! Asking before something is destroyed. Where nobody can be asked, `--yes` must have been typed.

use std::io::{BufRead, IsTerminal};

use crate::app::App;
use crate::error::CliError;

/// Refuses where there is no terminal to ask on.
pub(crate) fn needs_terminal(why: &str) -> Result<(), CliError> {
    if std::io::stdin().is_terminal() {
        return Ok(());
    }
    Err(CliError::input(
        format!("{why}, and there is no terminal to ask on"),
        "nothing was destroyed; add --yes if you mean it",
    ))
}

/// What the person at the terminal answers.
pub(crate) fn answer(question: &str, app: &mut App) -> Result<String, CliError> {
    app.out.ask(question)?;
    let mut answer = String::new();
    let read = std::io::stdin().lock().read_line(&mut answer);
    read.map_err(|source| CliError::read("the answer", source))?;
    Ok(answer.trim().to_owned())
}
