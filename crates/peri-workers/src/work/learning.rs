//! The worker `learning`.

use crate::job::{Findings, Job, Trouble};

pub(crate) fn run(_: &Job<'_>) -> Result<Findings, Trouble> {
    Err(Trouble::Unavailable("not there yet".to_owned()))
}
