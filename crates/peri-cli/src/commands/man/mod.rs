//! `peri man`: manual pages, made from what can be typed.

mod examples;
mod page;

use std::path::{Path, PathBuf};

use clap::CommandFactory;

use crate::app::App;
use crate::cli::Cli;
use crate::error::CliError;
use crate::exit::Exit;
use crate::output::counted;
use crate::target::{Existing, Target};

/// Which page, or where all of them go.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  peri man recall | man -l -\n  peri man --out ~/.local/share/man/man1")]
pub(crate) struct Args {
    /// The page's verb, such as recall or graph link; without one, the page of peri itself
    #[arg(value_name = "VERB")]
    verb: Vec<String>,
    /// Write the pages of all verbs into this folder instead
    #[arg(long, value_name = "DIR", conflicts_with = "verb")]
    out: Option<PathBuf>,
}

/// Runs the command.
pub(crate) fn run(args: &Args, app: &mut App) -> Result<Exit, CliError> {
    let program = program();
    if let Some(folder) = &args.out {
        return write_all(&program, folder, app);
    }
    let mut command = &program;
    for verb in &args.verb {
        command = command.find_subcommand(verb).ok_or_else(|| {
            let hint = "`peri --help` lists the verbs";
            CliError::input(format!("there is no verb {}", args.verb.join(" ")), hint)
        })?;
    }
    app.out.bytes(&page::render(command))?;
    Ok(Exit::Done)
}

/// The program with all its verbs, each knowing its whole name.
fn program() -> clap::Command {
    let mut program = Cli::command().disable_help_subcommand(true);
    program.build();
    program
}

fn write_all(program: &clap::Command, folder: &Path, app: &mut App) -> Result<Exit, CliError> {
    std::fs::create_dir_all(folder).map_err(|error| {
        let happened = format!("the folder {} cannot be made: {error}", folder.display());
        CliError::input(happened, "no page was written")
    })?;
    let pages = pages(program);
    for command in &pages {
        let mut target = Target::begin(&folder.join(page::file_name(command)), Existing::Replaced)?;
        std::io::Write::write_all(&mut target, &page::render(command)).map_err(CliError::Output)?;
        target.finish()?;
    }
    app.out.note(&format!("{} in {}", counted(pages.len() as u64, "page", "pages"), folder.display()))?;
    Ok(Exit::Done)
}

/// Whether it is `peri` itself rather than one of its verbs.
fn is_program(command: &clap::Command) -> bool {
    command.get_name() == "peri"
}

/// A command and all below it that people may see.
fn pages(command: &clap::Command) -> Vec<&clap::Command> {
    let below = command.get_subcommands().filter(|below| !below.is_hide_set());
    std::iter::once(command).chain(below.flat_map(pages)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_has_a_page_with_examples() {
        let program = program();
        for command in pages(&program) {
            let text = String::from_utf8(page::render(command)).unwrap();
            for section in ["NAME", "SYNOPSIS", "DESCRIPTION", "EXAMPLES"] {
                assert!(text.contains(&format!("\n.SH {section}\n")), "{}: {section}", command.get_name());
            }
        }
    }

    #[test]
    fn each_page_has_a_file_of_its_own_and_pages_name_only_pages_that_are_there() {
        let program = program();
        let mut names: Vec<_> = pages(&program).into_iter().map(page::file_name).collect();
        for expected in ["peri.1", "peri-remember.1", "peri-graph-link.1", "peri-journal-turn-begin.1"] {
            assert!(names.iter().any(|name| name == expected), "{expected}");
        }
        let count = names.len();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), count);
        for command in pages(&program) {
            for other in page::see_also(command) {
                assert!(names.contains(&format!("{other}.1")), "{other}");
            }
        }
    }
}
