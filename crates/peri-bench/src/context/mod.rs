//! placeholder
use crate::Outcome;
/// x
#[derive(clap::Args)]
pub(crate) struct Plan {}
pub(crate) fn run(_plan: &Plan) -> Outcome<()> { Ok(()) }
