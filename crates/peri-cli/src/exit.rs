//! Exit codes: one table for the program, its help and its JSON errors.

use perihelion::ErrorKind;

/// How the program ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// All was done.
    Done,
    /// Something unexpected.
    Internal,
    /// The arguments, the input or the configuration must be mended.
    BadInput,
    /// What was named is not there.
    NotFound,
    /// The request contradicts what is stored.
    Conflict,
    /// Another process was writing for too long.
    Busy,
    /// The disk, the folder or the embedding engine needs somebody, or health found a problem.
    Unavailable,
    /// The data is damaged.
    Corrupt,
    /// Some was done and some was refused.
    Partly,
}

/// The exit, its code, its name in JSON, and what it means.
const TABLE: [(Exit, u8, &str, &str); 9] = [
    (Exit::Done, 0, "done", "done"),
    (Exit::Internal, 1, "internal", "an unexpected failure, or doctor found something broken"),
    (Exit::BadInput, 2, "invalid_input", "wrong usage, bad input or a bad configuration"),
    (
        Exit::NotFound,
        3,
        "not_found",
        "there is no such memory, value, session, namespace, key, backup or the like",
    ),
    (Exit::Conflict, 4, "conflict", "it contradicts what is stored"),
    (Exit::Busy, 5, "busy", "another process was writing for too long; try again"),
    (
        Exit::Unavailable,
        6,
        "unavailable",
        "disk full, folder read-only, it cannot be opened, or health found a problem",
    ),
    (Exit::Corrupt, 7, "corrupt", "the data is damaged"),
    (Exit::Partly, 8, "partly", "partly done: some lines were refused, the rest is stored"),
];

impl Exit {
    fn row(self) -> (Self, u8, &'static str, &'static str) {
        TABLE.into_iter().find(|(exit, ..)| *exit == self).unwrap_or(TABLE[1])
    }

    /// The process's exit code.
    pub(crate) fn code(self) -> u8 {
        self.row().1
    }

    /// The name in JSON errors.
    pub(crate) fn name(self) -> &'static str {
        self.row().2
    }
}

impl From<ErrorKind> for Exit {
    fn from(kind: ErrorKind) -> Self {
        match kind {
            ErrorKind::InvalidInput => Self::BadInput,
            ErrorKind::NotFound => Self::NotFound,
            ErrorKind::Conflict => Self::Conflict,
            ErrorKind::Busy => Self::Busy,
            ErrorKind::Unavailable | ErrorKind::NotKept => Self::Unavailable,
            ErrorKind::Corrupt => Self::Corrupt,
            // It is kept and will be made.
            ErrorKind::Queued => Self::Done,
            ErrorKind::Internal => Self::Internal,
        }
    }
}

/// Every code and what it means.
pub(crate) fn meanings() -> impl Iterator<Item = (u8, &'static str)> {
    TABLE.into_iter().map(|(_, code, _, meaning)| (code, meaning))
}

/// The footer of `--help`.
pub(crate) fn help() -> String {
    let rows = TABLE.map(|(_, code, _, meaning)| format!("  {code}  {meaning}"));
    format!("Exit codes:\n{}", rows.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_exit_has_a_row_of_its_own() {
        for (number, (exit, code, ..)) in TABLE.into_iter().enumerate() {
            assert_eq!(usize::from(code), number);
            assert_eq!(exit.code(), code);
        }
    }
}
