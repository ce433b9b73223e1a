//! Notes as an agent is given them: by day, with how long ago that is, and no longer than allowed.

use jiff::civil::Date;

use crate::item::{Priority, Progress};
use crate::sheet::Block;

/// Notes for a prompt.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Prompted {
    /// The text; empty if there are no notes or none fits.
    pub text: String,
    /// How many tokens it has.
    pub tokens: usize,
    /// What did not fit.
    pub left_out: LeftOut,
}

/// How many notes of each priority did not fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LeftOut {
    /// 🔴
    pub high: usize,
    /// 🟡, and what people wrote that is no note
    pub medium: usize,
    /// 🟢
    pub low: usize,
}

impl LeftOut {
    /// All together.
    pub fn all(self) -> usize {
        self.high + self.medium + self.low
    }
}

/// Writes notes for a prompt of at most so many tokens. The least important ones go first, of these the oldest.
pub fn for_prompt(
    blocks: &[Block],
    today: Date,
    tokens_max: usize,
    count: &dyn Fn(&str) -> usize,
) -> Prompted {
    let mut order: Vec<usize> = (0..blocks.len()).collect();
    order.sort_by_key(|at| (priority_of(&blocks[*at]), blocks[*at].date(), *at));
    let written = |left_out: usize| {
        let mut kept: Vec<usize> = order[left_out..].to_vec();
        kept.sort_by_key(|at| (blocks[*at].date(), *at));
        write(&kept.iter().map(|at| &blocks[*at]).collect::<Vec<_>>(), today)
    };
    let left_out = fewest(order.len(), |left_out| count(&written(left_out)) <= tokens_max);
    let text = written(left_out);
    Prompted { tokens: count(&text), text, left_out: counted(&order[..left_out], blocks) }
}

/// The smallest number up to the highest for which it fits, if it fits for all above one for which it does.
fn fewest(highest: usize, fits: impl Fn(usize) -> bool) -> usize {
    if fits(0) {
        return 0;
    }
    let (mut too_few, mut enough) = (0, highest);
    while too_few + 1 < enough {
        let middle = too_few.midpoint(enough);
        if fits(middle) { enough = middle } else { too_few = middle }
    }
    enough
}

fn counted(left_out: &[usize], blocks: &[Block]) -> LeftOut {
    let mut counts = LeftOut::default();
    for at in left_out {
        match priority_of(&blocks[*at]) {
            Priority::High => counts.high += 1,
            Priority::Medium => counts.medium += 1,
            Priority::Low => counts.low += 1,
        }
    }
    counts
}

fn priority_of(block: &Block) -> Priority {
    match block {
        Block::Item(item) => item.priority,
        Block::Text { .. } => Priority::Medium,
    }
}

fn write(blocks: &[&Block], today: Date) -> String {
    let mut text = String::new();
    let mut date = None;
    for block in blocks {
        if block.date() != date
            && let Some(day) = block.date()
        {
            let gap = if text.is_empty() { "" } else { "\n" };
            text.push_str(&format!("{gap}## {day} ({})\n", age(day, today)));
        }
        date = block.date();
        match block {
            Block::Item(item) => {
                let done = if item.progress == Progress::Done { "[x] " } else { "" };
                let own = item.text.replace('\n', "\n  ");
                text.push_str(&format!("- {done}{} {own}\n", item.priority.sign()));
            }
            Block::Text { text: own, .. } => {
                text.push_str(own);
                text.push('\n');
            }
        }
    }
    text
}

/// How long ago a day is, in words.
fn age(day: Date, today: Date) -> String {
    let days = day.until(today).map_or(0, |span| i64::from(span.get_days()));
    match days {
        0 => "today".to_owned(),
        1 => "yesterday".to_owned(),
        -1 => "tomorrow".to_owned(),
        ..-1 => format!("in {} days", -days),
        2..14 => format!("{days} days ago"),
        14..60 => format!("{} weeks ago", days / 7),
        60..730 => format!("{} months ago", days / 30),
        730.. => format!("{} years ago", days / 365),
    }
}

#[cfg(test)]
mod tests {
    use jiff::{Timestamp, ToSpan as _};
    use proptest::prelude::*;

    use super::*;
    use crate::item::{Draft, Owner};
    use crate::sheet::Sheet;

    const TODAY: Date = jiff::civil::date(2026, 2, 10);

