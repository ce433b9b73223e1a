//! `memory_sweep`: end what has reached the end of its time in its layer.

use perihelion::{Scope, Swept};

use super::stats::Nothing;
use crate::desk::Desk;
use crate::refusal::Refusal;

pub(crate) const WHEN: &str = "End what has reached the end of its time in its layer now: expired working memory, \
episodes beyond their retention, long-term memories beyond their limits. What matters is promoted. It happens by itself.";

pub(crate) fn sweep(desk: &Desk<'_>, _asked: Nothing) -> Result<Swept, Refusal> {
    // It looks after every namespace, so whoever may not look everywhere may not ask for it.
    if desk.scope != Scope::All {
        return Err(Refusal::argument("namespace", "a sweep is for everything; this needs a key for *"));
    }
    Ok(desk.engine.sweep()?)
}
