//! How a server goes away, and how it comes back.

use std::io::Write as _;
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;

use crate::database::{Away, Database};

/// What happens to a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    Stopped,
    Killed,
    /// It runs, and its connections are cut and new ones refused.
    Refusing,
    /// Its data lies on a disk without a free byte.
    FullDisk,
}

impl Fault {
    pub fn words(self) -> &'static str {
        match self {
            Self::Stopped => "stopped",
            Self::Killed => "killed",
            Self::Refusing => "refuses connections",
            Self::FullDisk => "disk full",
        }
    }
}

/// A server and what is done to it.
pub struct World {
    // The server goes before the disk that it lies on.
    server: Database,
    fault: Fault,
    url: String,
    door: Option<Door>,
    disk: Option<SmallDisk>,
}

impl World {
    /// None where servers are left out, or nothing may be mounted.
    pub fn start(server: &str, fault: Fault) -> Option<Self> {
        let disk = match fault {
            Fault::FullDisk => Some(SmallDisk::mount()?),
            _ => None,
        };
        let above = disk.as_ref().map_or_else(std::env::temp_dir, |disk| disk.0.path().to_owned());
        let server = match server {
            "PostgreSQL" => Database::postgres_in(&above)?,
            _ => Database::mariadb_in(&above)?,
        };
        let url = server.fresh();
        let door = (fault == Fault::Refusing).then(|| Door::before(&url));
        Some(Self { server, fault, url, door, disk })
    }

    /// The address to write to.
    pub fn url(&self) -> String {
        let Some(door) = &self.door else { return self.own_url() };
        self.url.replace(&port_of(&self.url).to_string(), &door.address.port().to_string())
    }

    /// The address of the server itself.
    pub fn own_url(&self) -> String {
        self.url.clone()
    }

    pub fn break_down(&mut self) {
        match self.fault {
            Fault::Stopped => self.server.leave(Away::Stopped),
            Fault::Killed => self.server.leave(Away::Killed),
            Fault::Refusing => self.door.as_mut().unwrap().shut(),
            Fault::FullDisk => self.disk.as_ref().unwrap().fill(),
        }
    }

    pub fn mend(&mut self) {
        match self.fault {
            Fault::Stopped | Fault::Killed => self.server.come_back(),
            Fault::Refusing => self.door.as_mut().unwrap().open(),
            Fault::FullDisk => {
                self.disk.as_ref().unwrap().make_room();
                self.server.restart();
            }
        }
    }
}

fn port_of(url: &str) -> u16 {
    let after = url.rsplit_once(':').unwrap().1;
    after.split('/').next().unwrap().parse().unwrap()
}

/// A port before a server, which can be shut: connections are cut, and new ones refused.
struct Door {
    address: SocketAddr,
    behind: SocketAddr,
    streams: Arc<Mutex<Vec<TcpStream>>>,
    is_open: Arc<AtomicBool>,
    porter: Option<JoinHandle<()>>,
}

impl Door {
    fn before(url: &str) -> Self {
        let behind = SocketAddr::from(([127, 0, 0, 1], port_of(url)));
        let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
        let (streams, is_open) = (Arc::default(), Arc::default());
        let mut door = Self { address, behind, streams, is_open, porter: None };
        door.open();
        door
    }

    fn open(&mut self) {
        let listener = TcpListener::bind(self.address).unwrap();
        self.is_open.store(true, Ordering::Release);
        let (behind, streams, is_open) = (self.behind, Arc::clone(&self.streams), Arc::clone(&self.is_open));
        self.porter = Some(std::thread::spawn(move || {
            for near in listener.incoming().map(Result::unwrap) {
                if !is_open.load(Ordering::Acquire) {
                    return;
                }
                if let Ok(far) = TcpStream::connect(behind) {
                    streams.lock().unwrap().extend([near.try_clone().unwrap(), far.try_clone().unwrap()]);
                    let (from, to) = (near.try_clone().unwrap(), far.try_clone().unwrap());
                    std::thread::spawn(move || pass_on(from, to));
                    std::thread::spawn(move || pass_on(far, near));
                }
            }
        }));
    }

    fn shut(&mut self) {
        self.is_open.store(false, Ordering::Release);
        // The porter waits for one more guest.
        drop(TcpStream::connect(self.address));
        self.porter.take().unwrap().join().unwrap();
        for stream in self.streams.lock().unwrap().drain(..) {
            stream.shutdown(Shutdown::Both).unwrap_or_default();
        }
    }
}

impl Drop for Door {
    fn drop(&mut self) {
        if self.porter.is_some() {
            self.shut();
        }
    }
}

/// Hands on what comes until one side is gone.
fn pass_on(mut from: TcpStream, mut to: TcpStream) {
    std::io::copy(&mut from, &mut to).unwrap_or_default();
    to.shutdown(Shutdown::Both).unwrap_or_default();
}

/// A small file system in memory, unmounted when dropped.
struct SmallDisk(tempfile::TempDir);

impl SmallDisk {
    fn mount() -> Option<Self> {
        let folder = tempfile::tempdir().unwrap();
        let mounted =
            run("mount", &["-t", "tmpfs", "-o", "size=400m,mode=1777", "tmpfs", text(folder.path())]);
        mounted.then_some(Self(folder))
    }

    /// Takes every byte that is left.
    fn fill(&self) {
        let path = self.0.path().join("ballast");
        let mut file = std::fs::OpenOptions::new().create(true).append(true).open(path).unwrap();
        for bytes in [1 << 20, 4096, 1] {
            while file.write_all(&vec![1; bytes]).is_ok() {}
        }
    }

    fn make_room(&self) {
        std::fs::remove_file(self.0.path().join("ballast")).unwrap();
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        run("umount", &["--lazy", text(self.0.path())]);
    }
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

fn run(program: &str, arguments: &[&str]) -> bool {
    Command::new(program).args(arguments).output().is_ok_and(|output| output.status.success())
}
