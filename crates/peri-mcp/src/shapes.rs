//! What each tool takes and gives, as schemas. They are a file, `tools.shapes`, which a test holds against the types, so
//! that what makes schemas is no part of the program, and need not run when it starts.

use std::collections::HashMap;
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The schemas of a tool.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Shapes {
    /// Of its arguments.
    pub(crate) input: Map<String, Value>,
    /// Of its answer.
    pub(crate) output: Map<String, Value>,
}

/// A name, a space, then the shapes as JSON, line by line.
static LINES: LazyLock<HashMap<&str, &str>> = LazyLock::new(|| {
    include_str!("../tools.shapes").lines().filter_map(|line| line.split_once(' ')).collect()
});

impl Shapes {
    /// Those of a tool. A tool without a line has none, which the test below does not let pass.
    pub(crate) fn of(name: &str) -> Self {
        let line = LINES.get(name).and_then(|line| serde_json::from_str(line).ok());
        line.unwrap_or_else(|| Self { input: Map::new(), output: Map::new() })
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use crate::tools;

    /// `PERI_WRITE=1 cargo test -p peri-mcp shapes` writes the file anew; read what changed.
    #[test]
    fn the_shapes_are_those_of_the_types() {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tools.shapes");
        let line = |entry: &crate::table::Entry| {
            let shapes = entry.shapes();
            format!("{} {}\n", entry.name, serde_json::to_string(&shapes).unwrap())
        };
        let made: String = tools::all().iter().map(line).collect();
        if std::env::var_os("PERI_WRITE").is_some() {
            fs::write(&file, &made).unwrap();
        }
        let kept = fs::read_to_string(&file).unwrap();
        assert!(kept == made, "tools.shapes is of other types; PERI_WRITE=1 makes it anew");
    }
}
