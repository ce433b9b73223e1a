//! What is asked of the installer.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::Agent;

/// What to install or to take back, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// Whose settings are edited.
    pub agent: Agent,
    /// For all projects of the user, or for one.
    pub scope: Scope,
    /// Where settings lie on this machine.
    pub folders: Folders,
    /// How paths look and which shell runs hooks.
    pub platform: Platform,
    /// The path of `peri`, or its name where the agent finds it.
    pub command: String,
    /// Variables that the agent sets for the server of tools. `PERI_HOME`, `PERI_CONFIG` and `PERI_NAMESPACE` reach the
    /// hooks too, as arguments.
    pub environment: BTreeMap<String, String>,
    /// What is wired.
    pub parts: Parts,
}

impl Request {
    /// Everything, for all projects of the user, on the platform this program was built for.
    pub fn new(agent: Agent, home: impl Into<PathBuf>, command: impl Into<String>) -> Self {
        Self {
            agent,
            scope: Scope::User,
            folders: Folders::of(home),
            platform: Platform::HERE,
            command: command.into(),
            environment: BTreeMap::new(),
            parts: Parts::Both,
        }
    }
}

/// For whom the settings hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Scope {
    /// All projects of the user.
    User,
    /// One project, and everybody who works on it.
    Project {
        /// Its root.
        folder: PathBuf,
    },
}

/// Which parts are wired.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Parts {
    /// The server of tools and the hooks.
    #[default]
    Both,
    /// The server of tools alone.
    Mcp,
    /// The hooks alone.
    Hooks,
}

impl Parts {
    /// Whether this part is among them.
    pub(super) const fn include(self, part: Part) -> bool {
        matches!((self, part), (Self::Both, _) | (Self::Mcp, Part::Mcp) | (Self::Hooks, Part::Hooks))
    }
}

/// One of the two parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    Mcp,
    Hooks,
}

/// Where settings lie. What is none has its usual place below the home folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Folders {
    /// The home folder of the user.
    pub home: PathBuf,
    /// `XDG_CONFIG_HOME`, or `APPDATA` on Windows.
    pub config: Option<PathBuf>,
    /// `CLAUDE_CONFIG_DIR`.
    pub claude: Option<PathBuf>,
    /// `CODEX_HOME`.
    pub codex: Option<PathBuf>,
    /// `COPILOT_HOME`.
    pub copilot: Option<PathBuf>,
}

impl Folders {
    /// The usual places below a home folder.
    pub fn of(home: impl Into<PathBuf>) -> Self {
        Self { home: home.into(), config: None, claude: None, codex: None, copilot: None }
    }

    pub(super) fn claude(&self) -> PathBuf {
        self.or_in_home(self.claude.as_deref(), ".claude")
    }

    /// The file beside the folder of Claude Code, or in it where that was moved.
    pub(super) fn claude_state(&self) -> PathBuf {
        self.claude.as_ref().unwrap_or(&self.home).join(".claude.json")
    }

    pub(super) fn codex(&self) -> PathBuf {
        self.or_in_home(self.codex.as_deref(), ".codex")
    }

    pub(super) fn copilot(&self) -> PathBuf {
        self.or_in_home(self.copilot.as_deref(), ".copilot")
    }

    pub(super) fn windsurf(&self) -> PathBuf {
        self.home.join(".codeium").join("windsurf")
    }

    /// Devin keeps to `~/.config` on macOS too.
    pub(super) fn devin(&self, platform: Platform) -> PathBuf {
        match platform {
            Platform::Windows => self.roaming().join("devin"),
            Platform::Linux | Platform::MacOs => {
                self.or_in_home(self.config.as_deref(), ".config").join("devin")
            }
        }
    }

    /// The user's part of Visual Studio Code, of the default profile.
    pub(super) fn visual_studio_code(&self, platform: Platform) -> PathBuf {
        let applications = match platform {
            Platform::Windows => self.roaming(),
            Platform::MacOs => self.home.join("Library").join("Application Support"),
            Platform::Linux => self.or_in_home(self.config.as_deref(), ".config"),
        };
        applications.join("Code").join("User")
    }

    fn roaming(&self) -> PathBuf {
        self.config.clone().unwrap_or_else(|| self.home.join("AppData").join("Roaming"))
    }

    fn or_in_home(&self, given: Option<&Path>, usual: &str) -> PathBuf {
        given.map_or_else(|| self.home.join(usual), Path::to_path_buf)
    }
}

/// The system the agent runs on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Platform {
    /// Linux and what is like it.
    Linux,
    /// macOS.
    MacOs,
    /// Windows.
    Windows,
}

impl Platform {
    /// What this program was built for.
    pub const HERE: Self = if cfg!(windows) {
        Self::Windows
    } else if cfg!(target_os = "macos") {
        Self::MacOs
    } else {
        Self::Linux
    };
}
