//! What the help of a command says at its end: remarks, and examples. Tests read each example as the program would.

use clap::Command;

/// The examples of the program as a whole.
const FIRST_STEPS: [&str; 4] = [
    "peri demo",
    "peri remember \"Ana prefers tea over coffee\" --tag food",
    "peri recall \"what does Ana like to drink?\"",
    "peri install",
];

/// What the end of the help consists of.
#[derive(Debug, Default)]
pub(super) struct Closing {
    /// Paragraphs.
    pub(super) remarks: Vec<String>,
    /// Lines that somebody types.
    pub(super) examples: Vec<String>,
}

/// Takes the end of a command's help apart.
pub(super) fn closing(command: &Command) -> Closing {
    if super::is_program(command) {
        return Closing { examples: FIRST_STEPS.map(ToOwned::to_owned).to_vec(), remarks: Vec::new() };
    }
    let text = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let mut closing = Closing::default();
    for paragraph in text.split("\n\n").filter(|paragraph| !paragraph.trim().is_empty()) {
        match paragraph.strip_prefix("Example:\n").or_else(|| paragraph.strip_prefix("Examples:\n")) {
            Some(lines) => closing.examples.extend(lines.lines().map(|line| line.trim().to_owned())),
            None => closing.remarks.push(paragraph.to_owned()),
        }
    }
    closing
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use super::*;
    use crate::cli::Cli;
    use crate::commands::man::{pages, program};

    /// Words as a shell would hand them over, as far as the examples need it.
    fn words(line: &str) -> Vec<String> {
        let (mut words, mut word, mut quote) = (Vec::new(), String::new(), None);
        for character in line.chars().chain([' ']) {
            match (quote, character) {
                (None, '>' | '<') if word.is_empty() => break,
                (None, '"' | '\'') => quote = Some(character),
                (Some(open), _) if open == character => quote = None,
                (None, ' ' | ')') if word.is_empty() => {}
                (None, ' ' | ')') => words.push(std::mem::take(&mut word)),
                _ => word.push(character),
            }
        }
        words
    }

    /// The calls of this program in a line.
    fn calls(line: &str) -> Vec<&str> {
        let pieces = line.split(" && ").flat_map(|piece| piece.split(" | "));
        pieces.filter_map(|piece| piece.find("peri ").map(|place| &piece[place..])).collect()
    }

    #[test]
    fn everything_that_examples_type_is_understood() {
        let program = program();
        let lines: Vec<_> =
            pages(&program).into_iter().flat_map(|command| closing(command).examples).collect();
        let refused = lines.iter().flat_map(|line| calls(line)).filter_map(|call| {
            let refusal = Cli::try_parse_from(words(call)).err()?.to_string();
            // What an example names on its reader's disk is not on this one.
            (!refusal.contains("there is no such folder")).then(|| format!("{call}: {refusal}"))
        });
        assert_eq!(refused.collect::<Vec<_>>(), [] as [String; 0]);
        let without: Vec<_> = lines.iter().filter(|line| calls(line).is_empty()).collect();
        assert_eq!(without, [] as [&String; 0]);
    }

    #[test]
    fn words_are_read_as_a_shell_reads_them() {
        assert_eq!(words("peri recall \"a b\" -n 'x/*' > file"), ["peri", "recall", "a b", "-n", "x/*"]);
        assert_eq!(
            calls("echo x | peri vault put y && A=1 peri stats"),
            ["peri vault put y ", "peri stats"].map(str::trim)
        );
    }
}
