//! What a body holds that means something: headings, tags and links, but not within code.

use unicode_normalization::UnicodeNormalization as _;

/// A link is looked for within so many bytes: no path is longer, and a line full of open brackets is read in time.
const LINK_BYTES_MAX: usize = 4096;

/// A heading.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Heading {
    /// Where its line begins.
    pub(crate) at: usize,
    /// From 1, the highest, to 6.
    pub(crate) level: usize,
    /// What it says.
    pub(crate) text: String,
}

/// A link to another document, as in `[[Coffee#Beans|beans]]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Link {
    /// Where it stands.
    pub(crate) at: usize,
    /// The document's name, or its path.
    pub(crate) target: String,
    /// The heading in it.
    pub(crate) heading: Option<String>,
}

/// Everything that was found, in order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Marks {
    pub(crate) headings: Vec<Heading>,
    /// Tags with where they stand, without the `#`.
    pub(crate) tags: Vec<(usize, String)>,
    pub(crate) links: Vec<Link>,
}

impl Marks {
    /// Looks through a body.
    pub(crate) fn of(body: &str) -> Self {
        let mut marks = Self::default();
        let (mut at, mut fence) = (0, None);
        for line in body.split_inclusive('\n') {
            marks.line(line, at, &mut fence);
            at += line.len();
        }
        marks
    }

    fn line(&mut self, line: &str, at: usize, fence: &mut Option<(char, usize)>) {
        let bare = line.trim();
        let run = |mark: char| bare.chars().take_while(|c| *c == mark).count();
        if let Some((mark, length)) = *fence {
            if run(mark) >= length && bare.chars().all(|c| c == mark) {
                *fence = None;
            }
            return;
        }
        if let Some(mark) = ['`', '~'].into_iter().find(|mark| run(*mark) >= 3) {
            *fence = Some((mark, run(mark)));
            return;
        }
        if let Some((level, text)) = heading(line) {
            self.headings.push(Heading { at, level, text });
        }
        self.within(line, at);
    }

    /// Tags and links of one line.
    fn within(&mut self, line: &str, start: usize) {
        let (mut at, mut before) = (0, ' ');
        while let Some(c) = line[at..].chars().next() {
            let rest = &line[at..];
            let mut taken = c.len_utf8();
            if c == '`' {
                taken = code(rest);
            } else if let Some(inner) = rest.strip_prefix("[[") {
                if let Some(end) = near(inner).find("]]") {
                    self.links.extend(link(&inner[..end], start + at));
                    taken = end + 4;
                }
            } else if let Some(inner) = rest.strip_prefix("](") {
                if let Some((target, length)) = markdown_target(near(inner)) {
                    self.links.extend(link(&target, start + at));
                    taken = 2 + length;
                }
            } else if c == '#' && (before.is_whitespace() || before == '(') {
                let name: String = rest[1..].chars().take_while(|c| is_of_tag(*c)).collect();
                taken += name.len();
                if name.chars().any(|c| !c.is_numeric() && c != '/') {
                    self.tags.push((start + at, name.trim_end_matches('/').nfc().collect()));
                }
            }
            before = line[at..at + taken].chars().next_back().unwrap_or(' ');
            at += taken;
        }
    }
}

/// As much of a text as a link may take.
fn near(text: &str) -> &str {
    let mut end = text.len().min(LINK_BYTES_MAX);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

fn is_of_tag(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-' | '/')
}

/// How long code within a line is that begins here; only the marks if it never ends.
fn code(text: &str) -> usize {
    let marks = text.chars().take_while(|c| *c == '`').count();
    let close = "`".repeat(marks);
    let mut from = marks;
    while let Some(found) = text[from..].find(&close) {
        let end = from + found;
        let run = text[end..].chars().take_while(|c| *c == '`').count();
        if run == marks {
            return end + marks;
        }
        from = end + run;
    }
    marks
}

fn heading(line: &str) -> Option<(usize, String)> {
    let indent = line.len() - line.trim_start_matches(' ').len();
    let bare = line.trim();
    let level = bare.chars().take_while(|c| *c == '#').count();
    let text = &bare[level..];
    let is_heading =
        indent <= 3 && (1..=6).contains(&level) && (text.is_empty() || text.starts_with([' ', '\t']));
    is_heading.then(|| (level, text.trim().trim_end_matches('#').trim().nfc().collect()))
}

/// Where a link such as `[beans](../facts/my%20beans.md#roast)` leads, if to a document, and how long it is written.
fn markdown_target(inner: &str) -> Option<(String, usize)> {
    let (written, length) = match inner.strip_prefix('<') {
        Some(rest) => rest.find('>').map(|end| (&rest[..end], end + 2))?,
        None => {
            let end = closing(inner)?;
            (inner[..end].split_whitespace().next()?, end)
        }
    };
    let target = decoded(written);
    let path = target.split('#').next().unwrap_or(&target);
    let is_document = !target.contains("://") && path.to_ascii_lowercase().ends_with(".md");
    is_document.then_some((target, length))
}

/// Where the bracket closes that was open before this.
fn closing(text: &str) -> Option<usize> {
    let mut open = 0_usize;
    for (at, c) in text.char_indices() {
        match c {
            '(' => open += 1,
            ')' if open == 0 => return Some(at),
            ')' => open -= 1,
            _ => {}
        }
    }
    None
}

/// A text with the characters that `%20` and the like stand for; as it is if they stand for none.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, more)) = rest.split_first() {
        let digits = more.get(..2).and_then(|digits| std::str::from_utf8(digits).ok());
        let byte = digits.filter(|_| *first == b'%').and_then(|digits| u8::from_str_radix(digits, 16).ok());
        bytes.push(byte.unwrap_or(*first));
        rest = if byte.is_some() { &more[2..] } else { more };
    }
    String::from_utf8(bytes).unwrap_or_else(|_| text.to_owned())
}

