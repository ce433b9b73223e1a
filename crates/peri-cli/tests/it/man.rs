//! Manual pages, as a person prints them and as a packager collects them.

use super::support::Peri;

#[test]
fn a_page_is_printed_and_all_are_written_into_a_folder() {
    let peri = Peri::new();
    let page = peri.ok(&["man", "graph", "link"]);
    assert!(page.contains(".TH PERI\\-GRAPH\\-LINK 1") || page.contains(".TH PERI-GRAPH-LINK 1"), "{page}");
    assert!(page.contains(".SH EXAMPLES\n") && page.contains("peri(1), peri\\-graph(1)"), "{page}");
    peri.ok(&["man", "--out", "pages/man1"]);
    let folder = peri.home().with_file_name("pages").join("man1");
    let written = std::fs::read_to_string(folder.join("peri-graph-link.1")).unwrap();
    assert_eq!(written, page);
    let mut names: Vec<_> = std::fs::read_dir(&folder)
        .unwrap()
        .map(|file| file.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert!(names.len() > 150 && names.iter().all(|name| name.starts_with("peri") && name.ends_with(".1")));
    peri.ok(&["man", "--out", "pages/man1"]);
    assert_eq!(
        std::fs::read_dir(&folder).unwrap().count(),
        names.len(),
        "again replaces them and leaves no drafts"
    );
    assert!(!peri.home().exists());
}

#[test]
fn a_page_of_no_verb_is_refused() {
    let peri = Peri::new();
    let run = peri.run(&["man", "graph", "elsewhere"]);
    assert_eq!(run.code, 2);
    assert!(run.err.contains("there is no verb graph elsewhere"), "{}", run.err);
    assert_eq!(peri.run(&["man", "recall", "--out", "x"]).code, 2);
}

#[test]
fn the_version_is_told_first() {
    let told = Peri::new().ok(&["--version"]);
    assert!(told.starts_with(concat!("peri ", env!("CARGO_PKG_VERSION"))), "{told}");
}
