//! What a statement of a file is: a rule, a step, a decision, or a fact.

use perihelion::Kind;

use crate::read::{Form, Statement};

/// Words of headings below which decisions stand.
const DECISIONS: &[&str] = &["decision", "decided", "결정", "决定", "决策"];

/// Words by which somebody says what is wanted.
const WISHES: &[&str] = &[
    "always",
    "never",
    "prefer",
    "avoid",
    "don't",
    "do not",
    "must",
    "should",
    "make sure",
    "please",
    "ensure",
    "no ",
    "use ",
    "keep ",
    "only ",
];

/// The same in Korean and Chinese, anywhere in a sentence.
const WISHES_WITHIN: &[&str] = &[
    "항상",
    "반드시",
    "절대",
    "선호",
    "금지",
    "하지 마",
    "하지 않",
    "해야",
    "쓰지 않",
    "사용하지",
    "必须",
    "不要",
    "始终",
    "总是",
    "优先",
    "禁止",
    "应该",
    "应当",
    "务必",
    "避免",
    "不得",
    "请",
];

/// What a statement is.
pub(crate) fn of(statement: &Statement) -> Kind {
    let headings = statement.headings.iter().map(|heading| heading.to_lowercase());
    if headings.into_iter().any(|heading| DECISIONS.iter().any(|word| heading.contains(word))) {
        return Kind::Decision;
    }
    if statement.form == Form::Steps {
        return Kind::Procedure;
    }
    let text = format!(" {} ", statement.text.to_lowercase());
    let wishes = WISHES.iter().any(|word| text.contains(&format!(" {word}")))
        || WISHES_WITHIN.iter().any(|word| text.contains(word));
    if wishes { Kind::Preference } else { Kind::Fact }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::{Reading, read};

    #[test]
    fn statements_are_sorted_by_what_they_say_and_where() {
        for (text, kind) in [
            ("The staging server is called Ganymede", Kind::Fact),
            ("- Never push to main", Kind::Preference),
            ("- Use tabs", Kind::Preference),
            ("- 금요일에는 배포하지 않는다", Kind::Preference),
            ("- 必须使用 Rust", Kind::Preference),
            ("서버 이름은 가니메데", Kind::Fact),
            ("1. Build it", Kind::Procedure),
            ("Build:\n```\nmake\n```", Kind::Procedure),
            ("## Decisions\n- SQLite by default", Kind::Decision),
            ("## 결정 사항\n- 기본은 SQLite", Kind::Decision),
        ] {
            assert_eq!(of(&read(text, Reading::Own).statements[0]), kind, "{text}");
        }
    }
}
