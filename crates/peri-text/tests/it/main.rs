//! What the crate promises, as tables and properties.

mod dates;
mod identifiers;
mod properties;
mod redaction;
mod relation;
mod terms;
mod tokens;
mod when;

/// The index terms of a text, without counts.
fn index(text: &str) -> Vec<String> {
    peri_text::analyze(text).terms.into_iter().map(|(term, _)| term).collect()
}

/// The query terms of a text that have one of the classes.
fn query(text: &str, classes: &[peri_text::TermClass]) -> Vec<String> {
    peri_text::analyze_query(text)
        .into_iter()
        .filter(|term| classes.contains(&term.class))
        .map(|term| term.text)
        .collect()
}