fn link(inner: &str, at: usize) -> Option<Link> {
    let place = inner.split('|').next().unwrap_or(inner).trim_end_matches('\\');
    let (target, heading) = match place.split_once('#') {
        Some((target, heading)) => (target, Some(heading)),
        None => (place, None),
    };
    let target: String = target.trim().nfc().collect();
    // Of nested headings the last one is meant; a link within the document leads nowhere else.
    let heading = heading.and_then(|all| all.rsplit('#').next()).map(|one| one.trim().nfc().collect());
    (!target.is_empty()).then_some(Link { at, target, heading })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn links(body: &str) -> Vec<(String, Option<String>)> {
        Marks::of(body).links.into_iter().map(|link| (link.target, link.heading)).collect()
    }

    #[test]
    fn links_are_found_in_every_way_they_are_written() {
        let found = links(
            "[[커피]] and [[facts/Tea|tea]], [[咖啡#豆子|beans]] ![[Plan]] [[#here]] [[a\n]] [[x\\|y]]",
        );
        let expected =
            [("커피", None), ("facts/Tea", None), ("咖啡", Some("豆子")), ("Plan", None), ("x", None)];
        let expected: Vec<_> = expected
            .into_iter()
            .map(|(target, heading)| (target.to_owned(), heading.map(str::to_owned)))
            .collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn links_in_the_way_of_markdown_are_found_if_they_lead_to_documents() {
        let found = links(
            "[a](../%EC%BB%A4%ED%94%BC.md) [b](<my tea.md#How to>) [c](n%20(1).md \"title\") [d](https://x/y.md) \
             ![e](p.png) [f](open.md [g]() [h](100%.md) [i](%ff.md)",
        );
        let expected =
            [("../커피.md", None), ("my tea.md", Some("How to")), ("n (1).md", None), ("100%.md", None)];
        let expected: Vec<_> = expected
            .into_iter()
            .chain([("%ff.md", None)])
            .map(|(target, heading)| (target.to_owned(), heading.map(str::to_owned)))
            .collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn nothing_within_code_means_anything() {
        let marks = Marks::of(
            "`[[a]] #b` ``x ` [[c]]`` [[d]]\n```sh\n# not a heading #e [[f]]\n```\n~~~~\n~~~\n#g\n~~~~\n#h\n` open [[i]]",
        );
        assert_eq!(marks.links.iter().map(|link| link.target.as_str()).collect::<Vec<_>>(), ["d", "i"]);
        assert_eq!(marks.tags.iter().map(|(_, tag)| tag.as_str()).collect::<Vec<_>>(), ["h"]);
        assert!(marks.headings.is_empty());
    }

    #[test]
    fn tags_and_headings_are_told_apart() {
        let marks = Marks::of(
            "# 제목 #\n## Two\n#태그 #work/2024 #2024 a#b (#c) #标签。\n####### seven\n    # four spaces\n",
        );
        let tags: Vec<_> = marks.tags.iter().map(|(_, tag)| tag.as_str()).collect();
        assert_eq!(tags, ["태그", "work/2024", "c", "标签"]);
        let headings: Vec<_> = marks.headings.iter().map(|one| (one.level, one.text.as_str())).collect();
        assert_eq!(headings, [(1, "제목"), (2, "Two")]);
    }
}
