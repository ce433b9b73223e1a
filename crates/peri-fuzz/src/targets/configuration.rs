//! Settings, and times as people type them.

use std::ffi::OsString;

use jiff::{Timestamp, Zoned};
use peri_cli::fuzzing::{configuration, times};

use super::desk::now;
use crate::given::{self, is_for_people};

/// What nobody may ever read in a message or on a screen.
const SECRET: &str = "hunter2swordfish";

/// Configuration files and the environment: every text is taken or refused in words, and no password is shown.
pub(crate) fn settings(data: &[u8]) {
    let (file, environment) = given::two_texts(data);
    let variables = environment.lines().filter_map(|line| line.split_once('='));
    let variables: Vec<_> = variables
        .filter(|(name, _)| !name.contains("_URL") && !name.ends_with("CERTIFICATE"))
        .map(|(name, value)| (name.to_owned(), OsString::from(value)))
        .collect();
    let told = configuration(&file, &variables);
    let (Ok(said) | Err(said)) = &told;
    // Where an address stands as one; elsewhere it is no password.
    let is_address = ["postgres", "https"]
        .iter()
        .any(|scheme| file.contains(&format!("\nurl = \"{scheme}://u:{SECRET}@")));
    if is_address && file.matches(SECRET).count() == 1 {
        assert!(!said.contains(SECRET), "{}", given::head(said));
    }
    if let Err(message) = &told {
        is_for_people(message);
    }
}

/// Times on the command line: each is within the calendar, or refused in words.
pub(crate) fn typed_times(data: &[u8]) {
    let text = given::text(data);
    let zones = ["UTC", "Asia/Seoul", "America/St_Johns", "Pacific/Apia"];
    for zone in zones {
        let now: Zoned = now().in_tz(zone).expect("a zone that is known");
        for time in times(&text, &now) {
            match time {
                Ok(at) => assert!(at.as_second() <= Timestamp::MAX.as_second(), "{at}"),
                Err(message) => is_for_people(&message),
            }
        }
    }
}
