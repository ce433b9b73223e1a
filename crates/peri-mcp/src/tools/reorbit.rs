//! `memory_reorbit`: bring the zones to where they belong by now.

use perihelion::Reorbited;

use super::stats::Nothing;
use crate::desk::Desk;
use crate::refusal::Refusal;

pub(crate) const WHEN: &str = "Bring the zones of memories up to date now, and move what nobody used for long to the \
trash. It happens by itself every few minutes.";

pub(crate) fn reorbit(desk: &Desk<'_>, _asked: Nothing) -> Result<Reorbited, Refusal> {
    Ok(desk.engine.reorbit(&desk.scope)?)
}
