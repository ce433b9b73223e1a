//! Korean predicates: politeness goes, the stem, the tense and the kind of ending stay.

/// What a predicate's ending tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    Verb,
    /// "is": what stands before is the value.
    Copula,
}

/// A predicate without its ending.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Predicate {
    pub(super) stem: String,
    pub(super) form: Form,
    pub(super) is_past: bool,
}

const TAILS: u32 = 28;
const N: u32 = 4;
const L: u32 = 8;
const M: u32 = 16;
const P: u32 = 17;
const SS: u32 = 20;

/// The number of a Hangul syllable's final consonant; `None` for other characters.
pub(super) fn tail(c: char) -> Option<u32> {
    matches!(c, '가'..='힣').then(|| (c as u32 - '가' as u32) % TAILS)
}

/// The text with the final consonant of its last syllable taken off, if it is this one.
fn without_tail(text: &str, consonant: u32) -> Option<String> {
    let last = text.chars().next_back()?;
    let open = char::from_u32(last as u32 - consonant).filter(|_| tail(last) == Some(consonant))?;
    Some(format!("{}{open}", &text[..text.len() - last.len_utf8()]))
}

fn last_tail(text: &str) -> Option<u32> {
    text.chars().next_back().and_then(tail)
}

/// Reads the last word of a sentence.
pub(super) fn predicate(word: &str) -> Predicate {
    let verb = |stem: String| {
        let is_past = last_tail(&stem) == Some(SS) && !stem.ends_with('있') && !stem.ends_with('겠');
        Predicate { stem, form: Form::Verb, is_past }
    };
    let copula = |value: &str| Predicate { stem: value.to_owned(), form: Form::Copula, is_past: false };
    let word = contracted(word);
    if let Some(value) = copula_value(&word) {
        return copula(value);
    }
    if let Some(stem) = word.strip_suffix("습니다").or_else(|| word.strip_suffix("는다")) {
        return verb(stem.to_owned());
    }
    if let Some(stem) = word.strip_suffix("니다").and_then(|rest| without_tail(rest, P)) {
        return verb(stem);
    }
    if let Some(rest) = word.strip_suffix('다').filter(|rest| !rest.is_empty()) {
        return match without_tail(rest, N) {
            Some(stem) => verb(stem),
            None => verb(rest.to_owned()),
        };
    }
    verb(informal(word.strip_suffix('요').unwrap_or(&word)))
}

/// One spelling for what may be contracted.
fn contracted(word: &str) -> String {
    let mut word = word.to_owned();
    for (long, short) in
        [("되었", "됐"), ("하였", "했"), ("두었", "뒀"), ("꾸었", "꿨"), ("되어", "돼"), ("이었", "였")]
    {
        if word.contains(long) {
            word = word.replace(long, short);
        }
    }
    word
}

/// The value before "is", in any politeness. After a vowel the plain form has no 이 and looks like a verb's;
/// it stays one here, and its stem is the value all the same.
fn copula_value(word: &str) -> Option<&str> {
    let value = ["입니다", "이에요", "이예요", "예요", "이야", "이다", "임"]
        .iter()
        .find_map(|end| word.strip_suffix(end))?;
    (!value.is_empty()).then_some(value)
}

/// The stem of an ending without politeness: 살아, 있어, 해, 돼, 있음, 함.
fn informal(word: &str) -> String {
    let Some(last) = word.chars().next_back() else { return String::new() };
    let rest = &word[..word.len() - last.len_utf8()];
    match last {
        '해' => format!("{rest}하"),
        '돼' => format!("{rest}되"),
        '써' => format!("{rest}쓰"),
        '와' if rest.is_empty() => "오".to_owned(),
        '아' | '어' | '음' if last_tail(rest).is_some_and(|tail| tail > 0) => rest.to_owned(),
        '야' if !rest.is_empty() => rest.to_owned(),
        // 돌려, 마셔, 가르쳐: ㅣ and ㅓ have run together.
        '려' | '셔' | '쳐' | '겨' | '져' if !rest.is_empty() => {
            let open = char::from_u32(last as u32 + (20 - 6) * TAILS);
            format!("{rest}{}", open.unwrap_or(last))
        }
        '함' => format!("{rest}하"),
        '됨' => format!("{rest}되"),
        '짐' => without_tail(word, M).unwrap_or_else(|| word.to_owned()),
        _ => word.to_owned(),
    }
}

/// Whether a syllable's final consonant lets this particle follow.
pub(super) fn takes_particle(before: char, particle: &str) -> bool {
    let Some(tail) = tail(before) else { return true };
    match particle {
        "은" | "이" | "을" | "과" | "이랑" => tail > 0,
        "는" | "가" | "를" | "와" | "랑" => tail == 0,
        "로" | "로는" | "로도" | "로부터" => tail == 0 || tail == L,
        "으로" | "으로는" | "으로도" | "으로부터" => tail > 0 && tail != L,
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn politeness_does_not_change_the_stem() {
        for (words, stem) in [
            (&["실행된다", "실행됩니다", "실행돼요", "실행됨"][..], "실행되"),
            (&["일한다", "일합니다", "일해요", "일해"], "일하"),
            (&["있다", "있습니다", "있어요", "있음", "있어"], "있"),
            (&["먹는다", "먹습니다", "먹어요"], "먹"),
            (&["돌린다", "돌립니다", "돌려요"], "돌리"),
            (&["변경되었다", "변경됐다", "변경됐습니다", "변경되었어요"], "변경됐"),
            (&["금요일이다", "금요일입니다", "금요일이에요", "금요일이야"], "금요일"),
            (&["가니메데다", "가니메데입니다", "가니메데예요"], "가니메데"),
        ] {
            for word in words {
                assert_eq!(predicate(word).stem, stem, "{word}");
            }
        }
        assert!(predicate("이사했다").is_past && predicate("바꿨어요").is_past);
        assert!(!predicate("있다").is_past && !predicate("산다").is_past);
    }
}
