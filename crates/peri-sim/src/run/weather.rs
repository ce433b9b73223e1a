//! What goes wrong.

use std::io;

use crate::disk::Left;
use crate::random::Random;
use crate::shim::{Action, Control, Errno, Kinds, State};

/// How the disk is.
#[derive(Debug)]
pub(super) struct Weather {
    pub(super) state: State,
}

impl Default for Weather {
    fn default() -> Self {
        Self { state: State::Well }
    }
}

impl Weather {
    /// Storms are rare and pass.
    pub(super) fn turn(&mut self, random: &mut Random) {
        self.state = match self.state {
            State::Well if random.one_in(8) => State::Full,
            State::Well if random.one_in(14) => State::ReadOnly,
            State::Well => State::Well,
            storm if random.one_in(2) => storm,
            State::Full | State::ReadOnly => State::Well,
        };
    }
}

/// What happens to a process at one of its calls.
#[derive(Debug, Clone, Copy)]
pub(super) struct Jolt {
    pub(super) action: Action,
    error: Errno,
    kinds: Kinds,
    ahead: u64,
}

impl Jolt {
    pub(super) fn draw(random: &mut Random) -> Self {
        let action = match random.below(20) {
            0 | 1 => Action::Kill,
            2 => Action::Tear,
            3 | 4 => Action::FailOnce,
            5 => Action::FailOn,
            6 => Action::Half,
            7 => Action::Stop,
            _ => Action::Nothing,
        };
        Self::with(action, random)
    }

    /// One that the process does not survive.
    pub(super) fn fatal(random: &mut Random) -> Self {
        Self::with(Action::Kill, random)
    }

    fn with(action: Action, random: &mut Random) -> Self {
        let kinds = [Kinds::CHANGES, Kinds::CHANGES, Kinds::ALL, Kinds::WRITES, Kinds::SYNCS];
        let kinds = match random.pick(&kinds).copied().unwrap_or(Kinds::ALL) {
            // Where locks fail for good, SQLite tries for ten seconds each time: slow, and nothing comes of it.
            kinds if action == Action::FailOn && kinds.have_locks() => Kinds::WRITES,
            kinds => kinds,
        };
        let error = match random.pick(&Errno::ALL).copied().unwrap_or(Errno::Defect) {
            // Who is interrupted tries again, and nobody is interrupted for ever.
            Errno::Interrupted if action == Action::FailOn => Errno::Defect,
            error => error,
        };
        // Most calls to the engine make a few dozen calls to the disk; some make hundreds.
        let reach = [4, 20, 80, 400][usize::try_from(random.below(4)).unwrap_or(0)];
        Self { action, error, kinds, ahead: 1 + random.below(reach) }
    }

    pub(super) fn is_fatal(&self) -> bool {
        matches!(self.action, Action::Kill | Action::Tear)
    }

    /// Whether a call that reads may fail with a defect: what cannot be read is damaged as far as SQLite is concerned.
    pub(super) fn spoils_reads(&self) -> bool {
        let fails = matches!(self.action, Action::FailOnce | Action::FailOn);
        fails && self.error == Errno::Defect && self.kinds.have_reads()
    }

    pub(super) fn plan(&self, control: &Control) -> io::Result<()> {
        match self.action {
            Action::Nothing => control.calm(),
            action => control.plan(self.ahead, self.kinds, action, self.error),
        }
    }
}

const HOUR_MS: i64 = 3_600_000;
const YEAR_MS: i64 = 365 * 24 * HOUR_MS;

/// How far a clock is ahead from now on.
pub(super) fn jump(random: &mut Random) -> i64 {
    let since_1970 = jiff::Timestamp::now().as_millisecond();
    let ways = [0, 0, 3 * HOUR_MS, -3 * HOUR_MS, 40 * 24 * HOUR_MS, -2 * YEAR_MS, 3 * YEAR_MS, -since_1970];
    random.pick(&ways).copied().unwrap_or(0)
}

/// How much is there of what was not flushed.
pub(super) fn left(random: &mut Random) -> Left {
    let ways = [Left::Nothing, Left::Some, Left::Some, Left::All];
    random.pick(&ways).copied().unwrap_or(Left::Nothing)
}
