//! Conditions that recall and list share.

use clap::Args;
use perihelion::{Circumstance, Filter, Kind, Layer, Timestamp};

use crate::error::CliError;
use crate::{cli, time};

/// Which memories are looked at.
#[derive(Debug, Args)]
#[command(next_help_heading = "Conditions")]
pub(crate) struct FilterArgs {
    /// Only this layer; may be repeated
    #[arg(long, value_parser = cli::layer())]
    layer: Vec<Layer>,
    /// Only this kind; may be repeated
    #[arg(long, value_parser = cli::kind())]
    kind: Vec<Kind>,
    /// Only with this tag; when repeated, with all of them
    #[arg(long)]
    tag: Vec<String>,
    /// Only of one conversation
    #[arg(long)]
    session: Option<String>,
    /// Only said by one person
    #[arg(long)]
    speaker: Option<String>,
    /// Only under this circumstance, such as spatial.place=office; when repeated, under all of them
    #[arg(long, value_name = "CIRCUMSTANCE")]
    context: Vec<Circumstance>,
    /// Only from this time on: 2026-11-15, an RFC 3339 time, last tuesday, 지난주, 上周, 12h, 7d, 2w, 3mo (ago)
    #[arg(long, value_name = "TIME", value_parser = time::past)]
    since: Option<Timestamp>,
    /// Only until this time; a day is included whole
    #[arg(long, value_name = "TIME", value_parser = time::until)]
    until: Option<Timestamp>,
}

impl FilterArgs {
    /// The condition for the engine. A time that ends before it begins is a slip, not an empty answer.
    pub(crate) fn filter(self) -> Result<Filter, CliError> {
        let FilterArgs { layer, kind, tag, session, speaker, context, since, until } = self;
        if let (Some(since), Some(until)) = (since, until)
            && since >= until
        {
            return Err(CliError::input(
                "--since is not earlier than --until, so nothing can fit",
                "exchange the two",
            ));
        }
        let (layers, kinds, tags) = (layer, kind, tag);
        Ok(Filter { layers, kinds, tags, since, until, session, speaker, pinned: None, context })
    }
}
