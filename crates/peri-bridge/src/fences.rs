//! Blocks of code between fences, line by line.

/// What a line is to a block of code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// It stands outside.
    Text,
    /// It opens a block.
    Opens,
    /// It stands inside.
    Code,
    /// It closes the block.
    Closes,
}

/// Follows blocks of code through a text.
#[derive(Debug, Default)]
pub(crate) struct Fences {
    open: Option<(char, usize)>,
}

impl Fences {
    /// What the next line is.
    pub(crate) fn next(&mut self, line: &str) -> Place {
        let bare = line.trim();
        if let Some((mark, length)) = self.open {
            if run(bare, mark) < length || !bare.chars().all(|c| c == mark) {
                return Place::Code;
            }
            self.open = None;
            return Place::Closes;
        }
        self.open = fence(after_bullet(bare));
        if self.open.is_some() { Place::Opens } else { Place::Text }
    }

    /// Whether a block has not been closed yet.
    pub(crate) fn is_open(&self) -> bool {
        self.open.is_some()
    }
}

/// The fence that a line is, if it opens a block of code.
fn fence(bare: &str) -> Option<(char, usize)> {
    let mark = bare.chars().next().filter(|c| matches!(c, '`' | '~'))?;
    let length = run(bare, mark);
    // Code within a line may begin with many backticks too, and then it ends with them.
    (length >= 3 && !(mark == '`' && bare[length..].contains('`'))).then_some((mark, length))
}

/// A line without the mark of a list, behind which a block may begin too.
fn after_bullet(bare: &str) -> &str {
    match bare.split_once(' ') {
        Some(("-" | "*" | "+", rest)) => rest.trim_start(),
        _ => bare,
    }
}

fn run(text: &str, mark: char) -> usize {
    text.chars().take_while(|c| *c == mark).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(text: &str) -> Vec<Place> {
        let mut fences = Fences::default();
        text.lines().map(|line| fences.next(line)).collect()
    }

    #[test]
    fn a_block_ends_with_a_fence_of_its_own_sort_that_is_long_enough() {
        use Place::{Closes, Code, Opens, Text};
        assert_eq!(places("a\n```sh\nx\n```\nb"), [Text, Opens, Code, Closes, Text]);
        assert_eq!(places("~~~\n```\n~~\n~~~~"), [Opens, Code, Code, Closes]);
        assert_eq!(places("````\n```\n````"), [Opens, Code, Closes]);
        assert_eq!(places("- ```sh\n  x\n  ```"), [Opens, Code, Closes]);
    }

    #[test]
    fn code_within_a_line_is_no_block() {
        assert_eq!(places("```npm test``` runs it\n`` ` ``"), [Place::Text, Place::Text]);
    }
}
