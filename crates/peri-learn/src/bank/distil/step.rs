//! A step as it can be compared: who did it and its first words, without what changes from one time to the next.

use peri_types::TrajectoryStep;

/// How many words of an argument say what a step is.
const WORDS_MAX: usize = 4;
/// How many characters of a step are looked at and shown.
const CHARS_MAX: usize = 80;
/// Text beyond this cannot be among the first words.
const INPUT_CHARS_MAX: usize = 4_000;

/// Tools, and first words of commands, that only look.
const LOOKING: &[&str] = &[
    "read",
    "grep",
    "glob",
    "ls",
    "list",
    "search",
    "find",
    "cat",
    "view",
    "open",
    "websearch",
    "webfetch",
    "head",
    "tail",
    "rg",
    "less",
    "pwd",
    "tree",
    "which",
    "wc",
    "stat",
    "todowrite",
];
/// Tools that run a command, so that its first word says what is done.
const SHELLS: &[&str] = &["bash", "shell", "sh", "terminal", "exec", "run", "powershell", "zsh"];

/// One step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Step {
    /// What it is compared by.
    pub(super) key: String,
    /// What is shown of it.
    pub(super) shown: String,
    /// Whether it only looks at something, by what its tool is called.
    pub(super) only_looks: bool,
}

/// What a step is compared by, such as `bash: cargo test -p store`: the tool and the first words of what it was given.
/// Numbers become `<n>`, ids `<id>`, and of absolute paths the last two parts stay. Empty if the step says nothing.
pub fn step_key(input: &str) -> String {
    step(input).map_or_else(String::new, |step| step.key)
}

/// The steps of a trajectory, those that say nothing left out and repetitions taken as one.
pub(super) fn steps_of(steps: &[TrajectoryStep], steps_max: usize) -> Vec<Step> {
    let mut found: Vec<Step> = steps.iter().take(steps_max).filter_map(|one| step(&one.input)).collect();
    found.dedup_by(|one, before| one.key == before.key);
    found
}

fn step(input: &str) -> Option<Step> {
    let input: String = input.chars().take(INPUT_CHARS_MAX).collect();
    let (tool, argument) = parts(&input);
    let words: Vec<String> = command(argument).split_whitespace().take(WORDS_MAX).map(plain_word).collect();
    let argument = words.join(" ");
    let shown = match (tool, argument.is_empty()) {
        (Some(tool), false) => format!("{tool}: {argument}"),
        (Some(tool), true) => tool.to_owned(),
        (None, _) => argument,
    };
    let shown: String = shown.chars().take(CHARS_MAX).collect();
    let key = shown.to_lowercase();
    (!key.is_empty()).then(|| Step { only_looks: only_looks(tool, &words), key, shown })
}

/// The tool and what it was given. Text without a tool is given to nobody.
fn parts(input: &str) -> (Option<&str>, &str) {
    let is_name = |name: &str| {
        !name.is_empty() && name.chars().all(|sign| sign.is_alphanumeric() || matches!(sign, '_' | '-' | '.'))
    };
    match input.trim().split_once(':') {
        // `C:\` and `https://` are no tools.
        Some((tool, rest)) if is_name(tool) && !rest.starts_with(['/', '\\']) => (Some(tool), rest),
        _ => (None, input.trim()),
    }
}

/// A command without what only prepares it: `cd … &&` and `NAME=value`.
fn command(argument: &str) -> &str {
    let mut rest = argument.trim();
    loop {
        let first = rest.split_whitespace().next().unwrap_or_default();
        let is_variable = first.split_once('=').is_some_and(|(name, _)| {
            !name.is_empty()
                && name.chars().all(|sign| sign.is_ascii_uppercase() || "_0123456789".contains(sign))
        });
        let after = if first == "cd" {
            rest.split_once("&&").or_else(|| rest.split_once(';')).map(|(_, after)| after)
        } else if is_variable {
            rest.strip_prefix(first)
        } else {
            None
        };
        match after.map(str::trim) {
            Some(after) if !after.is_empty() => rest = after,
            _ => return rest,
        }
    }
}

fn only_looks(tool: Option<&str>, words: &[String]) -> bool {
    let looks = |word: &str| LOOKING.contains(&word);
    let first = words.first().map(String::as_str).unwrap_or_default();
    match tool.map(str::to_lowercase) {
        Some(tool) if SHELLS.contains(&tool.as_str()) => looks(first),
        Some(tool) => looks(&tool),
        None => false,
    }
}

