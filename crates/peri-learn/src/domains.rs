//! The fields that tasks and patterns belong to, and the words that give a field away.
//!
//! One table for the whole crate: the bank sorts patterns by it, and routes may lean on it. English words are compared
//! whole, or by their beginning where the table has a `*`; Korean and Chinese words are found anywhere, since
//! particles stick to them and nothing separates them.

/// The field of what belongs to no other.
pub const GENERAL: &str = "general";

/// A field and its words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Domain {
    /// What it is called in records.
    pub name: &'static str,
    /// Its words in lower case. A trailing `*` stands for any ending; a space for whatever separates two words.
    pub words: &'static [&'static str],
}

/// Every field but [`GENERAL`].
#[rustfmt::skip] // One word a line would hide the table.
pub const DOMAINS: &[Domain] = &[
    Domain {
        name: "security",
        words: &[
            "security", "secure", "auth", "authenticat*", "authoriz*", "authoris*", "oauth", "password*",
            "token", "tokens", "secret", "secrets", "credential*", "encrypt*", "decrypt*", "vulnerab*",
            "cve", "xss", "csrf", "injection", "permission*", "login", "jwt", "tls", "sandbox*", "exploit*",
            "보안", "인증", "비밀번호", "암호", "취약점", "권한", "로그인", "토큰", "安全", "认证", "認證",
            "密码", "密碼", "漏洞", "权限", "權限", "登录", "登錄", "加密", "令牌",
        ],
    },
    Domain {
        name: "testing",
        words: &[
            "test", "tests", "testing", "tested", "spec", "specs", "mock", "mocks", "mocking", "coverage",
            "assert*", "fixture*", "regression", "unittest*", "pytest", "proptest", "fuzz*", "flaky", "e2e",
            "테스트", "커버리지", "회귀", "목킹", "测试", "測試", "覆盖率", "覆蓋率", "断言", "用例",
        ],
    },
    Domain {
        name: "performance",
        words: &[
            "perf", "performance", "optimiz*", "optimis*", "slow", "slower", "slowness", "latency",
            "throughput", "benchmark*", "profil*", "cache", "caches", "caching", "memory leak*", "speed up",
            "speedup", "faster", "bottleneck*", "성능", "최적화", "느리", "느린", "지연", "캐시",
            "벤치마크", "메모리 누수", "性能", "优化", "優化", "很慢", "延迟", "延遲", "缓存", "快取",
            "内存泄漏", "基准",
        ],
    },
    Domain {
        name: "debugging",
        words: &[
            "fix", "fixes", "fixed", "fixing", "bug", "bugs", "error", "errors", "debug*", "crash*", "fail",
            "fails", "failing", "failed", "failure*", "panic*", "broken", "stack trace", "stacktrace",
            "traceback", "hang", "hangs", "deadlock*", "버그", "오류", "에러", "고쳐", "고치", "수정",
            "디버그", "디버깅", "충돌", "실패", "修复", "修復", "错误", "錯誤", "调试", "調試", "崩溃",
            "崩潰", "失败", "失敗", "报错", "故障",
        ],
    },
    Domain {
        name: "architecture",
        words: &[
            "refactor*", "architect*", "design", "designs", "redesign", "restructur*", "module*",
            "decoupl*", "interface*", "abstraction*", "layering", "dependency graph", "리팩토링",
            "리팩터링", "설계", "구조", "아키텍처", "모듈", "重构", "重構", "架构", "架構", "设计", "設計",
            "模块", "模組", "解耦",
        ],
    },
    Domain {
        name: "documentation",
        words: &[
            "document*", "docs", "doc", "readme", "changelog", "docstring*", "comment", "comments",
            "tutorial*", "guide", "explain*", "문서", "주석", "설명", "변경 기록", "文档", "文檔",
            "文件说明", "注释", "註釋", "说明", "教程",
        ],
    },
    Domain {
        name: "devops",
        words: &[
            "devops", "deploy*", "docker*", "container*", "kubernetes", "k8s", "helm", "terraform",
            "ansible", "ci", "cd", "pipeline*", "github actions", "release", "releases", "rollout",
            "rollback", "provision*", "nginx", "systemd", "배포", "컨테이너", "파이프라인", "쿠버네티스",
            "릴리스", "도커", "部署", "容器", "流水线", "流水線", "运维", "運維", "发布", "發布", "回滚",
        ],
    },
    Domain {
        name: "data",
        words: &[
            "data", "database*", "sql", "sqlite", "postgres*", "mysql", "query", "queries", "schema*",
            "migrat*", "csv", "etl", "dataset*", "table", "tables", "index", "indexes", "데이터",
            "데이터베이스", "쿼리", "스키마", "마이그레이션", "테이블", "색인", "数据", "數據", "数据库",
            "查询", "查詢", "迁移", "遷移", "表结构", "索引",
        ],
    },
];

