//! Packs the files of the dashboard, so that they lie small in the program and are sent as they lie, and the document.
//!
//! Of the dashboard it makes a table, sorted by name: the bare name under which a file is fetched as `/dashboard/NAME`,
//! its media type, and the file in gzip.

use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;

fn main() -> Result<(), Box<dyn Error>> {
    // What cargo reads from a build script.
    for path in ["build.rs", "dashboard", "openapi.json"] {
        writeln!(std::io::stdout(), "cargo::rerun-if-changed={path}")?;
    }
    let out = PathBuf::from(std::env::var("OUT_DIR")?);
    let mut files = files(Path::new("dashboard"))?;
    files.extend(self::files(Path::new("dashboard/assets"))?);
    files.sort_unstable();
    let mut table = String::from("[\n");
    for (name, path) in files {
        let place = out.join(format!("{name}.gz"));
        pack(&path, &place)?;
        writeln!(table, "    ({name:?}, {:?}, include_bytes!({place:?})),", media_type(&name)?)?;
    }
    fs::write(out.join("page_files.rs"), table + "]\n")?;
    pack(Path::new("openapi.json"), &out.join("openapi.json.gz"))
}

fn pack(from: &Path, to: &Path) -> Result<(), Box<dyn Error>> {
    let mut packed = GzEncoder::new(Vec::new(), Compression::best());
    packed.write_all(&fs::read(from)?)?;
    Ok(fs::write(to, packed.finish()?)?)
}

/// Files by their bare names.
fn files(folder: &Path) -> Result<Vec<(String, PathBuf)>, Box<dyn Error>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_file() {
            let name = entry.file_name().into_string().map_err(|name| format!("{name:?} is no text"))?;
            files.push((name, entry.path()));
        }
    }
    Ok(files)
}

fn media_type(name: &str) -> Result<&'static str, String> {
    match name.rsplit_once('.').map(|(_, ending)| ending) {
        Some("html") => Ok("text/html; charset=utf-8"),
        Some("js") => Ok("text/javascript; charset=utf-8"),
        Some("css") => Ok("text/css; charset=utf-8"),
        Some("svg") => Ok("image/svg+xml"),
        Some("webmanifest") => Ok("application/manifest+json"),
        _ => Err(format!("{name} is of no type that the dashboard has")),
    }
}
