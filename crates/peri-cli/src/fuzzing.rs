//! What the command reads from outside, for the fuzz targets alone.

use std::ffi::OsString;
use std::path::Path;

use jiff::{Timestamp, Zoned};
use perihelion::{Namespace, Perihelion};

use crate::error::CliError;
use crate::import::archive::Export;
use crate::import::conversations::{self, Service};
use crate::import::intake::{Intake, Purpose};
use crate::import::knowledge::KnowledgeFile;
use crate::import::{basic_memory, mem0};
use crate::{config, time};

/// Another system whose files are imported.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum System {
    /// OpenAI's export of conversations.
    Chatgpt,
    /// Anthropic's.
    Claude,
    /// mem0.
    Mem0,
    /// A folder of notes.
    BasicMemory,
    /// The reference MCP memory server.
    MemoryServer,
}

/// What an import would do.
#[derive(Debug, Default)]
pub struct Foretold {
    /// Memories that would be new.
    pub added: u64,
    /// Why records are refused.
    pub refused: Vec<String>,
}

/// Tells what importing a file would do; nothing is stored. The error is what a person would see.
pub fn foretell(engine: &Perihelion, system: System, path: &Path) -> Result<Foretold, String> {
    taken(engine, system, path).map_err(|error| {
        let hint = error.hint().unwrap_or_default();
        format!("{error} {hint}")
    })
}

fn taken(engine: &Perihelion, system: System, path: &Path) -> Result<Foretold, CliError> {
    let namespace = Namespace::default();
    let mut intake = Intake::new(engine, "fuzz", Purpose::Tell);
    match system {
        System::Chatgpt | System::Claude => {
            let service = if system == System::Chatgpt { Service::Chatgpt } else { Service::Claude };
            let export = Export::open(path, conversations::is_conversations)?;
            conversations::take_all(export, service, &namespace, &mut intake, false)?;
        }
        System::Mem0 => {
            let export = Export::open(path, mem0::is_memories)?;
            let target = mem0::Target { namespace, by: Some(mem0::Owner::User) };
            mem0::take_all(export, &target, &mut intake, false)?;
        }
        System::BasicMemory => drop(basic_memory::take_all(path, &namespace, &mut intake)?),
        System::MemoryServer => {
            let name = path.display().to_string();
            let file = peri_private::open_named(path).map_err(|source| CliError::read(&name, source))?;
            let file = KnowledgeFile::read(engine, std::io::BufReader::new(file), &name)?;
            let refused = file.refused.iter().map(|refused| refused.reason.clone()).collect();
            return Ok(Foretold { added: file.holds().entities, refused });
        }
    }
    let refused = intake.taken.refused.iter().map(|refused| format!("{}: {}", refused.place, refused.reason));
    Ok(Foretold { added: intake.taken.added, refused: refused.collect() })
}

/// Reads a configuration file and variables of the environment. The answer is what `config show` prints, the error what a
/// person would see.
pub fn configuration(file: &str, variables: &[(String, OsString)]) -> Result<String, String> {
    let variable = |name: &str| variables.iter().find(|(own, _)| own == name).map(|(_, value)| value.clone());
    let settings = config::resolved(file, &variable).map_err(|error| {
        let hint = error.hint().unwrap_or_default();
        format!("{error} {hint}")
    })?;
    Ok(settings.iter().map(|setting| format!("{} = {:?}\n", setting.key, setting.value)).collect())
}

/// A time as people type it, in each of its senses.
pub fn times(text: &str, now: &Zoned) -> [Result<Timestamp, String>; 4] {
    time::in_every_sense(text, now)
}
