//! How a task ended, by what can be seen: how the turn broke off, whether what was done last failed, and what the user
//! said next.
//!
//! The phrases lean to caution. A complaint that is missed leaves a success that was none, and a complaint that is
//! imagined punishes a strategy that works; so only what plainly says that something is still wrong counts.

use peri_types::{TaskOutcome, TrajectoryStep};
use serde::{Deserialize, Serialize};

/// How a turn of an agent came to its end.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TurnEnd {
    /// The agent was done.
    #[default]
    Finished,
    /// The user broke it off.
    Interrupted,
    /// The agent could not go on.
    Failed,
}

/// Of what the user says next so much is looked at: complaints come first, logs and code after them.
const LOOKED_AT_CHARS: usize = 400;

/// What looks like a complaint and is none. It is taken out before anything else is looked at.
const HARMLESS: &[&str] = &[
    "no problem",
    "no worries",
    "no more errors",
    "no errors",
    "no error",
    "no longer fails",
    "no longer broken",
    "no thanks",
    "no need",
    "not bad",
    "nothing is broken",
    "doesn't matter",
    "isn't broken",
    "wrong place to ask",
    "문제 없",
    "문제없",
    "오류 없",
    "에러 없",
    "안 되는 거 없",
    "아니면",
    "아니어도",
    "不错",
    "没问题",
    "没有错误",
    "没有问题",
    "不行的话",
    "对不对",
];

/// Words that a complaint begins with.
const OPENINGS: &[&str] = &[
    "no",
    "nope",
    "wrong",
    "undo",
    "revert",
    "roll back",
    "rollback",
    "아니",
    "아니야",
    "아니요",
    "아니오",
    "아닌데",
    "틀렸",
    "되돌려",
    "취소",
    "不对",
    "不是",
    "不行",
    "错了",
    "撤销",
    "回滚",
];

/// What says anywhere in a message that it did not work.
const COMPLAINTS: &[&str] = &[
    "still fails",
    "still failing",
    "still failed",
    "still broken",
    "still not working",
    "still doesn't",
    "still does not",
    "still isn't",
    "still wrong",
    "still the same error",
    "still get the error",
    "still getting",
    "still see the error",
    "same error",
    "didn't work",
    "did not work",
    "doesn't work",
    "does not work",
    "not working",
    "isn't working",
    "that's wrong",
    "that is wrong",
    "this is wrong",
    "that's not right",
    "that is not right",
    "not what i asked",
    "not what i wanted",
    "not what i meant",
    "that's not it",
    "you broke",
    "it broke",
    "it's broken",
    "is broken now",
    "now it fails",
    "it fails",
    "tests fail again",
    "revert that",
    "revert this",
    "revert it",
    "revert your",
    "revert the change",
    "undo that",
    "undo this",
    "undo your",
    "roll that back",
    "roll it back",
    "여전히 실패",
    "여전히 안",
    "여전히 오류",
    "여전히 에러",
    "아직도 안",
    "아직도 실패",
    "아직도 오류",
    "아직 안 돼",
    "아직 안 된",
    "또 실패",
    "또 안 돼",
    "안 돼",
    "안돼",
    "안 된다",
    "안 됩니다",
    "안 되는데",
    "안되는데",
    "안 되네",
    "작동하지 않",
    "동작하지 않",
    "작동 안",
    "동작 안",
    "틀렸",
    "잘못했",
    "잘못됐",
    "잘못되었",
    "그게 아니",
    "되돌려",
    "원래대로 돌려",
    "망가졌",
    "깨졌",
    "还是失败",
    "还是不行",
    "还是报错",
    "还是不对",
    "还是错",
    "仍然失败",
    "仍然报错",
    "仍然不",
    "依然失败",
    "不行",
    "不对",
    "不工作",
    "不起作用",
    "没用",
    "没有效果",
    "没有生效",
    "又失败",
    "又报错",
    "错了",
    "搞错",
    "弄坏",
    "坏了",
    "撤销",
    "回滚",
    "改回",
    "不是这样",
    "不是我要的",
];

/// How a turn ended.
pub(super) fn outcome_of(end: TurnEnd, steps: &[TrajectoryStep], next: Option<&str>) -> TaskOutcome {
    let last_failed = steps.last().is_some_and(|step| step.confidence == 0.0);
    match end {
        TurnEnd::Interrupted | TurnEnd::Failed => TaskOutcome::Failure,
        TurnEnd::Finished if last_failed || next.is_some_and(says_it_failed) => TaskOutcome::Partial,
        TurnEnd::Finished => TaskOutcome::Success,
    }
}

/// Whether what a user says after a turn means that it did not work, in English, Korean or Chinese.
pub fn says_it_failed(text: &str) -> bool {
    let begin: String = text.chars().take(LOOKED_AT_CHARS).collect();
    let mut said = begin.to_lowercase().replace('\u{2019}', "'");
    for harmless in HARMLESS {
        said = without(&said, harmless);
    }
    let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
    OPENINGS.iter().any(|opening| opens_with(&said, opening))
        || COMPLAINTS.iter().any(|complaint| holds(&said, complaint))
}

