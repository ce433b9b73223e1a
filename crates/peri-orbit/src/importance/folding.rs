//! Text as the rules read it: one spelling for each sign, cut into sentences.

/// A text in lower case, with the original signs beside it.
pub(super) struct Folded {
    signs: Vec<char>,
    originals: Vec<char>,
}

/// One sentence of a folded text.
pub(super) struct Sentence<'a> {
    /// The signs in lower case and in simplified spelling.
    pub(super) signs: &'a [char],
    /// The same signs as they were written.
    pub(super) originals: &'a [char],
    /// Whether it ends with a question mark.
    pub(super) asks: bool,
    /// Whether it ends with an exclamation mark.
    pub(super) cries: bool,
}

/// Signs that the tables of phrases hold only in their simplified form: the traditional ones, then the same
/// in simplified spelling.
const TRADITIONAL: &str = "記別對務絕禁應該須約會議診斷過敏殤藥醫痛壽癌歲婦產兒媽爺孫結離婚懷孕學畢業職遷\
     電話號碼網賬帳單錢億萬點鐘週禮時間們個這裡哪麼說謝請沒關係還問題開嗎樣給試繼續厲\
     聲實見興趣愛歡討厭恨憂傷難驚樂憤寧願選擇決確認終買賣錄費債稅規則總從後來權限傳統\
     測試發佈環境據庫啟動執行氣喘預門帶劑節舊老師歷曆發現優先親戚鄰無謂緊訴輕鬆級慣";
const SIMPLIFIED: &str = "记别对务绝禁应该须约会议诊断过敏殇药医痛寿癌岁妇产儿妈爷孙结离婚怀孕学毕业职迁\
     电话号码网账账单钱亿万点钟周礼时间们个这里哪么说谢请没关系还问题开吗样给试继续厉\
     声实见兴趣爱欢讨厌恨忧伤难惊乐愤宁愿选择决确认终买卖录费债税规则总从后来权限传统\
     测试发布环境据库启动执行气喘预门带剂节旧老师历历发现优先亲戚邻无谓紧诉轻松级惯";

/// Words before a full stop that do not end a sentence.
const SHORTENED: &[&str] = &["dr", "mr", "mrs", "ms", "prof", "st", "no", "nr", "vs", "e.g", "i.e", "approx"];

/// Folds a text. What cannot be seen is dropped, runs of spaces become one.
pub(super) fn fold(text: &str) -> Folded {
    let mut folded = Folded { signs: Vec::with_capacity(text.len()), originals: Vec::new() };
    folded.originals.reserve(text.len());
    for original in text.chars() {
        let sign = if original == '\n' || original == '\r' {
            '\n'
        } else if original.is_whitespace() {
            ' '
        } else if is_invisible(original) {
            continue;
        } else {
            simplify(original)
        };
        let before = folded.signs.last().copied().unwrap_or('\n');
        if sign == ' ' && matches!(before, ' ' | '\n') {
            continue;
        }
        folded.signs.push(sign);
        folded.originals.push(original);
    }
    folded
}

fn is_invisible(sign: char) -> bool {
    sign.is_control()
        || matches!(sign, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}')
}

fn simplify(sign: char) -> char {
    match sign {
        'a'..='z' | '0'..='9' => sign,
        'A'..='Z' => sign.to_ascii_lowercase(),
        '\u{2018}' | '\u{2019}' | '\u{2bc}' => '\'',
        '、' => ',',
        // Full-width letters, digits and punctuation are ASCII moved by a fixed distance.
        '\u{ff01}'..='\u{ff5e}' => {
            let narrow = char::from_u32(u32::from(sign) - 0xfee0).unwrap_or(sign);
            narrow.to_ascii_lowercase()
        }
        '\u{4e00}'..='\u{9fff}' => simplified(sign),
        _ => sign.to_lowercase().next().unwrap_or(sign),
    }
}

fn simplified(sign: char) -> char {
    use std::collections::HashMap;
    use std::sync::LazyLock;

    static PAIRS: LazyLock<HashMap<char, char>> =
        LazyLock::new(|| TRADITIONAL.chars().zip(SIMPLIFIED.chars()).collect());
    PAIRS.get(&sign).copied().unwrap_or(sign)
}

