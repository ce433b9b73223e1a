//! What a shelf says of a store that does not do it.

use std::io::{Read as _, Write as _};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use peri_notes::{Collection, Shelf as _, ShelfError};
use peri_store::{Address, ServerSettings, ServerStore, SqliteSettings, SqliteStore, Store as _, StoreShelf};

use super::{append, key, make, put};
use crate::support::{ON, ns};

#[test]
fn a_server_that_does_not_answer_is_told_apart_from_a_store_that_refuses() {
    let nobody = Address::parse("postgres://anna:s3cret@127.0.0.1:1/d").unwrap();
    let settings = ServerSettings { connect_timeout: Duration::from_secs(1), ..ServerSettings::default() };
    let shelf = StoreShelf::new(Arc::new(ServerStore::open_unseen(nobody, settings)));
    let document = key(Collection::Meta, "회의");
    let errors = [
        shelf.read(&ns("a"), &document).unwrap_err(),
        shelf.lines(&ns("a"), &key(Collection::Pending, "회의")).unwrap_err(),
        shelf.list(&ns("a"), Collection::Meta).unwrap_err(),
        shelf.documents(&ns("a"), Collection::Meta).unwrap_err(),
        shelf.namespaces().unwrap_err(),
        shelf.commit(&ns("a"), &[put(&document, "말")], &[]).unwrap_err(),
    ];
    for error in errors {
        let said = format!("{error} {error:?}");
        assert!(matches!(error, ShelfError::Store { .. }), "{said}");
        assert!(said.contains("127.0.0.1:1/d") && !said.contains("s3cret"), "{said}");
    }
}

#[test]
fn a_store_that_cannot_be_written_says_so_and_can_be_read() {
    if std::env::var_os(ON).is_some() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let store = SqliteStore::open(&folder.path().join("x.db"), &SqliteSettings::default()).unwrap();
    let shelf = StoreShelf::new(Arc::from(store.frozen().unwrap()));
    let document = key(Collection::Meta, "회의");
    let error = shelf.commit(&ns("a"), &[put(&document, "말")], &[]).unwrap_err();
    assert!(matches!(error, ShelfError::StoreFailed { .. }), "{error}");
    assert_eq!(shelf.read(&ns("a"), &document).unwrap(), None);
}

/// A way to a server that can be told to break off once: the next commit reaches the server, its answer nobody.
struct Proxy {
    breaks: AtomicBool,
    server: String,
}

impl Proxy {
    /// Stands before a server. The address that leads through it is the answer too.
    fn before(url: &str) -> (Arc<Self>, String) {
        let server = url.split_once('@').unwrap().1.split_once('/').unwrap().0.to_owned();
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let through = url.replace(&format!("@{server}/"), &format!("@{}/", listener.local_addr().unwrap()));
        let proxy = Arc::new(Self { breaks: AtomicBool::new(false), server });
        let own = Arc::clone(&proxy);
        std::thread::spawn(move || listener.incoming().for_each(|client| own.pass(client.unwrap())));
        (proxy, through)
    }

    fn pass(self: &Arc<Self>, mut client: TcpStream) {
        let mut server = TcpStream::connect(&self.server).unwrap();
        let (mut answers, mut asker) = (server.try_clone().unwrap(), client.try_clone().unwrap());
        let (cut, proxy) = (Arc::new(AtomicBool::new(false)), Arc::clone(self));
        let is_cut = Arc::clone(&cut);
        std::thread::spawn(move || {
            forward(&mut client, &mut server, |bytes| {
                let commits = bytes.windows(6).any(|word| word == b"COMMIT");
                cut.fetch_or(commits && proxy.breaks.swap(false, Ordering::SeqCst), Ordering::SeqCst);
                true
            })
        });
        std::thread::spawn(move || {
            forward(&mut answers, &mut asker, |_| !is_cut.load(Ordering::SeqCst));
        });
    }
}

/// Passes bytes on for as long as they may be, then closes both sides.
fn forward(from: &mut TcpStream, to: &mut TcpStream, mut may: impl FnMut(&[u8]) -> bool) {
    let mut bytes = [0; 65_536];
    while let Ok(count @ 1..) = from.read(&mut bytes) {
        if !may(&bytes[..count]) || to.write_all(&bytes[..count]).is_err() {
            break;
        }
    }
    // Either side may be closed already.
    for side in [from, to] {
        side.shutdown(Shutdown::Both).ok();
    }
}

#[test]
fn a_commit_whose_answer_is_lost_is_made_once_and_told_as_made() {
    if peri_servers::may_be_left_out() || std::env::var_os(ON).is_some() {
        return;
    }
    let postgres = peri_servers::Postgres::shared().fresh_database().unwrap();
    let mariadb = peri_servers::MariaDb::shared().fresh_database().unwrap();
    for url in [postgres, mariadb] {
        let (proxy, through) = Proxy::before(&url);
        let address = Address::parse(&format!("{through}?sslmode=disable")).unwrap();
        let store = ServerStore::open(address, ServerSettings::default()).unwrap();
        let shelf = StoreShelf::new(Arc::new(store));
        let log = key(Collection::Pending, "회의");
        for line in ["하나", "二", "three"] {
            proxy.breaks.store(line == "二", Ordering::SeqCst);
            make(&shelf, "a", &[append(&log, &[line])]);
            assert!(!proxy.breaks.load(Ordering::SeqCst), "the commit went this way: {through}");
        }
        assert_eq!(shelf.lines(&ns("a"), &log).unwrap(), ["하나", "二", "three"]);
    }
}
