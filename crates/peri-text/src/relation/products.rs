//! Products that do the same job, so that "switched to Helix" can be told to end "uses vim".

/// Each row is one job; a product stands in one row only, in lower case.
#[rustfmt::skip]
const JOBS: &[&[&str]] = &[
    &["mysql", "mariadb", "postgresql", "postgres", "sqlite", "oracle", "mssql", "cockroachdb", "mongodb", "포스트그레스"],
    &["vim", "neovim", "nvim", "emacs", "helix", "vscode", "zed", "sublime", "atom", "nano", "빔", "이맥스", "헬릭스"],
    &["jenkins", "circleci", "travis", "teamcity", "buildkite", "argo", "젠킨스"],
    &["npm", "yarn", "pnpm", "bun"],
    &["pip", "poetry", "uv", "pipenv", "conda"],
    &["webpack", "vite", "rollup", "parcel", "esbuild", "turbopack"],
    &["slack", "teams", "discord", "mattermost", "zulip", "슬랙"],
    &["firefox", "chrome", "safari", "edge", "brave", "vivaldi"],
    &["ubuntu", "debian", "fedora", "arch", "nixos", "macos", "windows"],
    &["aws", "gcp", "azure", "hetzner", "digitalocean", "heroku"],
    &["react", "vue", "svelte", "angular", "solid", "preact"],
    &["jest", "vitest", "mocha", "jasmine"],
    &["zsh", "bash", "fish", "nushell"],
    &["redux", "zustand", "mobx", "jotai", "recoil"],
    &["notion", "obsidian", "logseq", "evernote", "roam"],
    &["github", "gitlab", "bitbucket", "codeberg", "gitea"],
    &["jira", "linear", "trello", "asana"],
    &["solr", "elasticsearch", "opensearch", "meilisearch", "typesense"],
    &["rabbitmq", "kafka", "nats", "pulsar"],
    &["eslint", "biome", "oxlint"],
    &["iphone", "android"],
];

/// Whether both products do the same job and are not one and the same.
pub(super) fn do_same_job(a: &str, b: &str) -> bool {
    a != b
        && JOBS.iter().any(|job| job.contains(&a) && job.contains(&b))
        && !matches!((a, b), ("postgres", "postgresql") | ("postgresql", "postgres"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_product_has_two_jobs() {
        let mut all: Vec<&str> = JOBS.concat();
        let count = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), count);
    }

    #[test]
    fn products_of_one_job_are_told_from_others() {
        assert!(do_same_job("vim", "helix") && do_same_job("mysql", "postgresql"));
        assert!(
            !do_same_job("mysql", "redis") && !do_same_job("vim", "vim") && !do_same_job("vim", "firefox")
        );
    }
}
