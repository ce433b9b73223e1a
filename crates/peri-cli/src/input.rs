//! Text that is typed or piped in.

use std::io::{IsTerminal, Read};

use crate::error::CliError;

/// A byte order mark at the start of a file is not part of the text.
const MARK: char = '\u{feff}';

/// Where a text comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Source {
    /// It was typed.
    Words(String),
    /// It is piped in: `-` was typed, or nothing while standard input is not a terminal.
    Standard,
    /// Nothing was typed or piped.
    Nothing,
}

impl Source {
    /// Where the text of a command comes from that takes words, `-`, or a pipe.
    pub(crate) fn of(words: &[String]) -> Self {
        match words {
            [] if std::io::stdin().is_terminal() => Self::Nothing,
            [] => Self::Standard,
            [dash] if dash == "-" => Self::Standard,
            words => Self::Words(words.join(" ")),
        }
    }
}

/// The whole of standard input as one text of at most so many bytes, without the line breaks at its end.
pub(crate) fn standard(what: &str, bytes_max: usize, setting: &str) -> Result<String, CliError> {
    let mut bytes = Vec::new();
    let most = u64::try_from(bytes_max).unwrap_or(u64::MAX).saturating_add(3);
    let read = std::io::stdin().lock().take(most).read_to_end(&mut bytes);
    read.map_err(|source| CliError::read("standard input", source))?;
    let text = utf8(bytes, "standard input")?;
    let text = text.strip_prefix(MARK).unwrap_or(&text).trim_end_matches(['\n', '\r']);
    if text.len() > bytes_max {
        let message =
            format!("the {what} on standard input has more than the {bytes_max} bytes allowed ({setting})");
        return Err(CliError::input(
            message,
            "nothing was stored; --lines stores each line as a memory of its own",
        ));
    }
    Ok(text.to_owned())
}

/// Bytes as text, or where they stop being text.
fn utf8(bytes: Vec<u8>, what: &str) -> Result<String, CliError> {
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        CliError::input(
            format!("{what} is not UTF-8 text: the byte at offset {at} does not belong there"),
            "nothing was stored; convert it first, for example with iconv -t UTF-8",
        )
    })
}
