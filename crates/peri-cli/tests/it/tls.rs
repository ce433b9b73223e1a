//! `peri serve` with a certificate. Certificates and the client come from openssl and curl.

use std::process::{Command, Output};

use super::served::Served;
use super::support::Peri;

/// Makes a certificate for this machine; the paths of it and of its key.
fn certificate(peri: &Peri, name: &str) -> (String, String) {
    let (certificate, key) = (peri.file(&format!("{name}.pem"), ""), peri.file(&format!("{name}.key"), ""));
    let made = Command::new("openssl")
        .args(["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"])
        .args(["-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1"])
        .args(["-keyout", &key, "-out", &certificate])
        .output()
        .unwrap();
    assert!(made.status.success(), "{made:?}");
    (certificate, key)
}

fn curl(args: &[&str]) -> Output {
    Command::new("curl").args(["--silent", "--show-error", "--noproxy", "*"]).args(args).output().unwrap()
}

#[test]
fn with_a_certificate_the_server_speaks_https_and_nothing_else() {
    let peri = Peri::new();
    let (certificate, key) = certificate(&peri, "own");
    let (stranger, _) = self::certificate(&peri, "stranger");
    let peri = peri.with("PERI_SERVER_TLS_CERTIFICATE", &certificate).with("PERI_SERVER_TLS_KEY", &key);
    let served = Served::start(&peri);
    assert!(served.first.starts_with("listening on https://"), "{}", served.first);
    let url = format!("https://{}/version", served.address());
    for (version, expected) in [("--http1.1", "1.1"), ("--http2", "2")] {
        let answer = curl(&["--cacert", &certificate, version, "--write-out", "\n%{http_version}", &url]);
        let text = String::from_utf8(answer.stdout).unwrap();
        let (body, spoken) = text.rsplit_once('\n').unwrap();
        assert!(body.contains("perihelion"), "{text}");
        assert_eq!(spoken, expected);
    }
    assert!(!curl(&["--cacert", &stranger, &url]).status.success(), "another certificate is not trusted");
    assert_eq!(served.get("/version").status, 0, "nothing is answered without encryption");
    assert_eq!(served.end().code, Some(0));
}

#[test]
fn files_that_are_no_certificate_and_key_are_refused_before_the_address_is_told() {
    let peri = Peri::new();
    let (certificate, key) = certificate(&peri, "own");
    let (_, other_key) = self::certificate(&peri, "other");
    let empty = peri.file("empty.pem", "");
    let torn = peri.file("torn.pem", "-----BEGIN CERTIFICATE-----\nnot base64!\n-----END CERTIFICATE-----\n");
    let cases: [(&str, &str, &[&str]); 8] = [
        ("missing.pem", &key, &["missing.pem cannot be used", "No such file"]),
        (&certificate, "missing.key", &["missing.key cannot be used", "No such file"]),
        (&empty, &key, &["empty.pem cannot be used", "no certificate"]),
        (&torn, &key, &["torn.pem cannot be used"]),
        (&certificate, &empty, &["empty.pem cannot be used", "no private key"]),
        (&certificate, &other_key, &["own.pem cannot be used"]),
        (&certificate, "", &["server.tls_key", "needs its key"]),
        ("", &key, &["server.tls_certificate", "needs its certificate"]),
    ];
    for (certificate, key, says) in cases {
        let text = format!("[server]\ntls_certificate = {certificate:?}\ntls_key = {key:?}\n");
        peri.configure(&text);
        let run = peri.run(&["serve", "--listen", "127.0.0.1:0"]);
        assert_eq!((run.code, &run.out[..]), (2, ""), "{text}: {run:?}");
        for says in says {
            assert!(run.err.contains(says), "{text} should say {says:?}: {}", run.err);
        }
    }
}
