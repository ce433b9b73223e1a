//! `peri graph export`: a namespace's graph for other programs.

use std::path::{Path, PathBuf};

use perihelion::ExportFormat;
use serde_json::json;

use crate::app::{App, Session};
use crate::cli;
use crate::error::CliError;
use crate::target::{Existing, Target};

/// As what, and where to.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  peri graph export --format dot | dot -Tsvg > memories.svg")]
pub(super) struct Args {
    /// How it is written: for Graphviz, for Gephi and its kin, or as one JSON object
    #[arg(long, short, value_parser = cli::export_format())]
    format: ExportFormat,
    /// The file; - is standard output
    #[arg(long, short, value_name = "FILE", default_value = "-", hide_default_value = true)]
    output: PathBuf,
    /// Replace the file if it is there
    #[arg(long)]
    force: bool,
}

pub(super) fn run(args: &Args, session: &Session, app: &mut App) -> Result<(), CliError> {
    let namespace = app.one_namespace(&session.config)?;
    let engine = &session.engine;
    if args.output == Path::new("-") {
        let written = engine.export_graph(&namespace, args.format, app.out.writer());
        return written.map_err(|error| match error {
            perihelion::Error::Transfer(source) => CliError::Output(source),
            error => error.into(),
        });
    }
    let existing = if args.force { Existing::Replaced } else { Existing::Kept };
    let mut target = Target::begin(&args.output, existing)?;
    engine.export_graph(&namespace, args.format, &mut target).map_err(|error| match error {
        perihelion::Error::Transfer(source) => CliError::Write { path: args.output.clone(), source },
        error => error.into(),
    })?;
    target.finish()?;
    if app.out.json {
        let format = args.format.as_str();
        return app.out.document(&json!({ "file": args.output, "format": format, "namespace": namespace }));
    }
    app.out.line(&format!("the graph of {namespace} is written to {}", args.output.display()))
}
