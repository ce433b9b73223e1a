//! `peri completions`: a script that teaches a shell what can be typed.

use clap::CommandFactory;
use clap_complete::Shell;

use crate::app::App;
use crate::cli::Cli;
use crate::error::CliError;
use crate::exit::Exit;

/// For which shell.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
    peri completions bash > ~/.local/share/bash-completion/completions/peri\n  \
    peri completions zsh > ~/.zfunc/_peri\n  \
    peri completions fish > ~/.config/fish/completions/peri.fish")]
pub(crate) struct Args {
    /// The shell
    shell: Shell,
}

/// Runs the command.
pub(crate) fn run(args: Args, app: &mut App) -> Result<Exit, CliError> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "peri", &mut script);
    app.out.bytes(&script)?;
    Ok(Exit::Done)
}
