//! How commands are written for the shells of agents, and which commands are ours.

use std::collections::BTreeMap;

use crate::Agent;

use super::request::{Platform, Request};

/// Who takes a command apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shell {
    /// `sh`, `bash`, `zsh`, and `fish`.
    Posix,
    /// `cmd.exe`.
    Cmd,
    /// PowerShell.
    Pwsh,
}

/// The shell in which an agent runs hooks.
pub(super) const fn shell(agent: Agent, platform: Platform) -> Shell {
    match (platform, agent) {
        (Platform::Linux | Platform::MacOs, _) => Shell::Posix,
        (Platform::Windows, Agent::Cursor | Agent::Codex) => Shell::Cmd,
        (Platform::Windows, _) => Shell::Pwsh,
    }
}

/// Variables of the server that hooks take as arguments.
const AS_ARGUMENTS: [(&str, &str); 3] =
    [("PERI_HOME", "--home"), ("PERI_CONFIG", "--config"), ("PERI_NAMESPACE", "--namespace")];

/// What `peri` is given when an event happens.
pub(super) fn hook_arguments(request: &Request, event: &str) -> Vec<String> {
    let mut words = vec!["hook".to_owned(), request.agent.name().to_owned(), event.to_owned()];
    for (variable, argument) in AS_ARGUMENTS {
        if let Some(value) = request.environment.get(variable) {
            words.extend([argument.to_owned(), value.clone()]);
        }
    }
    words
}

/// Variables that hooks do not get.
pub(super) fn only_for_the_server(environment: &BTreeMap<String, String>) -> Vec<&str> {
    let known = |name: &&String| AS_ARGUMENTS.iter().any(|(variable, _)| variable == name);
    environment.keys().filter(|name| !known(name)).map(String::as_str).collect()
}

/// The whole command of a hook, for a shell.
pub(super) fn hook_command(request: &Request, event: &str, shell: Shell) -> String {
    let program = quoted(&request.command, shell);
    let call = if shell == Shell::Pwsh && program.starts_with('\'') { "& " } else { "" };
    let words: Vec<String> = hook_arguments(request, event).iter().map(|word| quoted(word, shell)).collect();
    format!("{call}{program} {}", words.join(" "))
}

/// One word so that the shell hands it on as it is.
fn quoted(word: &str, shell: Shell) -> String {
    if !word.is_empty() && word.chars().all(|letter| is_plain(letter, shell)) {
        return word.to_owned();
    }
    match shell {
        Shell::Posix => format!("'{}'", word.replace('\'', r"'\''")),
        Shell::Pwsh => format!("'{}'", word.replace('\'', "''")),
        Shell::Cmd => format!("\"{word}\""),
    }
}

fn is_plain(letter: char, shell: Shell) -> bool {
    letter.is_ascii_alphanumeric()
        || matches!(letter, '_' | '-' | '.' | '/' | ':' | '+')
        || (letter == '\\' && shell != Shell::Posix)
}

/// What makes a command unusable in settings; none if nothing does.
pub(super) fn unusable(request: &Request) -> Option<&'static str> {
    if !is_peri(&request.command) {
        return Some("its file name is not peri, so that it could not be found again later");
    }
    let values = request.environment.values().chain([&request.command]);
    let mut texts = values.chain(request.environment.keys());
    if texts.any(|text| text.chars().any(char::is_control)) {
        return Some("it, or a variable, holds a line break or another control character");
    }
    let in_quotes = |text: &String| text.contains(['"', '%']);
    if request.platform == Platform::Windows
        && (in_quotes(&request.command) || request.environment.values().any(in_quotes))
    {
        return Some("it, or a variable, holds \" or %, which no shell of Windows hands on");
    }
    None
}

/// Whether a path or name is that of our program.
pub(super) fn is_peri(command: &str) -> bool {
    let name = command.rsplit(['/', '\\']).next().unwrap_or(command);
    name == "peri" || name.eq_ignore_ascii_case("peri.exe")
}

