//! The table that routes before anything is learned, and goes on voting afterwards.
//!
//! The rows of [`Origin::Table`] are the original's, word for word. What was added, equivalents in Korean and Chinese and
//! rows for two more agents, is of [`Origin::Added`].

use std::collections::HashMap;
use std::sync::OnceLock;

use peri_text::{QueryTerm, TermClass, analyze_query};
use serde::{Deserialize, Serialize};

/// Who takes what no row of the table claims.
pub const DEFAULT_AGENT: &str = "coder";

/// Where a row comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    /// The original routing table.
    Table,
    /// Added to it here.
    Added,
}

/// Some keywords and the agent they speak for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Row {
    /// Whom they speak for.
    pub agent: &'static str,
    /// Where the row comes from.
    pub origin: Origin,
    /// The words; each counts once, in any inflection.
    pub keywords: &'static [&'static str],
}

/// Who is known from the start, in the order in which ties are settled.
pub(super) const AGENTS: [&str; 8] = [
    "security-auditor",
    "tester",
    "performance-engineer",
    "researcher",
    "system-architect",
    DEFAULT_AGENT,
    "devops",
    "documenter",
];

const ROWS: [Row; 12] = [
    table("security-auditor", &["security", "auth", "password", "token"]),
    table("tester", &["test", "spec", "mock", "coverage"]),
    table("performance-engineer", &["perf", "optimize", "slow", "memory"]),
    table("researcher", &["fix", "bug", "error", "debug"]),
    table("system-architect", &["refactor", "architect", "design"]),
    added(
        "security-auditor",
        &["보안", "인증", "비밀번호", "토큰", "취약점", "安全", "认证", "密码", "令牌", "漏洞"],
    ),
    added("tester", &["테스트", "커버리지", "명세", "测试", "覆盖率", "规格"]),
    added(
        "performance-engineer",
        &["성능", "최적화", "느려", "느린", "메모리", "性能", "优化", "太慢", "很慢", "变慢", "内存"],
    ),
    added("researcher", &["버그", "오류", "에러", "디버깅", "디버그", "修复", "错误", "报错", "调试"]),
    added("system-architect", &["리팩터링", "리팩토링", "아키텍처", "설계", "重构", "架构", "设计"]),
    added(
        "devops",
        &[
            "deploy",
            "pipeline",
            "docker",
            "kubernetes",
            "ci",
            "terraform",
            "배포",
            "파이프라인",
            "部署",
            "流水线",
        ],
    ),
    added(
        "documenter",
        &[
            "docs",
            "documentation",
            "readme",
            "changelog",
            "tutorial",
            "문서",
            "설명서",
            "도움말",
            "文档",
            "手册",
            "教程",
        ],
    ),
];

const fn table(agent: &'static str, keywords: &'static [&'static str]) -> Row {
    Row { agent, origin: Origin::Table, keywords }
}

const fn added(agent: &'static str, keywords: &'static [&'static str]) -> Row {
    Row { agent, origin: Origin::Added, keywords }
}

/// The whole table, the original's rows first.
pub fn rows() -> &'static [Row] {
    &ROWS
}

/// What the table alone says.
#[derive(Debug, Clone, PartialEq)]
pub struct TableRoute {
    /// Whom most keywords speak for; the earlier row if several have as many.
    pub agent: &'static str,
    /// How many keywords do.
    pub hits: usize,
}

/// Routes by the table alone: by the original's rows, or by all of them.
pub fn route_by_table(text: &str, origin: Option<Origin>) -> TableRoute {
    let matched = matches(&analyze_query(text));
    let counted = |agent: &str| {
        let own = |at: &&Match| at.row().agent == agent && origin.is_none_or(|only| at.row().origin == only);
        matched.iter().filter(own).count()
    };
    let mut best = TableRoute { agent: DEFAULT_AGENT, hits: 0 };
    for agent in AGENTS {
        let hits = counted(agent);
        if hits > best.hits {
            best = TableRoute { agent, hits };
        }
    }
    best
}

/// A keyword that was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Match {
    row: u8,
    keyword: u8,
}

