//! The `peri` command: the engine for people and scripts. The program itself is one line, so that what it reads from
//! outside can be tested beside the other crates.
//!
//! `cli.rs` says what can be typed, `commands/` holds one verb a file, `config/` turns arguments, environment
//! and file into settings, and `output/` is the only place that writes to the terminal.
#![forbid(unsafe_code)]

mod app;
mod brief;
mod browser;
mod cli;
mod commands;
mod config;
mod confirm;
mod embedding;
mod error;
mod exit;
mod filter;
#[doc(hidden)]
pub mod fuzzing;
mod home;
mod ids;
mod import;
mod input;
mod llm;
mod logging;
mod output;
mod runtime;
mod signals;
mod suggest;
mod target;
mod telemetry;
mod time;
mod vault;
mod version;
mod watchdog;

use std::process::ExitCode;

use clap::Parser;

use crate::app::App;
use crate::cli::Cli;
use crate::error::CliError;
use crate::exit::Exit;
use crate::output::Output;

/// Does what was typed, and says with which code the program ends.
pub fn main() -> ExitCode {
    let exit = match Cli::try_parse() {
        Ok(cli) => run(cli),
        Err(refusal) => output::usage(&refusal, std::env::args_os().any(|argument| argument == "--json")),
    };
    ExitCode::from(exit.code())
}

fn run(cli: Cli) -> Exit {
    // Programs that stay log as their settings say, which are not read yet.
    if !cli.command.stays() {
        logging::start(cli.global.verbose, cli.global.quiet);
    }
    let out = Output::new(cli.global.color, cli.global.json, cli.global.quiet);
    let awaited = commands::awaited(&cli.command);
    let mut app = App { global: cli.global, out, awaited };
    let outcome = commands::run(cli.command, &mut app).and_then(|exit| {
        app.out.flush()?;
        Ok(exit)
    });
    match outcome {
        Ok(exit) => exit,
        // Whoever read the output has seen enough, as in `peri list | head`.
        Err(CliError::Output(error)) if error.kind() == std::io::ErrorKind::BrokenPipe => Exit::Done,
        // What is queued is as good as done, and nothing to try again.
        Err(CliError::Engine(error @ perihelion::Error::Queued)) => app.out.queued(&error),
        Err(error) => app.out.error(&error),
    }
}
