//! The files of the dashboard, which are part of the binary.
//!
//! The dashboard's build writes this file anew; a test holds it against the folder `dashboard`. All lines are as they
//! are here but those between the brackets. There stands one line a file, sorted by name (bytes, as `sort` in the C
//! locale): four spaces, then `("NAME", "MEDIA TYPE", include_bytes!("../dashboard/PATH")),`. NAME is the bare name
//! under which it is fetched as /dashboard/NAME, PATH is where it lies: `NAME` or `assets/NAME`. The media types are
//! `text/html; charset=utf-8`, `text/javascript; charset=utf-8`, `text/css; charset=utf-8`, `image/svg+xml` and
//! `application/manifest+json`.

/// The bare name of a file, its media type and what is in it.
pub(crate) type PageFile = (&'static str, &'static str, &'static [u8]);

#[rustfmt::skip]
pub(crate) const PAGE_FILES: &[PageFile] = &[
    ("bars.css", "text/css; charset=utf-8", include_bytes!("../dashboard/assets/bars.css")),
    ("bars.js", "text/javascript; charset=utf-8", include_bytes!("../dashboard/assets/bars.js")),
    ("colour.js", "text/javascript; charset=utf-8", include_bytes!("../dashboard/assets/colour.js")),
    ("durations.js", "text/javascript; charset=utf-8", include_bytes!("../dashboard/assets/durations.js")),
    ("graph.css", "text/css; charset=utf-8", include_bytes!("../dashboard/assets/graph.css")),
    ("graph.js", "text/javascript; charset=utf-8", include_bytes!("../dashboard/assets/graph.js")),
    ("icon.svg", "image/svg+xml", include_bytes!("../dashboard/assets/icon.svg")),
    ("index.css", "text/css; charset=utf-8", include_bytes!("../dashboard/assets/index.css")),
    ("index.html", "text/html; charset=utf-8", include_bytes!("../dashboard/index.html")),
    ("index.js", "text/javascript; charset=utf-8", include_bytes!("../dashboard/assets/index.js")),
    ("layout_worker.js", "text/javascript; charset=utf-8", include_bytes!("../dashboard/assets/layout_worker.js")),
    ("learning.css", "text/css; charset=utf-8", include_bytes!("../dashboard/assets/learning.css")),
    ("learning.js", "text/javascript; charset=utf-8", include_bytes!("../dashboard/assets/learning.js")),
    ("memories.css", "text/css; charset=utf-8", include_bytes!("../dashboard/assets/memories.css")),
    ("memories.js", "text/javascript; charset=utf-8", include_bytes!("../dashboard/assets/memories.js")),
    ("memory.css", "text/css; charset=utf-8", include_bytes!("../dashboard/assets/memory.css")),
    ("memory.js", "text/javascript; charset=utf-8", include_bytes!("../dashboard/assets/memory.js")),
    ("memory_parts.css", "text/css; charset=utf-8", include_bytes!("../dashboard/assets/memory_parts.css")),
    ("memory_parts.js", "text/javascript; charset=utf-8", include_bytes!("../dashboard/assets/memory_parts.js")),
    ("operations.css", "text/css; charset=utf-8", include_bytes!("../dashboard/assets/operations.css")),
    ("operations.js", "text/javascript; charset=utf-8", include_bytes!("../dashboard/assets/operations.js")),
    ("orbit.css", "text/css; charset=utf-8", include_bytes!("../dashboard/assets/orbit.css")),
    ("orbit.js", "text/javascript; charset=utf-8", include_bytes!("../dashboard/assets/orbit.js")),
    ("picker.css", "text/css; charset=utf-8", include_bytes!("../dashboard/assets/picker.css")),
    ("picker.js", "text/javascript; charset=utf-8", include_bytes!("../dashboard/assets/picker.js")),
    ("search.css", "text/css; charset=utf-8", include_bytes!("../dashboard/assets/search.css")),
    ("search.js", "text/javascript; charset=utf-8", include_bytes!("../dashboard/assets/search.js")),
    ("table.css", "text/css; charset=utf-8", include_bytes!("../dashboard/assets/table.css")),
    ("table.js", "text/javascript; charset=utf-8", include_bytes!("../dashboard/assets/table.js")),
    ("text.css", "text/css; charset=utf-8", include_bytes!("../dashboard/assets/text.css")),
    ("text.js", "text/javascript; charset=utf-8", include_bytes!("../dashboard/assets/text.js")),
    ("timeline.css", "text/css; charset=utf-8", include_bytes!("../dashboard/assets/timeline.css")),
    ("timeline.js", "text/javascript; charset=utf-8", include_bytes!("../dashboard/assets/timeline.js")),
    ("workers.css", "text/css; charset=utf-8", include_bytes!("../dashboard/assets/workers.css")),
    ("workers.js", "text/javascript; charset=utf-8", include_bytes!("../dashboard/assets/workers.js")),
];