    fn sheet(notes: &[(Priority, i64, &str)]) -> Sheet {
        let mut sheet = Sheet::new(Owner::Session);
        for (priority, days_ago, text) in notes {
            let draft = Draft { date: Some(TODAY - days_ago.days()), ..Draft::new(*priority, *text) };
            sheet.add(draft, Timestamp::UNIX_EPOCH).unwrap();
        }
        sheet
    }

    fn characters(text: &str) -> usize {
        text.chars().count()
    }

    #[test]
    fn ages_are_told_in_words() {
        for (days, words) in [
            (0, "today"),
            (1, "yesterday"),
            (2, "2 days ago"),
            (13, "13 days ago"),
            (14, "2 weeks ago"),
            (59, "8 weeks ago"),
            (60, "2 months ago"),
            (729, "24 months ago"),
            (730, "2 years ago"),
            (-1, "tomorrow"),
            (-9, "in 9 days"),
        ] {
            assert_eq!(age(TODAY - days.days(), TODAY), words);
        }
    }

    #[test]
    fn notes_are_grouped_by_day_the_oldest_first() {
        use Priority::{High, Low, Medium};
        let mut sheet = sheet(&[(Low, 0, "사소한 것"), (High, 1, "结论"), (Medium, 0, "two\nlines")]);
        let done = sheet.items().next().map(|item| Draft { progress: Progress::Done, ..Draft::of(item) });
        sheet.revise(done.unwrap()).unwrap();
        let prompted = for_prompt(sheet.blocks(), TODAY, 1000, &characters);
        assert_eq!(
            prompted.text,
            "## 2026-02-09 (yesterday)\n- [x] 🔴 结论\n\n## 2026-02-10 (today)\n- 🟢 사소한 것\n- 🟡 two\n  lines\n"
        );
        assert_eq!((prompted.tokens, prompted.left_out.all()), (characters(&prompted.text), 0));
    }

    #[test]
    fn the_least_important_and_oldest_go_first_and_the_most_important_last() {
        use Priority::{High, Low, Medium};
        let sheet = sheet(&[
            (High, 9, "aaa"),
            (Low, 3, "bbb"),
            (Low, 0, "ccc"),
            (Medium, 5, "ddd"),
            (High, 2, "eee"),
        ]);
        let whole = characters(&for_prompt(sheet.blocks(), TODAY, 1000, &characters).text);
        let mut gone = Vec::new();
        for tokens_max in (0..=whole).rev() {
            let text = for_prompt(sheet.blocks(), TODAY, tokens_max, &characters).text;
            for word in ["aaa", "bbb", "ccc", "ddd", "eee"] {
                if !text.contains(word) && !gone.contains(&word) {
                    gone.push(word);
                }
            }
        }
        assert_eq!(gone, ["bbb", "ccc", "ddd", "aaa", "eee"]);
        let none = for_prompt(sheet.blocks(), TODAY, 0, &characters);
        assert_eq!((none.text.as_str(), none.left_out), ("", LeftOut { high: 2, medium: 1, low: 2 }));
    }

    proptest! {
        #[test]
        fn a_prompt_never_exceeds_its_cap_and_nothing_less_important_than_what_was_left_out_stays(
            notes in proptest::collection::vec((0_usize..3, 0_i64..40, "[a-z가-힣]{1,12}"), 0..20),
            tokens_max in 0_usize..400,
        ) {
            let notes: Vec<_> =
                notes.iter().map(|(priority, days, text)| (Priority::ALL[*priority], *days, text.as_str())).collect();
            let sheet = sheet(&notes);
            let prompted = for_prompt(sheet.blocks(), TODAY, tokens_max, &characters);
            prop_assert!(prompted.tokens <= tokens_max && prompted.tokens == characters(&prompted.text));
            let shown = |sign: char| prompted.text.lines().filter(|line| line.contains(sign)).count();
            let left = prompted.left_out;
            prop_assert_eq!(shown('🔴') + shown('🟡') + shown('🟢') + left.all(), notes.len());
            prop_assert!(left.medium == 0 || shown('🟢') == 0);
            prop_assert!(left.high == 0 || shown('🟢') + shown('🟡') == 0);
            prop_assert_eq!(&prompted, &for_prompt(sheet.blocks(), TODAY, tokens_max, &characters));
        }
    }
}
