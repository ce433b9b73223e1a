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

/// What a text from standard input is for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Purpose {
    what: &'static str,
    setting: &'static str,
    too_long: &'static str,
    not_text: &'static str,
}

/// A memory's content.
pub(crate) const CONTENT: Purpose = Purpose {
    what: "content",
    setting: "limits.content_bytes_max",
    too_long: "nothing was stored; `peri remember --lines` stores each line as a memory of its own",
    not_text: "nothing was stored; convert it first, for example with iconv -t UTF-8",
};

/// What recall is asked.
pub(crate) const QUESTION: Purpose = Purpose {
    what: "question",
    setting: "limits.query_bytes_max",
    too_long: "ask in fewer words",
    not_text: "convert it first, for example with iconv -t UTF-8",
};

/// The whole of standard input as one text of at most so many bytes, without the line breaks at its end.
pub(crate) fn standard(purpose: Purpose, bytes_max: usize) -> Result<String, CliError> {
    let Purpose { what, setting, too_long, not_text } = purpose;
    let mut bytes = Vec::new();
    let most = u64::try_from(bytes_max).unwrap_or(u64::MAX).saturating_add(3);
    let read = std::io::stdin().lock().take(most).read_to_end(&mut bytes);
    read.map_err(|source| CliError::read("standard input", source))?;
    let text = utf8(bytes, not_text)?;
    let text = text.strip_prefix(MARK).unwrap_or(&text).trim_end_matches(['\n', '\r']);
    if text.len() > bytes_max {
        let message =
            format!("the {what} on standard input has more than the {bytes_max} bytes allowed ({setting})");
        return Err(CliError::input(message, too_long));
    }
    Ok(text.to_owned())
}

/// Bytes as text, or where they stop being text.
fn utf8(bytes: Vec<u8>, hint: &str) -> Result<String, CliError> {
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        CliError::input(
            format!("standard input is not UTF-8 text: the byte at offset {at} does not belong there"),
            hint,
        )
    })
}
