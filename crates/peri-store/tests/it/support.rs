use peri_seal::Key;
use peri_store::{
    Address, Embedding, IdOrigin, KeyRecord, Links, NewMemory, ServerSettings, ServerStore, SqliteSettings,
    SqliteStore, Store, Write, Written,
};
use peri_types::{
    ChangeNumber, Facets, Importance, Kind, Layer, Memory, MemoryId, Namespace, Role, Scope, SpaceId,
    Timestamp, Vector, Zone,
};
use tempfile::TempDir;

/// Says on which database every test of this program is run: nothing for SQLite, `encrypted` for SQLite under a key
/// (with the feature `encryption`), `postgres` or `mariadb`.
pub const ON: &str = "PERI_TEST_STORE";

/// Where a test keeps its store.
pub struct House {
    folder: TempDir,
    address: Option<Address>,
    key: Option<Key>,
}

impl House {
    pub fn new() -> Self {
        let url = match std::env::var(ON).as_deref() {
            Ok("postgres") => Some(peri_servers::Postgres::shared().fresh_database().unwrap()),
            Ok("mariadb") => Some(peri_servers::MariaDb::shared().fresh_database().unwrap()),
            Ok("encrypted") | Err(_) => None,
            Ok(other) => panic!("{ON} is {other:?}"),
        };
        let key = std::env::var(ON).is_ok_and(|on| on == "encrypted").then(|| Key::generate().unwrap());
        let address = url.map(|url| Address::parse(&url).unwrap());
        Self { folder: tempfile::tempdir().unwrap(), address, key }
    }

    /// Opens the store once more.
    pub fn open(&self) -> Box<dyn Store> {
        match &self.address {
            Some(address) => Box::new(ServerStore::open(address.clone(), ServerSettings::default()).unwrap()),
            None => {
                let path = self.folder.path().join("perihelion.db");
                let settings = SqliteSettings { key: self.key.clone(), ..SqliteSettings::default() };
                Box::new(SqliteStore::open(&path, &settings).unwrap())
            }
        }
    }

    pub fn is_on_a_server(&self) -> bool {
        self.address.is_some()
    }

    /// The one database that can search by itself.
    pub fn is_on_postgresql(&self) -> bool {
        self.address.as_ref().is_some_and(|address| address.kind() == peri_store::ServerKind::Postgres)
    }

    pub fn path(&self) -> &std::path::Path {
        self.folder.path()
    }
}

pub fn open() -> (House, Box<dyn Store>) {
    let house = House::new();
    let store = house.open();
    (house, store)
}

pub fn at(second: i64) -> Timestamp {
    Timestamp::from_second(1_760_000_000 + second).unwrap()
}

pub fn space() -> SpaceId {
    SpaceId { model: "test".into(), dimensions: 4 }
}

pub fn vector(x: f32) -> Vector {
    Vector { space: space(), values: vec![x, 0.5, 0.25, 1.0] }
}

pub fn memory(namespace: &str, content: &str) -> Memory {
    Memory {
        id: MemoryId::generate(at(0)),
        namespace: namespace.parse().unwrap(),
        content: content.into(),
        layer: Layer::LongTerm,
        kind: Kind::Fact,
        importance: Importance::ORDINARY,
        zone: Zone::Outer,
        facets: Facets::default(),
        created_at: at(0),
        updated_at: at(0),
        version: 1,
        trashed_at: None,
        trashed_by: None,
        space: None,
        change: ChangeNumber(0),
    }
}

pub fn remember(memory: Memory, embedding: Embedding) -> Write {
    Write::Remember(Box::new(NewMemory { memory, embedding, links: Links::Later, id: IdOrigin::Drawn }))
}

/// Stores one memory with a vector and returns it as stored.
pub fn keep(store: &dyn Store, namespace: &str, content: &str) -> Memory {
    let write = remember(memory(namespace, content), Embedding::Ready(vector(0.5)));
    match store.write(vec![write]).unwrap().remove(0) {
        Written::Stored(memory) => *memory,
        other => panic!("not stored: {other:?}"),
    }
}

pub fn ns(path: &str) -> Namespace {
    path.parse().unwrap()
}

/// A key as the engine would have it created.
pub fn key(id: &str) -> KeyRecord {
    KeyRecord {
        id: id.parse().unwrap(),
        name: format!("the key {id}"),
        hash: [7; 32],
        role: Role::Writer,
        scope: Scope::Under(ns("team")),
        created_at: at(0),
        revoked_at: None,
        used_at: None,
    }
}
