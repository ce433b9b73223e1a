//! The OpenAPI document. It is a file, `openapi.json`, which a test holds against the tables of routes.

#[cfg(test)]
mod generate;

use std::io::Read as _;

use flate2::read::GzDecoder;
use serde_json::{Value, json};

/// What stands in the file in the place of the version.
#[cfg(test)]
const VERSION: &str = "[version]";

static PACKED: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/openapi.json.gz"));

/// The document that describes every route.
pub fn openapi() -> Value {
    let mut text = String::new();
    let read = GzDecoder::new(PACKED).read_to_string(&mut text).map_err(serde_json::Error::io);
    let mut document: Value =
        read.and_then(|_| serde_json::from_str(&text)).expect("the document was packed when this was built");
    document["info"]["version"] = json!(env!("CARGO_PKG_VERSION"));
    document
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;

    /// `PERI_WRITE=1 cargo test -p peri-http the_document` writes the file anew; read what changed.
    #[test]
    fn the_document_is_what_the_routes_say() {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("openapi.json");
        let made = format!("{:#}\n", generate::generated());
        if std::env::var_os("PERI_WRITE").is_some() {
            fs::write(&file, &made).unwrap();
        }
        let kept = fs::read_to_string(&file).unwrap();
        assert!(kept == made, "openapi.json is of other routes; PERI_WRITE=1 makes it anew");
    }
}