impl Folded {
    /// The sentences that hold anything, in order.
    pub(super) fn sentences(&self) -> impl Iterator<Item = Sentence<'_>> {
        let mut start = 0;
        std::iter::from_fn(move || {
            while start < self.signs.len() {
                let end = self.sentence_end(start);
                let from = start;
                start = end;
                let sentence = self.trimmed(from, end);
                if !sentence.signs.is_empty() {
                    return Some(sentence);
                }
            }
            None
        })
    }

    /// The place behind the sentence that begins at `start`, and behind the signs that end it.
    fn sentence_end(&self, start: usize) -> usize {
        let mut at = start;
        while at < self.signs.len() && !self.ends_sentence(start, at) {
            at += 1;
        }
        while at < self.signs.len() && matches!(self.signs[at], '.' | '!' | '?' | '。' | '…' | '\n' | ' ')
        {
            at += 1;
        }
        at
    }

    fn ends_sentence(&self, start: usize, at: usize) -> bool {
        match self.signs[at] {
            '。' | '\n' => true,
            // Inside an address they end nothing.
            '!' | '?' => self.signs.get(at + 1).is_none_or(|next| !next.is_ascii_alphanumeric()),
            '.' => {
                let closes = self.signs.get(at + 1).is_none_or(|next| matches!(next, ' ' | '\n' | '.'));
                closes && !self.is_shortened(start, at)
            }
            _ => false,
        }
    }

    /// Whether the word before a full stop is shortened, such as a title or an initial.
    fn is_shortened(&self, start: usize, at: usize) -> bool {
        let from = at.saturating_sub(8).max(start);
        let word: String = self.signs[from..at].iter().rev().take_while(|sign| **sign != ' ').collect();
        let word: String = word.chars().rev().collect();
        let is_initial = word.chars().count() == 1 && self.originals[at - 1].is_uppercase();
        is_initial || SHORTENED.contains(&word.as_str())
    }

    fn trimmed(&self, start: usize, end: usize) -> Sentence<'_> {
        let is_edge = |at: &usize| matches!(self.signs[*at], '.' | '!' | '?' | '。' | '…' | '\n' | ' ' | '~');
        let closing = self.signs[start..end].iter().rev().take_while(|sign| !sign.is_alphanumeric());
        let closes_with = |mark: char| closing.clone().any(|sign| *sign == mark);
        let (asks, cries) = (closes_with('?'), closes_with('!'));
        let from = (start..end).find(|at| !is_edge(at)).unwrap_or(end);
        let to = (from..end).rev().find(|at| !is_edge(at)).map_or(from, |at| at + 1);
        Sentence { signs: &self.signs[from..to], originals: &self.originals[from..to], asks, cries }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sentences(text: &str) -> Vec<String> {
        fold(text).sentences().map(|sentence| sentence.signs.iter().collect()).collect()
    }

    #[test]
    fn sentences_end_where_a_reader_would_end_them() {
        for (text, expected) in [
            ("One. Two! Three?", vec!["one", "two", "three"]),
            ("Version 2.4 is out...  Really", vec!["version 2.4 is out", "really"]),
            ("Ask Dr. Vogt or J. Smith.", vec!["ask dr. vogt or j. smith"]),
            ("第一句。第二句！\n第三句", vec!["第一句", "第二句", "第三句"]),
            (" \n\t...!?", vec![]),
            ("ＡＢＣ１２３！", vec!["abc123"]),
            ("Don\u{2019}t\u{200b}  go\u{0}", vec!["don't go"]),
        ] {
            assert_eq!(sentences(text), expected, "{text:?}");
        }
    }

    #[test]
    fn traditional_spelling_reads_as_simplified() {
        assert_eq!(TRADITIONAL.chars().count(), SIMPLIFIED.chars().count());
        assert_eq!(sentences("記住，不要忘記對花生過敏"), ["记住,不要忘记对花生过敏"]);
    }

    #[test]
    fn only_a_closing_question_mark_asks() {
        let asks = |text: &str| fold(text).sentences().map(|sentence| sentence.asks).collect::<Vec<_>>();
        assert_eq!(asks("Why? Because. 真的吗？"), [true, false, true]);
        assert_eq!(asks("see /a?b=c"), [false]);
    }
}
