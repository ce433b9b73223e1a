//! One manual page: what clap knows of a command, and what a reader of manuals looks for besides.

use clap::builder::PossibleValue;
use clap::{Arg, Command};
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, italic, roman};

use super::examples::closing;
use super::is_program;
use crate::{exit, version};

/// The section of programs that people run.
const SECTION: &str = "1";

/// The day of a build that knows of no commit. An empty one would put what follows in its place.
const UNDATED: &str = "undated";

/// What the environment says, as far as people set it by hand.
const ENVIRONMENT: [(&str, &str); 5] = [
    ("PERI_HOME", "The data folder, unless --home names one."),
    ("PERI_NAMESPACE", "The namespace, unless --namespace names one."),
    ("PERI_CONFIG", "The configuration file, unless --config names one."),
    ("PERI_SESSION", "The session of peri hear and peri context, unless --session names one."),
    ("NO_COLOR", "If set and not empty, no colours are used."),
];

const SETTINGS: &str = "Every setting can be given as PERI_ and its key, as in PERI_RECALL_LIMIT; \
    peri config defaults lists them.";

/// What is where, below the data folder.
const FILES: [(&str, &str); 4] = [
    ("perihelion.db", "Everything that is remembered."),
    ("perihelion.toml", "The configuration, if there is one."),
    ("index/", "What makes recall quick. It can be deleted at any time and is made again."),
    ("logs/events.jsonl", "What happened; peri logs shows it."),
];

/// The name of a page's file, such as `peri-graph-link.1`.
pub(super) fn file_name(command: &Command) -> String {
    format!("{}.{SECTION}", name(command))
}

/// The pages that a page refers to at its end.
pub(super) fn see_also(command: &Command) -> Vec<String> {
    let words: Vec<_> = whole(command).split(' ').collect();
    if words.len() == 1 {
        return ["peri-remember", "peri-recall", "peri-serve", "peri-config"].map(ToOwned::to_owned).to_vec();
    }
    (1..words.len()).map(|count| words[..count].join("-")).collect()
}

/// The page as roff.
pub(super) fn render(command: &Command) -> Vec<u8> {
    let shown = prepared(command);
    let man = Man::new(shown.clone())
        .title(name(command).to_uppercase())
        .section(SECTION)
        .date(if version::DATE.is_empty() { UNDATED } else { version::DATE })
        .source(format!("perihelion {}", env!("CARGO_PKG_VERSION")))
        .manual("Perihelion");
    let mut bytes = Vec::new();
    sections(&man, &shown, &mut bytes).expect("memory can be written to");
    bytes.extend_from_slice(ending(command).to_roff().as_bytes());
    bytes
}

fn name(command: &Command) -> &str {
    command.get_display_name().unwrap_or_else(|| command.get_name())
}

/// What is typed to reach it, such as `peri graph link`.
fn whole(command: &Command) -> &str {
    command.get_bin_name().unwrap_or_else(|| command.get_name())
}

/// The command as its page shows it: what all commands share is described once, in the page of the program, and the
/// values that an option takes are told in a line.
fn prepared(command: &Command) -> Command {
    let ids: Vec<_> = command.get_arguments().map(|argument| argument.get_id().clone()).collect();
    let described = is_program(command);
    let change = |argument: Arg| {
        if argument.is_global_set() && !described {
            argument.hide(true)
        } else {
            with_values_in_line(argument)
        }
    };
    let command = command.clone().subcommand_value_name("COMMAND");
    ids.into_iter().fold(command, |command, id| command.mut_arg(id, change))
}

fn with_values_in_line(argument: Arg) -> Arg {
    let values = argument.get_possible_values();
    if argument.is_hide_possible_values_set() || values.is_empty() || !argument.get_action().takes_values() {
        return argument;
    }
    let told: Vec<_> = values.iter().filter(|value| !value.is_hide_set()).map(value_in_words).collect();
    let help = argument.get_help().map(ToString::to_string).unwrap_or_default();
    let help = format!("{help} [possible values: {}]", told.join(", "));
    argument.long_help(help).hide_possible_values(true)
}

fn value_in_words(value: &PossibleValue) -> String {
    match value.get_help() {
        Some(help) => format!("{} ({})", value.get_name(), help.to_string().trim_end_matches('.')),
        None => value.get_name().to_owned(),
    }
}

/// What clap knows of the command.
fn sections(man: &Man, command: &Command, bytes: &mut Vec<u8>) -> std::io::Result<()> {
    man.render_title(bytes)?;
    man.render_name_section(bytes)?;
    man.render_synopsis_section(bytes)?;
    man.render_description_section(bytes)?;
    bytes.extend_from_slice(remarks(command).to_roff().as_bytes());
    man.render_options_section(bytes)?;
    if command.get_subcommands().any(|below| !below.is_hide_set()) {
        man.render_subcommands_section(bytes)?;
    }
    Ok(())
}

/// What else is to be said of it.
fn remarks(command: &Command) -> Roff {
    let mut roff = Roff::default();
    for paragraph in closing(command).remarks {
        roff.control("PP", []);
        paragraph.lines().for_each(|line| {
            roff.text([roman(line.trim())]);
        });
    }
    if !is_program(command) {
        roff.control("PP", []);
        roff.text([roman("The options of every command are described in "), bold("peri"), roman("(1).")]);
    }
    roff
}

/// What a reader of manuals looks for at the end.
fn ending(command: &Command) -> Roff {
    let mut roff = Roff::default();
    roff.control("SH", ["EXAMPLES"]);
    roff.control("nf", []);
    for line in closing(command).examples {
        roff.text([roman(line)]);
    }
    roff.control("fi", []);
    if is_program(command) {
        surroundings(&mut roff);
    }
    roff.control("SH", ["EXIT STATUS"]);
    if is_program(command) {
        exit::meanings().for_each(|(code, meaning)| entry(&mut roff, &code.to_string(), meaning));
    } else {
        roff.text([roman("0 if all was done. The other codes are listed in "), bold("peri"), roman("(1).")]);
    }
    let others: Vec<_> = see_also(command).iter().map(|page| format!("{page}({SECTION})")).collect();
    roff.control("SH", ["SEE ALSO"]);
    roff.text([roman(others.join(", "))]);
    roff
}

fn surroundings(roff: &mut Roff) {
    roff.control("SH", ["ENVIRONMENT"]);
    ENVIRONMENT.iter().for_each(|(name, meaning)| entry(roff, name, meaning));
    roff.control("PP", []);
    roff.text([roman(SETTINGS)]);
    roff.control("SH", ["FILES"]);
    let place = "In the data folder, which peri config path tells:";
    roff.text([roman(place)]);
    for (name, meaning) in FILES {
        roff.control("TP", []);
        roff.text([italic(name)]);
        roff.text([roman(meaning)]);
    }
}

fn entry(roff: &mut Roff, name: &str, meaning: &str) {
    roff.control("TP", []);
    roff.text([bold(name)]);
    roff.text([roman(meaning)]);
}
