//! What fills conversations besides words: logs, code and secrets, made up where the story says so.

/// A key that looks real, put together so that nobody takes it for a leaked one.
pub(super) fn secret() -> String {
    format!("gh{}_{}", "p", "Wk7xQ2mR9tLz4VbN8sDf3HjP6yUc1GaE5oKi")
}

/// A text of the story with its clutter: `{secret}`, `{log 30}` and `{code 30}` stand for it.
pub(super) fn filled(text: &str) -> String {
    let mut filled = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        filled.push_str(before);
        let Some((inside, after)) = after.split_once('}') else { panic!("{{ without }}: {text}") };
        let (name, count) = inside.split_once(' ').unwrap_or((inside, "0"));
        let count: usize = count.parse().unwrap();
        filled.push_str(&match name {
            "secret" => secret(),
            "log" => log(count),
            "code" => code(count),
            _ => panic!("nobody knows {inside:?}"),
        });
        rest = after;
    }
    filled.push_str(rest);
    filled
}

/// Lines as programs write them.
pub(super) fn log(lines: usize) -> String {
    let line = |number: usize| {
        format!(
            "2026-11-02T09:{:02}:{:02}.{:03}Z  WARN worker-{} request {:#010x} took {} ms, attempt {} of 5\n",
            number / 60 % 60,
            number % 60,
            number * 37 % 1000,
            number % 7,
            number.wrapping_mul(2_654_435_761) % 0xFFFF_FFFF,
            number * 131 % 4000,
            number % 5 + 1,
        )
    };
    (0..lines).map(line).collect()
}

/// Lines of a program, in a fence.
fn code(lines: usize) -> String {
    let body: String = (0..lines)
        .map(|number| format!("    let total_{number} = total_{number} + step({number})?;\n"))
        .collect();
    format!("```rust\nfn sum() -> Result<u64, Error> {{\n{body}    Ok(0)\n}}\n```")
}
