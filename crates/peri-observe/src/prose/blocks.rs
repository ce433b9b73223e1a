//! Which lines of a message are prose.

use std::ops::Range;

use crate::folding::{is_han, is_hangul};

/// A line of prose, without its bullet.
pub(super) struct Line {
    pub(super) range: Range<usize>,
    pub(super) paragraph: usize,
}

/// Where a reader of lines stands.
enum Within {
    Prose,
    /// Behind an opening fence, up to a line that begins like this.
    Fence(&'static str),
    /// Behind a tag, up to its closing one.
    Tag(String),
    Diff,
    Key,
    Trace,
}

/// The lines of prose, in order.
pub(super) fn prose_lines(text: &str) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut within = Within::Prose;
    let mut paragraph = 0;
    let mut start = 0;
    for raw in text.split_inclusive('\n') {
        let line = raw.trim();
        let indent = raw.len() - raw.trim_start().len();
        let from = start + indent;
        start += raw.len();
        if line.is_empty() {
            paragraph += 1;
        }
        within = match step(within, line, indent, &text[start..]) {
            Step::Skip(next) => next,
            Step::Read => {
                let bullet = bullet_length(line);
                lines.push(Line { range: from + bullet..from + line.len(), paragraph });
                Within::Prose
            }
        };
    }
    lines
}

enum Step {
    /// The line is no prose.
    Skip(Within),
    Read,
}

fn step(within: Within, line: &str, indent: usize, rest: &str) -> Step {
    match within {
        Within::Fence(fence) => {
            Step::Skip(if line.starts_with(fence) { Within::Prose } else { Within::Fence(fence) })
        }
        Within::Tag(closing) => {
            let ends = line.contains(&closing);
            Step::Skip(if ends { Within::Prose } else { Within::Tag(closing) })
        }
        Within::Key => Step::Skip(if line.starts_with("-----END") { Within::Prose } else { Within::Key }),
        Within::Diff if line.starts_with(['+', '-', '@', '\\']) || indent > 0 && !line.is_empty() => {
            Step::Skip(Within::Diff)
        }
        Within::Trace if indent > 0 && !line.is_empty() || is_trace(line) || is_raised(line) => {
            Step::Skip(Within::Trace)
        }
        Within::Prose | Within::Diff | Within::Trace => fresh(line, indent, rest),
    }
}

/// A line that no earlier one explains.
fn fresh(line: &str, indent: usize, rest: &str) -> Step {
    let skip = |within| Step::Skip(within);
    if line.is_empty() {
        return skip(Within::Prose);
    }
    if let Some(fence) = ["```", "~~~"].into_iter().find(|fence| line.starts_with(fence)) {
        return skip(if line.len() > 3 && line[3..].contains(fence) {
            Within::Prose
        } else {
            Within::Fence(fence)
        });
    }
    if line.starts_with("-----BEGIN") {
        return skip(Within::Key);
    }
    if line.starts_with("diff --git")
        || line.starts_with("@@ ")
        || line.starts_with("+++ ")
        || line.starts_with("--- ")
    {
        return skip(Within::Diff);
    }
    if is_trace(line) {
        return skip(Within::Trace);
    }
    if let Some(tag) = opening_tag(line) {
        let closing = format!("</{tag}>");
        let is_open = !line.contains(&closing) && rest.contains(&closing);
        return skip(if is_open { Within::Tag(closing) } else { Within::Prose });
    }
    let is_indented_code = indent >= 4 && !starts_item(line) && looks_like_code(line, 0.04);
    let is_noise = line.starts_with(['>', '|', '#', '$', '%', '│'])
        || is_log(line)
        || is_indented_code
        || looks_like_code(&line[bullet_length(line)..], 0.12);
    if is_noise { skip(Within::Prose) } else { Step::Read }
}

/// The name of a tag that opens a line.
fn opening_tag(line: &str) -> Option<&str> {
    let name = line.strip_prefix('<')?;
    let length =
        name.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')).count();
    let follows = name.as_bytes().get(length).copied();
    (length > 0 && matches!(follows, Some(b'>' | b' ' | b'/'))).then(|| &name[..length])
}

/// Lines of stack traces in the common languages.
fn is_trace(line: &str) -> bool {
    const OPENINGS: &[&str] = &[
        "Traceback (most recent",
        "Caused by:",
        "Exception in thread",
        "thread '",
        "goroutine ",
        "stack backtrace",
        "panic:",
        "Stack trace:",
        "Unhandled exception",
        "note: run with `RUST_BACKTRACE",
        "File \"",
    ];
    let is_frame =
        line.starts_with("at ") && (line.contains('(') || line.contains(".js:") || line.contains(".rs:"));
    is_frame || OPENINGS.iter().any(|opening| line.starts_with(opening))
}

/// "ValueError: must be set": what a trace ends with.
fn is_raised(line: &str) -> bool {
    let name = line.split(':').next().unwrap_or_default();
    !name.contains(' ') && (name.ends_with("Error") || name.ends_with("Exception"))
}

/// Lines that a program logged: a time or a level leads them.
fn is_log(line: &str) -> bool {
    const LEVELS: &[&str] = &["ERROR", "WARN", "WARNING", "INFO", "DEBUG", "TRACE", "FATAL", "CRITICAL"];
    let mut words = line
        .split(|sign: char| sign.is_whitespace() || "[]():|".contains(sign))
        .filter(|word| !word.is_empty());
    let first = words.next().unwrap_or_default();
    if LEVELS.contains(&first) {
        return true;
    }
    let digits = first.bytes().filter(u8::is_ascii_digit).count();
    let is_clock = line.starts_with('[') && digits > 0 && line.contains(']');
    let is_stamp = digits >= 8 && first.contains(['-', '/', 'T']) || is_clock;
    is_stamp && (first.contains('T') || is_clock || words.take(4).any(|word| LEVELS.contains(&word)))
        || line.starts_with("error[")
        || line.starts_with("warning: unused")
        || line.starts_with("npm ERR!")
        || is_raised(line)
}

/// Whether signs of programs make up more than a share of a line.
fn looks_like_code(line: &str, share_max: f32) -> bool {
    let (mut signs, mut code, mut wide) = (0u32, 0u32, 0u32);
    for sign in line.chars() {
        signs += 1;
        code += u32::from("{}[]();=<>\\&|^~*".contains(sign));
        wide += u32::from(is_han(sign) || is_hangul(sign));
    }
    let ends = line.ends_with(['{', '}', ';']) && !line.contains(". ");
    let is_wide = wide * 3 > signs;
    !is_wide && (ends || code as f32 > share_max * signs as f32) || line.starts_with(">>> ")
}

fn starts_item(line: &str) -> bool {
    bullet_length(line) > 0
}

/// How many bytes the bullet or number of a list takes.
fn bullet_length(line: &str) -> usize {
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let rest = &line[digits..];
    let marked = match rest.chars().next() {
        Some(mark @ ('-' | '*' | '+' | '•' | '·' | '–')) if digits == 0 => mark.len_utf8(),
        Some('.' | ')') if (1..=2).contains(&digits) => digits + 1,
        _ => return 0,
    };
    let after = &line[marked..];
    if !after.starts_with(' ') && !line.starts_with('•') {
        return 0;
    }
    let spaces = after.len() - after.trim_start().len();
    let at = marked + spaces;
    let boxes = ["[ ] ", "[x] ", "[X] "];
    at + boxes.iter().find(|mark| line[at..].starts_with(**mark)).map_or(0, |mark| mark.len())
}
