//! Code that was written twice.

use peri_workspace::{DuplicateLimits, Duplicates, Likeness};

use crate::folder::Folder;

fn look(files: &[(&str, &str)]) -> Duplicates {
    Folder::with(files).open_kept().0.duplicates(&DuplicateLimits::default(), &|| true)
}

/// A function of eight lines about this word.
fn function(word: &str) -> String {
    format!(
        "fn read_{word}(path: &Path, limit: usize) -> Option<Vec<{word}>> {{\n    let opened = File::open(path.join(\"{word}\")).ok()?;\n    \
         let mut {word}_found = Vec::with_capacity(limit);\n    for line in BufReader::new(opened).lines().take(limit) {{\n        \
         {word}_found.push(parse_{word}(&line.ok()?)?);\n    }}\n    {word}_found.sort_by_key(|entry| entry.age);\n    Some({word}_found)\n}}\n"
    )
}

#[test]
fn copied_code_is_found_where_it_stands() {
    let copied = function("row");
    let first = format!("use a;\n\nfn one() {{}}\n\n{copied}");
    let second = format!("// 설명\n{copied}\nfn two() {{}}\n");
    let found = look(&[("a.rs", &first), ("b.rs", &second), ("c.rs", "fn other() { work(); }\n")]);
    assert_eq!(found.listed.len(), 1);
    let duplicate = &found.listed[0];
    assert_eq!((duplicate.likeness, duplicate.lines), (Likeness::Exact, 9));
    let places: Vec<(&str, usize, usize)> = duplicate
        .places
        .iter()
        .map(|place| (place.path.as_str(), place.first_line, place.last_line))
        .collect();
    assert_eq!(places, [("a.rs", 5, 13), ("b.rs", 2, 10)]);
    assert!(duplicate.sample.starts_with("fn read_row("));
    assert_eq!(found.spare_lines, 9);
}

#[test]
fn the_same_with_other_names_is_found_by_its_shape() {
    let found = look(&[("a.rs", &function("row")), ("b.rs", &function("열"))]);
    assert_eq!(
        found.listed.iter().map(|duplicate| duplicate.likeness).collect::<Vec<_>>(),
        [Likeness::Shape]
    );
}

#[test]
fn within_one_file_too() {
    let found =
        look(&[("a.rs", &[function("row"), "fn between() {}\n".to_owned(), function("row")].concat())]);
    assert_eq!(found.listed[0].places.len(), 2);
}

#[test]
fn imports_comments_tables_and_generated_files_are_no_duplicates() {
    let imports = "use a::b;\nuse c::d;\nuse e::{\n    f,\n    g,\n    h,\n    i,\n    j,\n};\nuse k::l;\nuse m::n;\nuse o::p;\nuse q::r;\n";
    let comments = "// one\n// two\n// three\n// four\n// five\n// six\n// seven\n";
    let table =
        format!("const T: &[(&str, u8)] = &[\n{}];\n", "    (\"a\", 1),\n    (\"b\", 2),\n".repeat(20));
    let text = format!("{imports}{comments}{table}");
    let generated = format!("// @generated\n{}", function("row"));
    let found = look(&[
        ("a.rs", &text),
        ("b.rs", &text.replace('T', "U")),
        ("c.rs", &generated),
        ("d.rs", &generated),
    ]);
    assert_eq!(found.listed, [], "{found:?}");
}

#[test]
fn the_list_ends_and_says_how_many_more_there_are() {
    let other = "fn settle(&mut self, now: u64) -> bool {\n    let Some(next) = self.queue.pop_front() else { return false };\n    \
        while self.clock < now && !next.is_due(self.clock) {\n        self.clock += self.step;\n        self.ticks.push(self.clock);\n    }\n    \
        self.done.insert(next.id, self.clock);\n    true\n}\n";
    let first = format!("{}fn x() {{ y(1) }}\n{other}", function("row"));
    let second = format!("{other}fn z() {{ w[2] }}\n{}", function("row"));
    let limits = DuplicateLimits { listed_max: 1, ..DuplicateLimits::default() };
    let kept = Folder::with(&[("a.rs", &first), ("b.rs", &second)]).open_kept();
    let found = kept.0.duplicates(&limits, &|| true);
    assert_eq!((found.listed.len(), found.unlisted), (1, 1), "{found:?}");
}

#[test]
fn a_sample_never_shows_a_secret() {
    let token = ["ghp", "_q8Zr2vKx9Lm4Tn7Wp1YcB5dF3gH6jK0sA"].concat();
    let text = format!("let client = connect(\"{token}\", address, retries);\n{}", function("row"));
    let found = look(&[("a.rs", &text), ("b.rs", &text)]);
    assert!(found.listed[0].sample.contains("redacted") && !found.listed[0].sample.contains(&token));
}
