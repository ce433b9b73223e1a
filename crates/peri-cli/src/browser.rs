//! The user's browser, asked to show a page. That it does is a courtesy: nothing fails when it cannot.

use std::process::{Command, Stdio};

/// Opens the page of a server at this address. What went wrong is told in words, with what to do instead.
pub(crate) fn open(url: &str) -> Result<(), String> {
    let page = format!("{}/", reachable(url));
    let (program, before) = opener();
    let mut command = Command::new(program);
    command.args(before).arg(&page).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let missing = |error| format!("no browser could be opened ({program}: {error}): go to {page}");
    let mut child = command.spawn().map_err(missing)?;
    // Some stay as long as the browser does, and one that has ended must be let go of.
    std::thread::spawn(move || match child.wait() {
        Ok(status) if status.success() => {}
        Ok(status) => tracing::warn!(page, %status, "no browser was opened"),
        Err(error) => tracing::warn!(page, %error, "no browser was opened"),
    });
    Ok(())
}

/// The program that shows pages here, with what stands before the page's address.
fn opener() -> (&'static str, &'static [&'static str]) {
    if cfg!(target_os = "macos") {
        ("open", &[])
    } else if cfg!(windows) {
        // The empty text is a title, for which the address would be taken otherwise.
        ("cmd", &["/C", "start", ""])
    } else {
        ("xdg-open", &[])
    }
}

/// A server that listens on every address is not found at the one that stands for all of them.
fn reachable(url: &str) -> String {
    url.replace("://0.0.0.0:", "://127.0.0.1:").replace("://[::]:", "://[::1]:")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_on_every_address_is_shown_on_this_machine() {
        for (url, shown) in [
            ("http://0.0.0.0:7437", "http://127.0.0.1:7437"),
            ("https://[::]:7437", "https://[::1]:7437"),
            ("http://127.0.0.1:7437", "http://127.0.0.1:7437"),
            ("http://10.0.0.0:7437", "http://10.0.0.0:7437"),
        ] {
            assert_eq!(reachable(url), shown);
        }
    }
}