/// A word without what changes from one time to the next, and without signs that would disturb where it is shown.
fn plain_word(word: &str) -> String {
    let word: String =
        word.chars().map(|sign| if sign == '`' || sign.is_control() { '\'' } else { sign }).collect();
    let shortened = last_parts(&word);
    if is_id(shortened) {
        return "<id>".to_owned();
    }
    let pieces: Vec<String> = shortened.split('/').map(plain_piece).collect();
    pieces.join("/")
}

/// The last two parts of an absolute path; anything else as it is.
fn last_parts(word: &str) -> &str {
    let drive = word.as_bytes().get(1..3).is_some_and(|bytes| bytes == b":\\" || bytes == b":/");
    if !word.starts_with(['/', '~']) && !drive {
        return word;
    }
    let path = word.trim_end_matches(['/', '\\']);
    let mut parts = path.rmatch_indices(['/', '\\']);
    match (parts.next(), parts.next()) {
        (Some(_), Some((at, _))) => &path[at + 1..],
        (Some((at, _)), None) if at > 0 || path.len() > 1 => &path[at + 1..],
        _ => word,
    }
}

fn plain_piece(piece: &str) -> String {
    if is_id(piece) {
        return "<id>".to_owned();
    }
    let signs: Vec<char> = piece.chars().collect();
    let mut plain = String::with_capacity(piece.len());
    let mut at = 0;
    while at < signs.len() {
        let end = at + signs[at..].iter().take_while(|sign| sign.is_ascii_digit()).count();
        let is_part_of_word = (at > 0 && signs[at - 1].is_alphabetic())
            || signs.get(end).is_some_and(|sign| sign.is_ascii_alphabetic());
        if end == at || is_part_of_word {
            let until = end.max(at + 1);
            plain.extend(&signs[at..until]);
            at = until;
        } else {
            plain.push_str("<n>");
            at = end;
        }
    }
    plain
}

/// Whether a word names one thing among many: a UUID, a hash, or the like.
fn is_id(word: &str) -> bool {
    let is_hex = word.chars().all(|sign| sign.is_ascii_hexdigit() || sign == '-');
    let digits = word.chars().filter(char::is_ascii_digit).count();
    let letters = word.chars().filter(char::is_ascii_alphabetic).count();
    let is_long = word.len() >= 24 && word.chars().all(|sign| sign.is_ascii_alphanumeric());
    (is_hex && word.len() >= 7 && digits > 0 && letters > 0) || (is_long && digits > 3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_changes_from_one_time_to_the_next_is_left_out() {
        for (input, key) in [
            ("Bash: cargo test -p store", "bash: cargo test -p store"),
            (
                "Bash: cd /home/ann/app && RUST_LOG=debug cargo test -p store --jobs 4",
                "bash: cargo test -p store",
            ),
            ("Edit: /home/ann/app/src/lib.rs", "edit: src/lib.rs"),
            ("Edit: src/lib.rs", "edit: src/lib.rs"),
            ("Edit: C:\\work\\src\\lib.rs", "edit: src\\lib.rs"),
            ("Read: src/lib.rs:42", "read: src/lib.rs:<n>"),
            ("Bash: git show 1a2b3c4d5e", "bash: git show <id>"),
            ("Bash: kill 4711", "bash: kill <n>"),
            ("Fetch: 0198c5b2-7d3e-7a41-9c55-1f2e3d4c5b6a", "fetch: <id>"),
            ("Bash: sha256sum utf8 v2 e2e", "bash: sha256sum utf8 v2 e2e"),
            ("运行测试", "运行测试"),
            ("테스트를 3번 실행", "테스트를 <n>번 실행"),
            ("https://example.org/a", "https://example.org/a"),
            ("Read:", "read"),
            ("  ", ""),
            ("Bash: /", "bash: /"),
            ("Bash: ~", "bash: ~"),
            ("Bash: cd /tmp", "bash: cd tmp"),
        ] {
            assert_eq!(step_key(input), key, "{input}");
        }
    }

    #[test]
    fn a_step_of_any_length_in_any_language_is_cut_between_characters() {
        let long = format!("Bash: {}", "테스트漢😀".repeat(10_000));
        assert_eq!(step_key(&long).chars().count(), CHARS_MAX);
    }

    #[test]
    fn looking_is_told_from_doing() {
        let looks = |input: &str| step(input).unwrap().only_looks;
        assert!(looks("Read: README.md") && looks("Bash: cat a.txt") && looks("Bash: cd /x && ls -l"));
        assert!(!looks("Edit: README.md") && !looks("Bash: cargo test") && !looks("read the file"));
    }
}
