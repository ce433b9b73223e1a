//! A server of its own process, as people run it.

use std::fs::{self, File};
use std::io::{BufRead as _, BufReader};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use serde_json::Value;

use crate::Outcome;
use crate::speed::cold::beside;

/// A running server, killed when it is dropped.
pub(super) struct Server {
    child: Child,
    pub(super) address: SocketAddr,
}

impl Server {
    /// Starts a server and waits until it listens. It takes a free port and as many requests as come, and logs to a
    /// file beside the folder, as it would where a system runs it.
    pub(super) fn start(folder: &Path) -> Outcome<Self> {
        let mut command = Command::new(peri()?);
        command.arg("--home").arg(folder).args(["serve", "--json", "--listen", "127.0.0.1:0"]);
        command.env("PERI_SERVER_REQUESTS_PER_MINUTE", "0");
        let log = folder.with_extension("log");
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(File::create(&log)?);
        let mut child = command.spawn()?;
        let address = listening(&mut child);
        // The server exists from here on, so that dropping it ends the process whatever else fails.
        let mut server = Self { child, address: SocketAddr::from(([127, 0, 0, 1], 0)) };
        server.address = address.map_err(|error| {
            let log = fs::read_to_string(&log).unwrap_or_default();
            format!("{error}\n{log}")
        })?;
        Ok(server)
    }

    /// The number of its process.
    pub(super) fn process(&self) -> u32 {
        self.child.id()
    }

    /// Ends the process without a warning.
    pub(super) fn kill(&mut self) -> Outcome<()> {
        self.child.kill()?;
        self.child.wait()?;
        Ok(())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if let Err(error) = self.kill() {
            eprintln!("the server could not be ended: {error}");
        }
    }
}

/// Where the server says that it listens.
fn listening(child: &mut Child) -> Outcome<SocketAddr> {
    let mut told = String::new();
    BufReader::new(child.stdout.take().ok_or("the server has no output")?).read_line(&mut told)?;
    let told: Value = serde_json::from_str(&told).map_err(|_| "the server ended before it listened")?;
    let url = told["url"].as_str().and_then(|url| url.strip_prefix("http://"));
    Ok(url.ok_or("the server did not say where it listens")?.parse()?)
}

/// The program, which is built beside this one.
pub(super) fn peri() -> Outcome<PathBuf> {
    let this = std::env::current_exe()?;
    Ok(beside(&this, "peri").ok_or("there is no `peri` beside this program: build it first")?)
}

/// Lets `peri doctor` judge the folder.
pub(super) fn examine(folder: &Path) -> Outcome<()> {
    let output = Command::new(peri()?).arg("--home").arg(folder).args(["doctor", "--json"]).output()?;
    if output.status.success() {
        return Ok(());
    }
    let told = String::from_utf8_lossy(&output.stdout);
    Err(format!("the store is not sound any more: {told}").into())
}
