//! What must not be written in Rust code outside tests.

use super::Finding;
use super::source;
use super::tree::{File, Tree};

/// Who speaks to a person: benchmarks, chores and the command line's output.
const MAY_PRINT: &[&str] =
    &["xtask/", "crates/peri-bench/", "crates/peri-cli/src/output.rs", "crates/peri-cli/src/output/"];

/// Put together from halves where a search for the phrase would otherwise end here.
const PHRASES: &[(&str, &str)] = &[
    (concat!(".unw", "rap()"), "handle the error, or say with expect why it cannot happen"),
    ("todo!", "finish it"),
    ("unimplemented!", "finish it"),
    ("dbg!", "take it out"),
    ("let _ =", "handle the result, or say with drop that it does not matter and why"),
];

const IGNORED: &str = concat!("#[ig", "nore");

const PRINTS: &[(&str, &str)] = &[
    ("println!", "only the command line's output module prints"),
    ("eprintln!", "only the command line's output module prints"),
    ("print!", "only the command line's output module prints"),
    ("eprint!", "only the command line's output module prints"),
];

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    tree.ending(".rs").flat_map(check_file).collect()
}

fn check_file(file: &File) -> Vec<Finding> {
    // A test that is ignored is no test, so this one holds in tests too.
    let mut findings = find(file, &source::mask(&file.text), &[(IGNORED, "mend the test or delete it")]);
    if file.is_test() {
        return findings;
    }
    let code = file.code();
    findings.extend(find(file, &code, PHRASES));
    if !MAY_PRINT.iter().any(|place| file.path.starts_with(place)) {
        findings.extend(find(file, &code, PRINTS));
    }
    findings
}

fn find(file: &File, code: &str, phrases: &[(&str, &str)]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (phrase, remedy) in phrases {
        for (at, _) in code.match_indices(phrase) {
            let whole = !phrase.starts_with(source::is_word) || !code[..at].ends_with(source::is_word);
            if whole {
                let line = source::line_of(code, at);
                findings.push(Finding::breach(&file.path, line, format!("`{phrase}`: {remedy}")));
            }
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(path: &str, text: &str) -> usize {
        super::check(&Tree::of(&[(path, text)])).len()
    }

    #[test]
    fn forbidden_phrases_are_found_in_code_alone() {
        for (text, count) in [
            ("fn f() { a.unwrap(); }", 1),
            ("fn f() { a.unwrap_or(1); }", 0),
            ("/// a.unwrap()\nfn f() {}", 0),
            ("fn f() { g(\"a.unwrap()\"); }", 0),
            ("fn f() { todo!() }\nfn g() { unimplemented!() }\nfn h() { dbg!(1) }", 3),
            ("fn f() { let _ = g(); let _guard = h(); }", 1),
            ("fn f() { println!(); }", 1),
            ("fn f() { eprintln!(); }", 1),
            ("fn f() { my_println!(); }", 0),
            ("#[cfg(test)]\nmod tests { fn f() { a.unwrap(); println!(); } }", 0),
        ] {
            assert_eq!(check("crates/peri-store/src/a.rs", text), count, "{text}");
        }
    }

    #[test]
    fn some_places_may_print_but_not_unwrap() {
        let text = "fn f() { println!(); a.unwrap(); }";
        for path in ["xtask/src/a.rs", "crates/peri-bench/src/a.rs", "crates/peri-cli/src/output.rs"] {
            assert_eq!(check(path, text), 1, "{path}");
        }
        assert_eq!(check("crates/peri-cli/src/main.rs", text), 2);
        assert_eq!(check("crates/peri-embed/examples/a.rs", text), 0);
    }

    #[test]
    fn ignored_tests_are_found_everywhere() {
        let test = format!("{IGNORED}]\nfn f() {{}}");
        assert_eq!(check("crates/peri-store/tests/it/a.rs", &test), 1);
        assert_eq!(check("crates/peri-store/src/a.rs", &format!("#[cfg(test)]\nmod tests {{ {test} }}")), 1);
    }
}
