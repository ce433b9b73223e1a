//! "Did you mean": the closest known name to an unknown one.

/// How alike two names must be to be worth suggesting.
const LIKENESS_MIN: f64 = 0.7;

/// The known name that is most like the given one, if any is like it at all.
pub(crate) fn closest<'a>(given: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let given = given.to_lowercase();
    known
        .into_iter()
        .map(|name| (name, strsim::jaro_winkler(&given, &name.to_lowercase())))
        .filter(|(_, likeness)| *likeness >= LIKENESS_MIN)
        .max_by(|(_, a), (_, b)| a.total_cmp(b))
        .map(|(name, _)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_recognised_and_strangers_are_not() {
        let known = ["content", "namespace", "speaker"];
        for (given, expected) in [("contnet", Some("content")), ("Speeker", Some("speaker")), ("xyz", None)] {
            assert_eq!(closest(given, known), expected, "{given}");
        }
    }
}
