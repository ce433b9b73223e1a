//! Which language a file is written in, by its name.

use serde::{Deserialize, Serialize};

/// A language, or another form of text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the names are those of the languages")]
pub enum Language {
    Rust,
    Python,
    TypeScript,
    JavaScript,
    Go,
    Java,
    Kotlin,
    Scala,
    C,
    Cpp,
    CSharp,
    Ruby,
    Php,
    Swift,
    Lua,
    Shell,
    Sql,
    Html,
    Css,
    Markdown,
    Toml,
    Yaml,
    Json,
    Xml,
    Protobuf,
    Dockerfile,
    Makefile,
    /// Any other text.
    Text,
}

/// What a language is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LanguageClass {
    /// Programs.
    Code,
    /// Text to be read or shown.
    Document,
    /// Settings and data.
    Data,
}

/// Endings of names, without the dot.
const ENDINGS: &[(&str, Language)] = &[
    ("rs", Language::Rust),
    ("py", Language::Python),
    ("pyi", Language::Python),
    ("ts", Language::TypeScript),
    ("tsx", Language::TypeScript),
    ("mts", Language::TypeScript),
    ("cts", Language::TypeScript),
    ("js", Language::JavaScript),
    ("jsx", Language::JavaScript),
    ("mjs", Language::JavaScript),
    ("cjs", Language::JavaScript),
    ("vue", Language::JavaScript),
    ("svelte", Language::JavaScript),
    ("go", Language::Go),
    ("java", Language::Java),
    ("kt", Language::Kotlin),
    ("kts", Language::Kotlin),
    ("scala", Language::Scala),
    ("c", Language::C),
    ("h", Language::C),
    ("cc", Language::Cpp),
    ("cpp", Language::Cpp),
    ("cxx", Language::Cpp),
    ("hpp", Language::Cpp),
    ("hh", Language::Cpp),
    ("hxx", Language::Cpp),
    ("cs", Language::CSharp),
    ("rb", Language::Ruby),
    ("rake", Language::Ruby),
    ("php", Language::Php),
    ("swift", Language::Swift),
    ("lua", Language::Lua),
    ("sh", Language::Shell),
    ("bash", Language::Shell),
    ("zsh", Language::Shell),
    ("sql", Language::Sql),
    ("html", Language::Html),
    ("htm", Language::Html),
    ("css", Language::Css),
    ("scss", Language::Css),
    ("less", Language::Css),
    ("md", Language::Markdown),
    ("markdown", Language::Markdown),
    ("mdx", Language::Markdown),
    ("toml", Language::Toml),
    ("yaml", Language::Yaml),
    ("yml", Language::Yaml),
    ("json", Language::Json),
    ("jsonc", Language::Json),
    ("jsonl", Language::Json),
    ("xml", Language::Xml),
    ("svg", Language::Xml),
    ("proto", Language::Protobuf),
    ("mk", Language::Makefile),
];

/// Whole names, in lower case.
const NAMES: &[(&str, Language)] = &[
    ("dockerfile", Language::Dockerfile),
    ("containerfile", Language::Dockerfile),
    ("makefile", Language::Makefile),
    ("gnumakefile", Language::Makefile),
    ("justfile", Language::Makefile),
    ("gemfile", Language::Ruby),
    ("rakefile", Language::Ruby),
];

/// Programs that a first line such as `#!/usr/bin/env python3` may name.
const INTERPRETERS: &[(&str, Language)] = &[
    ("python", Language::Python),
    ("node", Language::JavaScript),
    ("ruby", Language::Ruby),
    ("php", Language::Php),
    ("lua", Language::Lua),
    ("sh", Language::Shell),
    ("bash", Language::Shell),
    ("zsh", Language::Shell),
    ("dash", Language::Shell),
];

impl Language {
    /// The language of a file, by its name or, where that says nothing, by its first line.
    pub fn of(path: &str, text: &str) -> Self {
        match Self::by_name(path) {
            Self::Text => interpreter(text).unwrap_or(Self::Text),
            language => language,
        }
    }

    /// The language of a file by its name alone.
    pub fn by_name(path: &str) -> Self {
        let name = path.rsplit('/').next().unwrap_or(path).to_lowercase();
        if let Some((_, language)) = NAMES.iter().find(|(known, _)| *known == name) {
            return *language;
        }
        let ending = name.rsplit_once('.').map(|(_, ending)| ending);
        ENDINGS.iter().find(|(known, _)| Some(*known) == ending).map_or(Self::Text, |(_, language)| *language)
    }

    /// The name that people use.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Rust => "Rust",
            Self::Python => "Python",
            Self::TypeScript => "TypeScript",
            Self::JavaScript => "JavaScript",
            Self::Go => "Go",
            Self::Java => "Java",
            Self::Kotlin => "Kotlin",
            Self::Scala => "Scala",
            Self::C => "C",
            Self::Cpp => "C++",
            Self::CSharp => "C#",
            Self::Ruby => "Ruby",
            Self::Php => "PHP",
            Self::Swift => "Swift",
            Self::Lua => "Lua",
            Self::Shell => "Shell",
            Self::Sql => "SQL",
            Self::Html => "HTML",
            Self::Css => "CSS",
            Self::Markdown => "Markdown",
            Self::Toml => "TOML",
            Self::Yaml => "YAML",
            Self::Json => "JSON",
            Self::Xml => "XML",
            Self::Protobuf => "Protocol Buffers",
            Self::Dockerfile => "Dockerfile",
            Self::Makefile => "Makefile",
            Self::Text => "text",
        }
    }

    /// What the language is for.
    pub const fn class(self) -> LanguageClass {
        match self {
            Self::Rust
            | Self::Python
            | Self::TypeScript
            | Self::JavaScript
            | Self::Go
            | Self::Java
            | Self::Kotlin
            | Self::Scala
            | Self::C
            | Self::Cpp
            | Self::CSharp
            | Self::Ruby
            | Self::Php
            | Self::Swift
            | Self::Lua
            | Self::Shell
            | Self::Sql
            | Self::Protobuf => LanguageClass::Code,
            Self::Html | Self::Css | Self::Markdown => LanguageClass::Document,
            Self::Toml
            | Self::Yaml
            | Self::Json
            | Self::Xml
            | Self::Dockerfile
            | Self::Makefile
            | Self::Text => LanguageClass::Data,
        }
    }

    pub(crate) fn is_code(self) -> bool {
        self.class() == LanguageClass::Code
    }
}

fn interpreter(text: &str) -> Option<Language> {
    let line = text.strip_prefix("#!")?.lines().next()?;
    let mut words = line.split(['/', ' ']).filter(|word| !word.is_empty() && !word.starts_with('-'));
    words.find_map(|word| {
        let program = word.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
        INTERPRETERS.iter().find(|(known, _)| *known == program).map(|(_, language)| *language)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_first_lines_tell_the_language() {
        for (path, text, language) in [
            ("src/main.rs", "", Language::Rust),
            ("웹/화면.tsx", "", Language::TypeScript),
            ("Dockerfile", "", Language::Dockerfile),
            ("A.PY", "", Language::Python),
            ("tool", "#!/usr/bin/env python3\n", Language::Python),
            ("tool", "#!/bin/sh -e\n", Language::Shell),
            ("tool", "#!/usr/bin/env -S node --test\n", Language::JavaScript),
            ("tool", "#!/opt/strange\n", Language::Text),
            ("LICENSE", "Copyright", Language::Text),
            (".gitignore", "target", Language::Text),
            ("a/rs", "", Language::Text),
        ] {
            assert_eq!(Language::of(path, text), language, "{path} {text:?}");
        }
    }
}