/// Whether a command of a hook is one that we wrote for this agent.
pub(super) fn is_our_hook(command: &str, agent: Agent) -> bool {
    let needle = format!(" hook {} ", agent.name());
    let Some((program, rest)) = command.split_once(&needle) else { return false };
    let program = program.strip_prefix("& ").unwrap_or(program);
    let is_plain_call = !rest.contains([';', '|', '&', '<', '>', '`', '\n']) && !rest.contains("$(");
    is_plain_call && unquoted(program).is_some_and(|program| is_peri(&program))
}

/// The one word that this is; none if it is several.
fn unquoted(text: &str) -> Option<String> {
    for quote in ['\'', '"'] {
        let inner = text.strip_prefix(quote).and_then(|text| text.strip_suffix(quote));
        if let Some(inner) = inner {
            let inner = inner.replace(r"'\''", "\u{1}").replace("''", "\u{1}");
            return (!inner.contains(quote)).then(|| inner.replace('\u{1}', "'"));
        }
    }
    (!text.contains([' ', '\t', '\'', '"'])).then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(command: &str, shell: Shell) -> String {
        let mut request = Request::new(Agent::Gemini, "/home/me", command);
        request.environment.insert("PERI_HOME".to_owned(), "/data/내 기억".to_owned());
        hook_command(&request, "SessionStart", shell)
    }

    #[test]
    fn a_plain_path_needs_no_quotes_and_others_get_those_of_the_shell() {
        let all = [
            ("peri", Shell::Posix, "peri hook gemini SessionStart --home '/data/내 기억'"),
            (
                "/home/홍 길동/it's/peri",
                Shell::Posix,
                r"'/home/홍 길동/it'\''s/peri' hook gemini SessionStart --home '/data/내 기억'",
            ),
            (
                r"C:\Users\홍\peri.exe",
                Shell::Pwsh,
                r"& 'C:\Users\홍\peri.exe' hook gemini SessionStart --home '/data/내 기억'",
            ),
            (
                r"C:\bin\peri.exe",
                Shell::Pwsh,
                r"C:\bin\peri.exe hook gemini SessionStart --home '/data/내 기억'",
            ),
            (
                r"C:\Program Files\peri.exe",
                Shell::Cmd,
                "\"C:\\Program Files\\peri.exe\" hook gemini SessionStart --home \"/data/내 기억\"",
            ),
        ];
        for (command, shell, expected) in all {
            assert_eq!(written(command, shell), expected);
            assert!(is_our_hook(expected, Agent::Gemini), "{expected}");
            assert!(!is_our_hook(expected, Agent::Codex), "{expected}");
        }
    }

    #[test]
    fn a_posix_shell_hands_every_command_on_as_it_is() {
        for command in
            ["/a b/peri", "/it's/$HOME/`x`/peri", "/\"q\"/*/peri", "/한글/é/peri", "/back\\slash/peri"]
        {
            let output = std::process::Command::new("sh")
                .args(["-c", &format!("printf %s {}", quoted(command, Shell::Posix))])
                .output()
                .unwrap();
            assert_eq!(String::from_utf8(output.stdout).unwrap(), command);
        }
    }

    #[test]
    fn commands_of_others_are_never_ours() {
        let others = [
            "peri",
            "peri hook",
            "peri hook cursor stop",
            "perish hook gemini Stop",
            "/opt/peri/run hook gemini Stop",
            "cd /x && /usr/bin/peri hook gemini Stop",
            "sudo peri hook gemini Stop",
            "peri hook gemini Stop; rm -rf x",
            "peri hook gemini Stop | tee log",
            "echo 'peri' hook gemini Stop",
            "'/a' '/peri' hook gemini Stop",
            "",
        ];
        for command in others {
            assert!(!is_our_hook(command, Agent::Gemini), "{command}");
        }
    }

    #[test]
    fn a_command_that_could_not_be_found_again_is_refused() {
        let mut request = Request::new(Agent::Cursor, "/home/me", "/usr/bin/memory");
        assert!(unusable(&request).is_some());
        request.command = "/usr/\nbin/peri".to_owned();
        assert!(unusable(&request).is_some());
        request.command = "/100%/peri".to_owned();
        request.platform = Platform::Linux;
        assert_eq!(unusable(&request), None);
        request.platform = Platform::Windows;
        assert!(unusable(&request).is_some());
    }
}
