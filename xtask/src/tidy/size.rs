//! How long files and functions may be. Tests and rows of tables do not count.

use super::Finding;
use super::source;
use super::tree::{File, Tree};

const FILE_WARNS: usize = 500;
const FILE_FAILS: usize = 800;
const FUNCTION_FAILS: usize = 70;

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    tree.ending(".rs").filter(|file| !file.is_test()).flat_map(check_file).collect()
}

fn check_file(file: &File) -> Vec<Finding> {
    let code = file.code();
    let mut findings = Vec::new();
    let lines = code.lines().filter(|line| !line.trim().is_empty() && !source::is_data(line)).count();
    if lines > FILE_FAILS {
        findings.push(Finding::breach(&file.path, 1, format!("{lines} lines of code; stop at {FILE_FAILS}")));
    } else if lines > FILE_WARNS {
        findings.push(Finding::warning(
            &file.path,
            1,
            format!("{lines} lines of code; pause at {FILE_WARNS}"),
        ));
    }
    let long = source::functions(&code).into_iter().filter(|function| function.lines > FUNCTION_FAILS);
    findings.extend(long.map(|function| {
        let message = format!("fn {} has {} lines; stop at {FUNCTION_FAILS}", function.name, function.lines);
        Finding::breach(&file.path, function.line, message)
    }));
    findings
}

#[cfg(test)]
mod tests {
    use super::super::Severity;
    use super::*;

    fn check(path: &str, text: &str) -> Vec<(Severity, usize)> {
        let found = super::check(&Tree::of(&[(path, text)]));
        found.into_iter().map(|finding| (finding.severity, finding.line)).collect()
    }

    #[test]
    fn long_files_warn_and_longer_ones_fail() {
        let lines = |count| "use a;\n".repeat(count);
        assert_eq!(check("a.rs", &lines(500)), []);
        assert_eq!(check("a.rs", &lines(501)), [(Severity::Warning, 1)]);
        assert_eq!(check("a.rs", &lines(801)), [(Severity::Breach, 1)]);
        assert_eq!(check("tests/it/a.rs", &lines(801)), []);
    }

    #[test]
    fn comments_tables_and_test_modules_do_not_count() {
        assert_eq!(check("a.rs", &"// why\n".repeat(900)), []);
        let rows = "    \"a\", \"b\",\n    1, 2.5,\n".repeat(450);
        assert_eq!(check("a.rs", &format!("fn f() {{\n    &[\n{rows}]\n}}\n")), []);
        let tests = format!("#[cfg(test)]\nmod tests {{\n{}}}\n", "use a;\n".repeat(900));
        assert_eq!(check("a.rs", &tests), []);
    }

    #[test]
    fn long_functions_fail_where_they_begin() {
        let function = |lines: usize| format!("\nfn f() {{\n{}}}\n", "    a();\n".repeat(lines - 2));
        assert_eq!(check("a.rs", &function(70)), []);
        assert_eq!(check("a.rs", &function(71)), [(Severity::Breach, 2)]);
        assert_eq!(check("tests/a.rs", &function(71)), []);
    }
}