impl Match {
    pub(super) fn row(self) -> &'static Row {
        &ROWS[usize::from(self.row)]
    }

    pub(super) fn keyword(self) -> &'static str {
        self.row().keywords[usize::from(self.keyword)]
    }
}

/// The keywords whose terms are all among a task's. Whole terms are compared, so "attest" is no "test", while "tests" is.
pub(super) fn matches(terms: &[QueryTerm]) -> Vec<Match> {
    let lexicon = lexicon();
    let mut missing = lexicon.needed.clone();
    let mut found = Vec::new();
    for term in terms {
        for &at in lexicon.by_term.get(term.text.as_str()).map_or(&[][..], Vec::as_slice) {
            missing[at] -= 1;
            if missing[at] == 0 {
                found.push(lexicon.keywords[at]);
            }
        }
    }
    found
}

/// How often each agent of [`AGENTS`] was spoken for.
pub(super) fn votes(matched: &[Match]) -> [u8; AGENTS.len()] {
    let mut votes = [0_u8; AGENTS.len()];
    for found in matched {
        if let Some(at) = AGENTS.iter().position(|agent| *agent == found.row().agent) {
            votes[at] = votes[at].saturating_add(1);
        }
    }
    votes
}

struct Lexicon {
    keywords: Vec<Match>,
    /// How many terms of a task each keyword needs.
    needed: Vec<u8>,
    by_term: HashMap<String, Vec<usize>>,
}

fn lexicon() -> &'static Lexicon {
    static LEXICON: OnceLock<Lexicon> = OnceLock::new();
    LEXICON.get_or_init(|| {
        let mut lexicon = Lexicon { keywords: Vec::new(), needed: Vec::new(), by_term: HashMap::new() };
        for (row, keyword) in
            (0..).zip(&ROWS).flat_map(|(row, of)| (0..).zip(of.keywords).map(move |(at, _)| (row, at)))
        {
            let found = Match { row, keyword };
            let terms: Vec<QueryTerm> = analyze_query(found.keyword())
                .into_iter()
                .filter(|term| term.class != TermClass::Date)
                .collect();
            for term in &terms {
                lexicon.by_term.entry(term.text.clone()).or_default().push(lexicon.keywords.len());
            }
            lexicon.needed.push(u8::try_from(terms.len()).unwrap_or(u8::MAX));
            lexicon.keywords.push(found);
        }
        lexicon
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn by_original(text: &str) -> &'static str {
        route_by_table(text, Some(Origin::Table)).agent
    }

    #[test]
    fn every_keyword_of_the_table_finds_its_agent() {
        for row in rows() {
            for keyword in row.keywords {
                assert_eq!(route_by_table(keyword, None).agent, row.agent, "{keyword}");
                let other = if row.origin == Origin::Table { row.agent } else { DEFAULT_AGENT };
                assert_eq!(by_original(keyword), other, "{keyword}");
            }
        }
    }

    #[test]
    fn words_match_in_any_inflection_and_never_in_the_middle() {
        assert_eq!(by_original("TESTING the parsers"), "tester");
        assert_eq!(by_original("three designs"), "system-architect");
        assert_eq!(by_original("loginTest"), "tester");
        for other in ["the latest contest", "attest to it", "prefix the names", "it betokens", "perfume", ""]
        {
            assert_eq!(by_original(other), DEFAULT_AGENT, "{other}");
        }
    }

    #[test]
    fn korean_and_chinese_words_match_with_what_hangs_on_to_them() {
        assert_eq!(route_by_table("로그인 테스트를 작성해 줘", None).agent, "tester");
        assert_eq!(route_by_table("帮我写单元测试", None).agent, "tester");
        assert_eq!(by_original("帮我写单元测试"), DEFAULT_AGENT);
    }

    #[test]
    fn more_keywords_win_and_the_earlier_row_wins_a_tie() {
        assert_eq!(by_original("fix the bug in the test"), "researcher");
        assert_eq!(by_original("a test of the design"), "tester");
        assert_eq!(route_by_table("fix the bug in the test", None).hits, 2);
    }
}
