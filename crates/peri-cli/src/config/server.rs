//! The settings of the faces that serve.

use std::net::SocketAddr;
use std::path::Path;
use std::time::Duration;

use peri_http::Tls;
use peri_mcp::{Families, Home};

use super::keys::Keys;
use super::{ConfigError, Value};

/// A gigabyte.
const BODY_MB_MAX: u64 = 1024;
/// More requests at once than one machine works on.
const CONCURRENCY_MAX: u64 = 10_000;
/// An hour.
const WAIT_MS_MAX: u64 = 60 * 60 * 1000;

impl Keys<'_> {
    /// The HTTP server.
    pub(super) fn server(&self, home: &Path) -> Result<peri_http::Settings, ConfigError> {
        let listen = self.text("server.listen")?.parse::<SocketAddr>();
        let body_mb = self.between("server.body_mb_max", 1, BODY_MB_MAX)?;
        let concurrency = self.between("server.concurrency_max", 1, CONCURRENCY_MAX)?;
        let wait = self.between("server.queue_timeout_ms", 1, WAIT_MS_MAX)?;
        let rate = self.at_most("server.requests_per_minute", u64::from(u32::MAX))?;
        Ok(peri_http::Settings {
            listen: listen.map_err(|_| {
                self.bad("server.listen", "it is no address with a port, such as 127.0.0.1:7437")
            })?,
            hosts: self.names("server.hosts")?.to_vec(),
            origins: self.names("server.origins")?.to_vec(),
            body_bytes_max: usize::try_from(body_mb * 1024 * 1024).unwrap_or(usize::MAX),
            concurrency_max: usize::try_from(concurrency).unwrap_or(usize::MAX),
            queue_timeout: Duration::from_millis(wait),
            requests_per_minute: u32::try_from(rate).unwrap_or(u32::MAX),
            grace: Duration::from_secs(self.at_most("server.grace_seconds", WAIT_MS_MAX / 1000)?),
            tls: self.tls(home)?,
            ..peri_http::Settings::default()
        })
    }

    fn tls(&self, home: &Path) -> Result<Option<Tls>, ConfigError> {
        match (self.text("server.tls_certificate")?, self.text("server.tls_key")?) {
            ("", "") => Ok(None),
            ("", _) => Err(self.bad("server.tls_certificate", "a key needs its certificate")),
            (_, "") => Err(self.bad("server.tls_key", "a certificate needs its key")),
            (certificate, key) => Ok(Some(Tls { certificate: home.join(certificate), key: home.join(key) })),
        }
    }

    /// What MCP clients are offered.
    pub(super) fn mcp(&self) -> Result<peri_mcp::Settings, ConfigError> {
        let families = self.text("mcp.tools")?.parse::<Families>();
        let mut home = Home::default();
        for line in self.names("mcp.workspaces")? {
            let (root, namespace) = line.rsplit_once('=').ok_or_else(|| {
                self.bad("mcp.workspaces", format!("{line:?} is not of the form ROOT=NAMESPACE"))
            })?;
            let namespace = namespace.trim().parse();
            let namespace = namespace.map_err(|error| self.bad("mcp.workspaces", format!("{error}")))?;
            home.workspaces.insert(root.trim().to_owned(), namespace);
        }
        let instructions = self.text("mcp.instructions")?;
        Ok(peri_mcp::Settings {
            families: families.map_err(|error| self.bad("mcp.tools", error.to_string()))?,
            home,
            instructions: (!instructions.is_empty()).then(|| instructions.to_owned()),
        })
    }

    fn names(&self, key: &str) -> Result<&[String], ConfigError> {
        match &self.setting(key)?.value {
            Value::Names(names) => Ok(names),
            _ => Err(self.bad(key, "it is no list")),
        }
    }
}
