//! What a sentence says held before: the A of "moved from A to B", of "B instead of A" and of "B, not A".

use crate::folding::is_hangul;
use crate::language::Language;

/// Words for what was left, in signs of the sentence; longer ones are no value.
const VALUE_CHARACTERS_MAX: usize = 60;

/// What held before, in the words of the sentence.
pub(crate) fn old_value(sentence: &str, language: Language) -> Option<String> {
    let found = match language {
        Language::English => english(sentence),
        Language::Korean => korean(sentence),
        Language::Chinese => chinese(sentence),
    }?;
    let value = found
        .trim_matches(|sign: char| sign.is_whitespace() || ".,;:!?\"'`()。，；：！？“”「」".contains(sign));
    let fits = !value.is_empty() && value.chars().count() <= VALUE_CHARACTERS_MAX;
    fits.then(|| value.to_owned())
}

/// A text beside its folded form of the same length, so that places of one are places of the other.
fn lowered(sentence: &str) -> String {
    sentence.replace('’', "'").to_ascii_lowercase()
}

fn english(sentence: &str) -> Option<String> {
    let sentence = sentence.replace('’', "'");
    let folded = lowered(&sentence);
    let between = |open: &str, close: &[&str]| -> Option<String> {
        let start = folded.find(open)? + open.len();
        let end = close.iter().filter_map(|close| folded[start..].find(close)).min()?;
        Some(sentence[start..start + end].to_owned())
    };
    let until_end = |open: &str| -> Option<String> {
        let start = folded.find(open)? + open.len();
        let stops = [
            ", ", "; ", ": ", ". ", " anymore", " because", " since", " and ", " for ", " but ", " so ",
            " in ", " this ", " last ",
        ];
        let end = stops.iter().filter_map(|stop| folded[start..].find(stop)).min();
        Some(sentence[start..start + end.unwrap_or(folded.len() - start)].to_owned())
    };
    between(" from ", &[" to ", " over to "])
        .or_else(|| until_end("instead of "))
        .or_else(|| between("replaced ", &[" with ", " by "]))
        .or_else(|| between("swapped ", &[" for "]))
        .or_else(|| no_longer(&folded, &sentence, &until_end))
        .or_else(|| until_end("stopped using "))
        .or_else(|| until_end("rather than "))
        .or_else(|| until_end(", not "))
}

/// "No longer uses A", "don't use A anymore": what follows the verb.
fn no_longer(folded: &str, sentence: &str, until_end: &dyn Fn(&str) -> Option<String>) -> Option<String> {
    let verbs = [
        "use ",
        "uses ",
        "using ",
        "work at ",
        "works at ",
        "work for ",
        "works for ",
        "live in ",
        "lives in ",
        "need ",
        "support ",
        "run on ",
        "runs on ",
    ];
    let is_ended = folded.contains("no longer ") || folded.contains(" anymore");
    let after = if folded.contains("no longer ") { "no longer " } else { "n't " };
    let start = folded.find(after)? + after.len();
    let verb = verbs.iter().find(|verb| folded[start..].starts_with(**verb))?;
    let opening = format!("{after}{verb}");
    debug_assert!(sentence.len() == folded.len(), "folding keeps the length of ASCII letters");
    is_ended.then(|| until_end(&opening)).flatten()
}

fn korean(sentence: &str) -> Option<String> {
    let before = |marks: &[&str]| -> Option<String> {
        let at = marks.iter().filter_map(|mark| sentence.find(mark)).min()?;
        let words = &sentence[..at];
        let word = words.rsplit([' ', ',', '.', '(']).next()?;
        Some(word.to_owned()).filter(|word| !word.is_empty())
    };
    let is_moved = [
        "옮", "바꿨", "바뀌", "바꾸", "변경", "교체", "전환", "이전", "밀렸", "미뤄", "연기", "갈아", "당겨",
        "이사", "이직",
    ];
    let from = is_moved.iter().any(|verb| sentence.contains(verb)).then(|| before(&["에서 "])).flatten();
    from.map(|value| with_month(sentence, value))
        .or_else(|| before(&["이 아니라", "가 아니라", "이 아니고", "가 아니고", " 아니라"]))
        .or_else(|| before(&[" 대신"]))
        .or_else(|| before(&[" 안 쓰", " 안 써", " 안 다니", " 안 다녀", " 말고"]))
        .map(|value| without_particle(&value).to_owned())
}

