//! How a server behaves, resolved: nothing is left open here.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use perihelion::Namespace;

/// Everything about a server but the engine.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Where to listen. Port 0 takes a free one.
    pub listen: SocketAddr,
    /// Names by which the server may be addressed besides addresses and `localhost`.
    pub hosts: Vec<String>,
    /// Origins of web pages that may use the server, besides its own.
    pub origins: Vec<String>,
    /// Where requests work that do not say and whose key leaves it open.
    pub namespace: Namespace,
    /// Largest request, in bytes; imports are streams and apart.
    pub body_bytes_max: usize,
    /// So many requests are worked on at once; others wait for a moment.
    pub concurrency_max: usize,
    /// How long a request waits for its turn before it is told to come back later.
    pub queue_timeout: Duration,
    /// So many requests a minute and key, or address where no keys are asked for; 0 is no limit.
    pub requests_per_minute: u32,
    /// So many connections are open at once; further ones are closed at once, so that the files that the store needs
    /// are never used up.
    pub connections_max: usize,
    /// How long a client may pause within what it sends, headers and bodies alike. A slow line brings something in that
    /// time; who brings nothing only keeps others out.
    pub pause_max: Duration,
    /// How long open requests may take to end when the server stops.
    pub grace: Duration,
    /// Encrypts connections.
    pub tls: Option<Tls>,
    /// What MCP clients are offered.
    pub mcp: peri_mcp::Settings,
}

/// A certificate and its key, as PEM files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tls {
    /// The chain of certificates.
    pub certificate: PathBuf,
    /// The private key.
    pub key: PathBuf,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            listen: SocketAddr::from(([127, 0, 0, 1], 7437)),
            hosts: Vec::new(),
            origins: Vec::new(),
            namespace: Namespace::default(),
            body_bytes_max: 4 * 1024 * 1024,
            concurrency_max: 64,
            queue_timeout: Duration::from_secs(10),
            requests_per_minute: 60_000,
            // Most systems allow a process 1,024 open files.
            connections_max: 800,
            pause_max: Duration::from_secs(60),
            grace: Duration::from_secs(20),
            tls: None,
            mcp: peri_mcp::Settings::default(),
        }
    }
}