/// The text with a phrase replaced by a sign that stands for nothing.
fn without(text: &str, phrase: &str) -> String {
    let mut rest = text.to_owned();
    let mut from = 0;
    while let Some(at) = rest[from..].find(phrase).map(|at| at + from) {
        if is_whole(&rest, at, phrase) {
            rest.replace_range(at..at + phrase.len(), "\u{b7}");
        }
        from = at + rest[at..].chars().next().map_or(1, char::len_utf8);
    }
    rest
}

fn opens_with(text: &str, phrase: &str) -> bool {
    text.starts_with(phrase) && is_whole(text, 0, phrase)
}

fn holds(text: &str, phrase: &str) -> bool {
    text.match_indices(phrase).any(|(at, _)| is_whole(text, at, phrase))
}

/// Whether a phrase of Latin letters stands by itself: "no" is not in "note". Korean and Chinese need no spaces.
fn is_whole(text: &str, at: usize, phrase: &str) -> bool {
    let joins = |sign: Option<char>| sign.is_some_and(|sign| sign.is_ascii_alphanumeric() || sign == '_');
    let is_latin = phrase.is_ascii();
    let before = text[..at].chars().next_back();
    let after = text[at + phrase.len()..].chars().next();
    !is_latin || (!joins(before) && !joins(after))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_says_that_it_did_not_work_is_told_from_what_goes_on() {
        for (text, fails) in [
            ("still fails", true),
            ("It still fails with the same message", true),
            ("that's wrong", true),
            ("That\u{2019}s wrong, the port is 8080", true),
            ("no, use the other file", true),
            ("No. I meant the staging server", true),
            ("Nope", true),
            ("revert", true),
            ("please revert that", true),
            ("undo this change", true),
            ("the same error again", true),
            ("it doesn't work on my machine", true),
            ("안 돼", true),
            ("로그인이 여전히 실패해", true),
            ("그거 틀렸어", true),
            ("방금 한 거 되돌려 줘", true),
            ("아니, 다른 파일을 고쳐", true),
            ("不行", true),
            ("还是失败", true),
            ("不对，端口应该是 8080", true),
            ("请撤销刚才的修改", true),
            ("no problem", false),
            ("No problem, go on with the next one", false),
            ("thanks, that works", false),
            ("no errors now, great", false),
            ("it no longer fails, thanks", false),
            ("now add a test for it", false),
            ("note that the port is 8080", false),
            ("notify the others", false),
            ("nothing else, commit it", false),
            ("write a migration that can be reverted", false),
            ("add an undo button", false),
            ("normalise the paths", false),
            ("고마워, 이제 돼", false),
            ("문제 없어. 다음 거 하자", false),
            ("이제 오류 없네, 커밋해 줘", false),
            ("테스트도 추가해 줘", false),
            ("안녕, 다음 일을 하자", false),
            ("谢谢，可以了", false),
            ("没问题，继续", false),
            ("不错，再加一个测试", false),
            ("接着写文档", false),
            ("", false),
        ] {
            assert_eq!(says_it_failed(text), fails, "{text}");
        }
    }

    #[test]
    fn how_a_turn_broke_off_counts_before_what_was_said() {
        let step = |confidence: f32| TrajectoryStep { confidence, ..TrajectoryStep::default() };
        let (good, bad) = (vec![step(0.0), step(1.0)], vec![step(1.0), step(0.0)]);
        for (end, steps, next, expected) in [
            (TurnEnd::Finished, &good, None, TaskOutcome::Success),
            (TurnEnd::Finished, &good, Some("고마워"), TaskOutcome::Success),
            (TurnEnd::Finished, &good, Some("还是失败"), TaskOutcome::Partial),
            (TurnEnd::Finished, &bad, None, TaskOutcome::Partial),
            (TurnEnd::Finished, &bad, Some("thanks"), TaskOutcome::Partial),
            (TurnEnd::Interrupted, &good, Some("thanks"), TaskOutcome::Failure),
            (TurnEnd::Failed, &good, None, TaskOutcome::Failure),
        ] {
            assert_eq!(outcome_of(end, steps, next), expected, "{end:?} {next:?}");
        }
    }

    #[test]
    fn a_phrase_is_written_once() {
        let mut all: Vec<_> = COMPLAINTS.iter().chain(HARMLESS).collect();
        let count = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), count);
    }

    proptest! {
        #[test]
        fn any_text_is_judged(text in "[a-z가-힣一-龥 ,.'’·!?A-Z]{0,80}", phrase in 0..COMPLAINTS.len()) {
            says_it_failed(&text);
            let complaint = format!("{} — {text}", COMPLAINTS[phrase]);
            prop_assert!(says_it_failed(&complaint), "{}", complaint);
        }
    }
}
