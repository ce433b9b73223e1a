//! Who holds a lease, so that one whose holder is gone need not run out.

use std::path::Path;
use std::time::Duration;

use peri_types::{Clock, MemoryId, Timestamp};

use crate::Error;
use crate::engine::Core;

/// A name for this engine, with the process that it is in where others can tell whether that is still there.
pub(crate) fn name() -> String {
    let id = MemoryId::generate(Timestamp::now());
    match machine() {
        Some(machine) => format!("{id} {} {machine}", std::process::id()),
        None => id.to_string(),
    }
}

/// What tells this run of the machine, and the process numbers that it gives, from others.
fn machine() -> Option<String> {
    let boot = Clock::system().uptime().boot?;
    let numbers = std::fs::read_link("/proc/self/ns/pid").ok()?;
    Some(format!("{boot} {}", numbers.display()))
}

/// Whether the process of a holder is surely gone: one of this run of this machine that is there no more.
fn is_gone(holder: &str) -> bool {
    let Some((process, machine)) = holder.split_once(' ').and_then(|(_, rest)| rest.split_once(' ')) else {
        return false;
    };
    let is_number = process.bytes().all(|byte| byte.is_ascii_digit());
    is_number && self::machine().as_deref() == Some(machine) && !Path::new("/proc").join(process).exists()
}

impl Core {
    /// Takes or renews a lease. One whose holder died, or could not give it back because the disk was full, is taken from
    /// it at once.
    pub(crate) fn take_lease(&self, name: &str, time_to_live: Duration) -> Result<bool, Error> {
        let take = || self.store.acquire_lease(name, &self.holder, self.now(), time_to_live);
        if take()? {
            return Ok(true);
        }
        match self.store.lease(name)? {
            Some(lease) if is_gone(&lease.holder) => {
                tracing::info!(name, "a lease is taken over from a process that is gone");
                self.store.release_lease(name, &lease.holder)?;
                Ok(take()?)
            }
            _ => Ok(false),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_holder_is_gone_when_its_process_is_and_nobody_else_is() {
        assert!(!is_gone(&name()), "this one is here");
        for unknown in
            ["", "0198c5b2-7d3e-7a41-9c55-1f2e3d4c5b6a", "a b c", "a 1", "a 4194305000 other machine"]
        {
            assert!(!is_gone(unknown), "{unknown}");
        }
        if let Some(machine) = machine() {
            let mut child = std::process::Command::new("true").spawn().unwrap();
            let process = child.id();
            child.wait().unwrap();
            assert!(is_gone(&format!("some {process} {machine}")));
            assert!(!is_gone(&format!("some {process}x {machine}")));
        }
    }
}