/// A word of the table that a text holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mention {
    /// The field that the word speaks for.
    pub domain: &'static str,
    /// The word as the table has it.
    pub word: &'static str,
    /// Where it first stands, in bytes of the folded text; good for comparing with other mentions only.
    pub at: usize,
}

/// The field that most different words of a text speak for, [`GENERAL`] if none does.
///
/// Between two fields that are equally strong, the one named where a language puts what is to be done wins: at the
/// end in Korean, at the beginning elsewhere. So "write tests for the password reset" is about testing.
pub fn domain_of(text: &str) -> &'static str {
    let mentions = mentions(text);
    let verb_is_last = text.chars().any(|sign| matches!(sign, '가'..='힣'));
    let strength = |domain: &Domain| {
        let own = || mentions.iter().filter(|mention| mention.domain == domain.name);
        let place = if verb_is_last {
            own().map(|mention| mention.at).max().unwrap_or(0)
        } else {
            usize::MAX - own().map(|mention| mention.at).min().unwrap_or(usize::MAX)
        };
        (own().count(), place)
    };
    let best = DOMAINS.iter().rev().max_by_key(|domain| strength(domain));
    best.filter(|domain| strength(domain).0 > 0).map_or(GENERAL, |domain| domain.name)
}

/// Every word of the table that a text holds, each once, in the table's order.
pub fn mentions(text: &str) -> Vec<Mention> {
    let folded = folded(text);
    let rows = DOMAINS.iter().flat_map(|domain| domain.words.iter().map(|word| (domain.name, *word)));
    rows.filter_map(|(domain, word)| Some(Mention { domain, word, at: place(&folded, word)? })).collect()
}

/// Where a word of the table stands in a folded text.
fn place(folded: &str, word: &str) -> Option<usize> {
    if !word.is_ascii() {
        return folded.find(word);
    }
    let (stem, any_ending) = word.strip_suffix('*').map_or((word, false), |stem| (stem, true));
    folded.match_indices(stem).map(|(at, _)| at).find(|at| {
        let rest = &folded[at + stem.len()..];
        folded[..*at].ends_with(' ') && (any_ending || rest.starts_with(' '))
    })
}

/// A text in lower case between two spaces, with one space wherever words of Latin letters begin or end.
fn folded(text: &str) -> String {
    let mut folded = String::with_capacity(text.len() + 2);
    folded.push(' ');
    let mut before = ' ';
    for sign in text.chars() {
        let is_word = sign.is_alphanumeric();
        let is_border =
            sign.is_ascii() != before.is_ascii() || (before.is_lowercase() && sign.is_uppercase());
        if (!is_word || is_border) && !folded.ends_with(' ') {
            folded.push(' ');
        }
        if is_word {
            folded.extend(sign.to_lowercase());
        }
        before = sign;
    }
    if !folded.ends_with(' ') {
        folded.push(' ');
    }
    folded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_three_languages_give_the_field_away() {
        for (text, domain) in [
            ("Rotate the OAuth credentials", "security"),
            ("write tests for the password reset", "testing"),
            ("the query is slow: optimize its latency", "performance"),
            ("fixLoginCrash", "debugging"),
            ("Refactor the module borders", "architecture"),
            ("update README and docs", "documentation"),
            ("deploy to kubernetes", "devops"),
            ("migrate the schema", "data"),
            ("say hello", GENERAL),
            ("", GENERAL),
            ("the author of the latest contest", GENERAL),
            ("인증 모듈의 취약점을 찾아 줘", "security"),
            ("로그인 테스트를 고쳐 줘", "debugging"),
            ("결제 화면에 테스트를 추가해 줘", "testing"),
            ("쿼리가 느려요, 성능 최적화 부탁해요", "performance"),
            ("修复登录时的崩溃", "debugging"),
            ("给支付模块补充测试用例", "testing"),
            ("把服务部署到容器里", "devops"),
            ("API文档を書く docs", "documentation"),
        ] {
            assert_eq!(domain_of(text), domain, "{text}");
        }
    }

    #[test]
    fn latin_words_are_found_between_other_scripts_but_not_inside_other_words() {
        assert_eq!(domain_of("이 test를 돌려 줘"), "testing");
        assert_eq!(domain_of("contested"), GENERAL);
        assert!(mentions("Speed up the cache").iter().any(|mention| mention.word == "speed up"));
    }

    #[test]
    fn the_table_holds_what_a_folded_text_can_hold() {
        for word in DOMAINS.iter().flat_map(|domain| domain.words) {
            let stem = word.trim_end_matches('*');
            assert_eq!(folded(stem).trim(), stem, "{word}");
            assert!(mentions(stem).iter().any(|mention| mention.word == *word), "{word}");
        }
    }
}
