//! How long the commit of one turn of a conversation takes: two lines are added to a log and a document is put.
//!
//! `cargo run --release -p peri-store --example notes_speed` tries SQLite and private servers that flush to the disk.
#![allow(missing_docs, clippy::print_stdout)]

use std::error::Error;
use std::sync::Arc;
use std::time::{Duration, Instant};

use peri_notes::{Change, Collection, Key, Shelf};
use peri_servers::{MariaDb, Postgres};
use peri_store::{
    Address, ServerSettings, ServerStore, SqliteSettings, SqliteStore, Store, StoreError, StoreShelf,
};
use peri_types::Namespace;

/// So many turns are committed.
const TURNS: usize = 500;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let file = SqliteStore::open(&folder.path().join("perihelion.db"), &SqliteSettings::default())?;
    measure("SQLite", Arc::new(file))?;
    let postgres = Postgres::start()?;
    measure("PostgreSQL", Arc::new(on(&postgres.url())?))?;
    let mariadb = MariaDb::start()?;
    measure("MariaDB", Arc::new(on(&mariadb.url())?))
}

fn on(url: &str) -> Result<ServerStore, StoreError> {
    let address = Address::parse(url).map_err(|_| StoreError::Closed)?;
    ServerStore::open(address, ServerSettings::default())
}

fn measure(name: &str, store: Arc<dyn Store>) -> Result<(), Box<dyn Error>> {
    let (shelf, namespace) = (StoreShelf::new(store), Namespace::default());
    let (log, document) =
        (Key::named(Collection::Pending, "회의")?, Key::named(Collection::Observations, "회의")?);
    let mut took = Vec::with_capacity(TURNS);
    for turn in 0..TURNS {
        let line = format!("{{\"role\":\"user\",\"text\":\"배포는 금요일에 하지 않는다 {turn}\"}}");
        let changes = [
            Change::Append { key: log.clone(), lines: vec![line.clone(), line] },
            Change::Put {
                key: document.clone(),
                text: format!("- 🔴 금요일에는 배포하지 않는다 {turn}\n").repeat(20),
            },
        ];
        let started = Instant::now();
        let _done = shelf.commit(&namespace, &changes, &[])?;
        took.push(started.elapsed());
    }
    took.sort();
    let [median, late] = [TURNS / 2, TURNS * 99 / 100].map(|at| took[at]);
    let millis = |time: Duration| time.as_secs_f64() * 1000.0;
    println!("{name}: {:.2} ms, one in a hundred over {:.2} ms", millis(median), millis(late));
    Ok(())
}