/// 5월 4일에서: the month belongs to the day.
fn with_month(sentence: &str, value: String) -> String {
    let start = sentence.find(&value).unwrap_or(0);
    let month = sentence[..start].trim_end().rsplit(' ').next().unwrap_or_default();
    let is_dated = value.ends_with('일') && month.ends_with('월');
    let month = month.trim_start_matches(is_hangul);
    if is_dated { format!("{month} {value}") } else { value }
}

fn without_particle(word: &str) -> &str {
    let particles = ["을", "를", "은", "는"];
    let bare = particles.iter().find_map(|particle| word.strip_suffix(particle)).unwrap_or(word);
    if bare.chars().count() >= 2 { bare } else { word }
}

fn chinese(sentence: &str) -> Option<String> {
    let moves = [
        "换成",
        "换到",
        "改到",
        "改成",
        "改为",
        "迁移到",
        "迁到",
        "搬到",
        "搬去",
        "切换到",
        "升级到",
        "推迟到",
        "提前到",
        "变成",
        "转到",
        "替换",
    ];
    let between = |open: &str| -> Option<String> {
        let start = sentence.find(open)? + open.len();
        let end = moves.iter().filter_map(|close| sentence[start..].find(close)).min()?;
        Some(sentence[start..start + end].to_owned())
    };
    let until_end = |open: &str| -> Option<String> {
        let start = sentence.find(open)? + open.len();
        let rest = &sentence[start..];
        let end = rest.find(['，', ',', '。', '；', '了', '！', '、']).unwrap_or(rest.len());
        Some(rest[..end].to_owned())
    };
    between("从")
        .or_else(|| between("把"))
        .or_else(|| until_end("不再使用"))
        .or_else(|| until_end("不再用"))
        .or_else(|| until_end("代替"))
        .or_else(|| until_end("取代"))
        .or_else(|| until_end("而不是"))
        .or_else(|| until_end("不是"))
        .or_else(|| until_end("已经不在"))
        .or_else(|| until_end("不姓"))
        .or_else(|| until_end("不叫"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::language;

    #[test]
    fn the_old_value_is_named() {
        for (sentence, expected) in [
            ("We moved our CI from Jenkins to GitHub Actions.", Some("Jenkins")),
            ("We use pnpm instead of npm.", Some("npm")),
            ("The team doesn't use Redux anymore, it's all Zustand now.", Some("Redux")),
            ("I no longer work at Brightline; I started at Nordwind.", Some("Brightline")),
            ("The port is 8443, not 8080.", Some("8080")),
            ("We replaced Solr with Meilisearch.", Some("Solr")),
            ("CI를 젠킨스에서 깃허브 액션으로 옮겼어", Some("젠킨스")),
            ("출시일이 5월 4일에서 5월 18일로 밀렸어", Some("5월 4일")),
            ("마감은 금요일이 아니라 목요일이야", Some("금요일")),
            ("npm 대신 pnpm을 쓰기로 했어", Some("npm")),
            ("이제 리덕스를 안 쓰고 주스탄드를 써", Some("리덕스")),
            ("我们把 CI 从 Jenkins 迁移到了 GitHub Actions。", Some("Jenkins")),
            ("团队不再用 Redux 了，现在全用 Zustand。", Some("Redux")),
            ("截止日期是周四，不是周五。", Some("周五")),
            ("用 pnpm 代替 npm。", Some("npm")),
            ("Nothing changed.", None),
            ("그대로야", None),
            ("没有变化", None),
            ("", None),
        ] {
            assert_eq!(old_value(sentence, language(sentence)).as_deref(), expected, "{sentence}");
        }
    }
}
