//! Shows what the rules find in a text: `cargo run -p peri-observe --example findings -- user < FILE`.
//!
//! The first argument says who wrote it, `user` or `assistant`; each line of the text is a message of its own when
//! the second argument is `lines`.

use std::io::{Read, Write};

use jiff::civil::date;
use peri_observe::{Message, Role, observe};

fn main() -> std::io::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let role =
        if arguments.first().is_some_and(|role| role == "assistant") { Role::Assistant } else { Role::User };
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text)?;
    let at = date(2026, 3, 10).at(9, 0, 0, 0);
    let message = |text: &str| Message { role, text: text.to_owned(), at };
    let is_by_line = arguments.get(1).is_some_and(|way| way == "lines");
    let messages: Vec<Message> =
        if is_by_line { text.lines().map(message).collect() } else { vec![message(&text)] };
    let mut out = std::io::stdout().lock();
    for finding in observe(&messages, &[], &[]) {
        let (kind, confidence) = (finding.kind.name(), finding.confidence);
        writeln!(out, "{} {kind:<14} {confidence:.2} {}", finding.priority, finding.text)?;
    }
    Ok(())
}
