//! Texts that are too long for one memory, cut where a reader would cut them, and labels that are too long, cut short.

/// Cuts a text into pieces of at most so many bytes: after a paragraph if it can be, else after a line, a sentence,
/// a word, or in the middle of one. Nothing but blank space is lost at the cuts.
pub(super) fn split(text: &str, bytes_max: usize) -> Vec<&str> {
    let (mut pieces, mut rest) = (Vec::new(), text);
    while rest.len() > bytes_max {
        let (piece, later) = rest.split_at(cut(rest, bytes_max));
        if !piece.trim().is_empty() {
            pieces.push(piece.trim_end());
        }
        rest = later.trim_start();
    }
    if !rest.trim().is_empty() {
        pieces.push(rest);
    }
    pieces
}

/// Where to cut: as late as possible, but not so early that a piece would be tiny.
fn cut(text: &str, bytes_max: usize) -> usize {
    let end = floor(text, bytes_max.max(4));
    let (window, least) = (&text[..end], end / 4);
    let after = |pattern: &str| window.rfind(pattern).map(|at| at + pattern.len()).filter(|at| *at > least);
    after("\n\n")
        .or_else(|| after("\n"))
        .or_else(|| [". ", "? ", "! ", "。", "！", "？"].into_iter().filter_map(after).max())
        .or_else(|| after(" "))
        .unwrap_or(end)
}

/// The beginning of a label, if it is too long, with a sign that it goes on.
pub(super) fn shorten(label: &str, bytes_max: usize) -> String {
    const SIGN: &str = "…";
    if label.len() <= bytes_max {
        return label.to_owned();
    }
    let kept = floor(label, bytes_max.saturating_sub(SIGN.len()));
    format!("{}{SIGN}", label[..kept].trim_end())
}

/// The last place between two characters that is not beyond this one.
fn floor(text: &str, mut at: usize) -> usize {
    at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// Why a record is refused is told in so many characters: what is wrong with it may be as long as the record.
const REASON_CHARS_MAX: usize = 300;

/// A reason as it is told.
pub(super) fn told(reason: String) -> String {
    match reason.char_indices().nth(REASON_CHARS_MAX) {
        Some((end, _)) => format!("{}…", &reason[..end]),
        None => reason,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_cut_at_the_best_place_there_is() {
        for (text, bytes_max, expected) in [
            ("short", 10, vec!["short"]),
            ("one two\n\nthree\nfour. five", 17, vec!["one two", "three\nfour. five"]),
            ("one two\nthree four", 12, vec!["one two", "three four"]),
            ("One two. Three four", 12, vec!["One two.", "Three four"]),
            ("one two three", 9, vec!["one two", "three"]),
            ("첫문장。둘째문장", 15, vec!["첫문장。", "둘째문장"]),
            ("一二三四五", 7, vec!["一二", "三四", "五"]),
            ("   ", 1, vec![]),
        ] {
            assert_eq!(split(text, bytes_max), expected, "{text}");
        }
    }

    #[test]
    fn no_letter_is_lost_whatever_the_limit() {
        let text = "가나다 abc。\n\n다음 문단은 조금 더 길다. 中文也在这里！ end";
        let letters = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
        for bytes_max in 4..text.len() + 1 {
            let pieces = split(text, bytes_max);
            assert!(pieces.iter().all(|piece| piece.len() <= bytes_max), "{bytes_max}: {pieces:?}");
            assert_eq!(letters(&pieces.concat()), letters(text), "{bytes_max}");
        }
    }

    #[test]
    fn long_labels_are_cut_between_characters() {
        assert_eq!(shorten("abc", 3), "abc");
        assert_eq!(shorten("대화 제목이 길다", 10), "대화…");
    }
}
