//! Secrets go, everything else stays. Secrets are put together here so that no scanner finds one.

use peri_text::{SecretKind, redact};

/// Random-looking text of a given length.
fn random(len: usize) -> String {
    "q7Zk2Vw9Xb4Lm8Tn1Rc6Yd3Hs5Jf0Pg".chars().cycle().take(len).collect()
}

fn hex(len: usize) -> String {
    "3f9a1c7e5b2d8046".chars().cycle().take(len).collect()
}

fn capitals(len: usize) -> String {
    random(len).to_uppercase()
}

/// The secret disappears wherever it stands, under its own kind.
#[track_caller]
fn check(kind: SecretKind, secret: &str) {
    for (before, after) in
        [("", ""), ("the key is ", "."), ("KEY=", "\n"), ("(", ")"), ("키는 ", "입니다"), ("\"", "\",")]
    {
        let text = format!("{before}{secret}{after}");
        let redacted = redact(&text);
        assert_eq!(redacted.text, format!("{before}[redacted:{}]{after}", kind.name()), "{text:?}");
        assert_eq!((redacted.found[0].kind, redacted.found[0].count), (kind, 1));
    }
}

#[track_caller]
fn check_becomes(text: &str, expected: &str) {
    assert_eq!(redact(text).text, expected);
    assert_eq!(redact(expected).text, expected, "redacting again changes {expected:?}");
}

#[track_caller]
fn check_stays(text: &str) {
    assert_eq!(redact(text).text, text);
}

#[test]
fn tokens_of_known_services() {
    check(SecretKind::AwsAccessKey, &format!("AKIA{}", capitals(16)));
    check(SecretKind::AwsAccessKey, &format!("ASIA{}", capitals(16)));
    check(SecretKind::GithubToken, &format!("ghp_{}", random(36)));
    check(SecretKind::GithubToken, &format!("github_pat_{}_{}", random(22), random(59)));
    check(SecretKind::GitlabToken, &format!("glpat-{}", random(20)));
    check(SecretKind::SlackToken, &format!("xoxb-{}-{}-{}", "123456789012", "123456789013", random(24)));
    check(SecretKind::StripeKey, &format!("sk_live_{}", random(24)));
    check(SecretKind::StripeKey, &format!("rk_test_{}", random(24)));
    check(SecretKind::OpenaiKey, &format!("sk-{}", random(48)));
    check(SecretKind::OpenaiKey, &format!("sk-proj-{}", random(64)));
    check(SecretKind::AnthropicKey, &format!("sk-ant-api03-{}", random(80)));
    check(SecretKind::GoogleKey, &format!("AIza{}", random(35)));
    check(SecretKind::GoogleKey, &format!("GOCSPX-{}", random(28)));
    check(SecretKind::PeriKey, &format!("peri_{}_{}", random(8), random(52)));
    check(SecretKind::NpmToken, &format!("npm_{}", random(36)));
    check(SecretKind::PypiToken, &format!("pypi-AgEIcHlwaS5vcmc{}", random(60)));
    check(SecretKind::HuggingfaceToken, &format!("hf_{}", random(34)));
    check(SecretKind::SendgridKey, &format!("SG.{}.{}", random(22), random(43)));
    check(SecretKind::TwilioKey, &format!("SK{}", hex(32)));
    check(SecretKind::AzureKey, &format!("abC8Q~{}", random(34)));
    check(SecretKind::Jwt, &format!("eyJ{}.eyJ{}.{}", random(20), random(40), random(43)));
}

#[test]
fn private_keys_go_as_a_block() {
    let key = |label: &str| {
        format!("-----BEGIN {label}-----\n{}\n{}\n-----END {label}-----", random(64), random(40))
    };
    check_becomes(&format!("key:\n{}\nend", key("RSA PRIVATE KEY")), "key:\n[redacted:private-key]\nend");
    check_becomes(&key("OPENSSH PRIVATE KEY"), "[redacted:private-key]");
    check_becomes(&format!("-----BEGIN {}-----\n{}", "PRIVATE KEY", random(64)), "[redacted:private-key]");
    check_stays(&key("CERTIFICATE"));
    check_stays(&key("PUBLIC KEY"));
}

#[test]
fn passwords_in_urls_go_alone() {
    let url = |password: &str| format!("postgres://ann:{password}@db.local:5432/app");
    check_becomes(&url("hunter2"), &url("[redacted:url-password]"));
    check_becomes(&url("p@ss:w0rd"), &url("[redacted:url-password]"));
    check_becomes("redis://:secretpw@cache", "redis://:[redacted:url-password]@cache");
    check_stays(&url("$PGPASSWORD"));
    check_stays(&url("<password>"));
    check_stays("https://example.com:8080/@scope/pkg");
    check_stays("ssh://git@github.com:22/a/b");
    check_becomes(
        &format!("git clone https://ghp_{}:x-oauth-basic@git.local/a/b", random(36)),
        "git clone https://[redacted:github-token]:[redacted:url-password]@git.local/a/b",
    );
}

#[test]
fn assigned_secrets_go() {
    check_becomes("password=hunter2", "password=[redacted:password]");
    check_becomes("DB_PASSWORD=\"s3cr3t!\" next", "DB_PASSWORD=\"[redacted:password]\" next");
    check_becomes("the password: Tr0ub4dor&x.", "the password: [redacted:password]&x.");
    check_becomes("{\"password\": \"swordfish\"}", "{\"password\": \"[redacted:password]\"}");
    check_becomes("비밀번호: abc123!", "비밀번호: [redacted:password]!");
    check_becomes("密码：abc12345", "密码：[redacted:password]");
    let token = random(32);
    check_becomes(&format!("api_key: {token}"), "api_key: [redacted:api-key]");
    check_becomes(&format!("API-Key = '{token}'"), "API-Key = '[redacted:api-key]'");
    check_becomes(&format!("client_secret={token}&x=1"), "client_secret=[redacted:api-key]&x=1");
    check_becomes(
        &format!("aws_secret_access_key = {token}/+abc"),
        "aws_secret_access_key = [redacted:aws-secret-key]",
    );
    check_becomes(&format!("AccountKey={token}==;Endpoint"), "AccountKey=[redacted:azure-key];Endpoint");
    check_becomes(
        &format!("Authorization: Bearer {token}"),
        "Authorization: Bearer [redacted:authorization]",
    );
    check_becomes("Authorization: Basic YW5uOmh1bnRlcjI=", "Authorization: Basic [redacted:authorization]");
    check_becomes(&format!("curl -H 'bearer {token}'"), "curl -H 'bearer [redacted:authorization]'");
}

#[test]
fn card_numbers_go_when_they_check_out() {
    let card = ["4111", "1111", "1111", "1111"];
    check(SecretKind::CardNumber, &card.join(" "));
    check(SecretKind::CardNumber, &card.join("-"));
    check_becomes(&format!("card {}.", card.concat()), "card [redacted:card-number].");
    check_becomes(&["3782", "822463", "10005"].join(" "), "[redacted:card-number]");
    check_stays("4111 1111 1111 1112");
    check_stays("978-0-13-468599-1 and 9780134685991");
    check_stays("1700000000000 1700000000000000000");
    check_stays("+82 10-1234-5678, (555) 123-4567");
}

#[test]
fn ordinary_text_stays() {
    for text in [
        "password: the reset flow is broken",
        "token: 5000 limit",
        "The token limit is 200000 tokens.",
        "secret: nobody knows",
        "password = get_password()",
        "password: String,",
        "let token = self.next_token();",
        "password=$DB_PASSWORD",
        "password: ${{ secrets.DB }}",
        "password=********",
        "api_key=YOUR_API_KEY_GOES_HERE",
        "api_key: os.environ[\"OPENAI_API_KEY\"]",
        "token=<your-token-here-1234567890>",
        "Authorization: none",
        "model token: claude-sonnet-4-20250514",
        "bearer of bad news",
        "the bearer token expired",
        "commit 3f9a1c7e5b2d80463f9a1c7e5b2d80463f9a1c7e",
        "id 550e8400-e29b-41d4-a716-446655440000",
        "colour #ff00aa #A1B2C3",
        "version 1.22.333-beta.4",
        "sha256:3f9a1c7e5b2d8046",
        "dGhpcyBpcyBhIHRlc3Q=",
        "sk-learn and sk-image are packages",
        "npm_config_registry",
        "hf_hub_download",
        "AKIA is a prefix",
        "eyJ",
        "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
        "mailto:ann@example.com",
        "10:30 @ the office",
        "SG. Kim",
        "어제 비밀번호: 재설정 메일이 안 와요",
        "密码：忘记了",
        "",
        "====::::",
    ] {
        check_stays(text);
    }
}

#[test]
fn findings_are_counted_by_kind() {
    let text = format!("ghp_{} ghp_{} password=hunter2", random(36), random(40));
    let found: Vec<_> =
        redact(&text).found.into_iter().map(|finding| (finding.kind, finding.count)).collect();
    assert_eq!(found, [(SecretKind::GithubToken, 2), (SecretKind::Password, 1)]);
}
