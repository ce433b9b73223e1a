"""Backups in a bucket, from the command line, against a server that checks signatures."""

import json
import os
import pathlib
import random
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request

import boto3

PERI = sys.argv[1]
POLICY = {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "s3:*", "Resource": "*"}]}


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_for(url, server):
    for _ in range(300):
        try:
            return urllib.request.urlopen(url, timeout=1).read()
        except OSError:
            assert server.poll() is None, "the S3 server died"
            time.sleep(0.1)
    raise AssertionError("the S3 server does not answer")


def prepare(endpoint):
    """A bucket and somebody who may use it; from then on every request must be signed by them."""
    anybody = dict(endpoint_url=endpoint, region_name="us-east-1", aws_access_key_id="x", aws_secret_access_key="x")
    boto3.client("s3", **anybody).create_bucket(Bucket="memories")
    iam = boto3.client("iam", **anybody)
    iam.create_user(UserName="peri")
    iam.put_user_policy(UserName="peri", PolicyName="all", PolicyDocument=json.dumps(POLICY))
    key = iam.create_access_key(UserName="peri")["AccessKey"]
    plain = {"Content-Type": "text/plain"}
    reset = urllib.request.Request(f"{endpoint}/moto-api/reset-auth", data=b"0", headers=plain, method="POST")
    urllib.request.urlopen(reset)
    return key["AccessKeyId"], key["SecretAccessKey"]


class Peri:
    def __init__(self, home, **variables):
        self.environment = {"PERI_HOME": str(home), "TZ": "UTC", **variables}

    def run(self, *arguments, stdin=b""):
        return subprocess.run([PERI, *arguments], env=self.environment, input=stdin, capture_output=True)

    def ok(self, *arguments, stdin=b""):
        done = self.run(*arguments, stdin=stdin)
        assert done.returncode == 0, (arguments, done)
        return done.stdout.decode()

    def json(self, *arguments):
        return json.loads(self.ok(*arguments, "--json"))


def bulky():
    """Lines to remember of about 30 MB that do not compress well: more than one part."""
    draw = random.Random(7)
    words = ("".join(draw.choices("abcdefghijklmnopqrstuvwxyz0123456789", k=12)) for _ in iter(int, 1))
    for number in range(150):
        yield f"bulky{number} " + " ".join(next(words) for _ in range(16000))


def check(scratch, endpoint, key, secret):
    variables = dict(AWS_ACCESS_KEY_ID=key, AWS_SECRET_ACCESS_KEY=secret, AWS_REGION="us-east-1",
                     PERI_BACKUP_TO="s3://memories/peri/one", PERI_BACKUP_ENDPOINT=endpoint)
    peri = Peri(scratch / "home", **variables)
    peri.ok("remember", "김민수는 부산으로 이사한다")
    peri.ok("remember", "王芳喜欢在周末拍照")
    assert peri.json("backup", "list")["backups"] == []
    first = peri.json("backup", "create")
    assert first["place"] == "s3://memories/peri/one" and first["counts"]["memories"] == 2, first
    lines = "\n".join(json.dumps({"content": content}) for content in bulky())
    peri.ok("-q", "remember", "--file", "-", stdin=lines.encode())
    second = peri.json("backup", "create")
    assert second["stored_bytes"] > 16 * 1024 * 1024, "it must be sent in parts"
    assert [one["name"] for one in peri.json("backup", "list")["backups"]] == [first["name"], second["name"]]
    verified = peri.json("backup", "verify", "--all")["backups"]
    assert len(verified) == 2 and all(one["problems"] == [] for one in verified), verified
    other = Peri(scratch / "other", **variables)
    other.ok("backup", "restore", "latest")
    assert other.ok("export", "-q") == peri.ok("export", "-q"), "the restored store is the same"
    assert "152 removed" not in peri.ok("diff", "latest", "now")
    print("made, listed, verified, restored: as it should be")

    objects = boto3.client("s3", endpoint_url=endpoint, region_name="us-east-1", aws_access_key_id=key,
                           aws_secret_access_key=secret)
    held = lambda: [one["Key"] for one in objects.list_objects_v2(Bucket="memories").get("Contents", [])]
    victim = f"peri/one/{second['name']}/perihelion.db.zst"
    body = bytearray(objects.get_object(Bucket="memories", Key=victim)["Body"].read())
    body[len(body) // 2] ^= 1
    objects.put_object(Bucket="memories", Key=victim, Body=bytes(body))
    assert peri.run("backup", "verify", "latest").returncode == 7, "a flipped byte is found"
    objects.delete_object(Bucket="memories", Key=f"peri/one/{first['name']}/manifest.json")
    assert [one["name"] for one in peri.json("backup", "list")["backups"]] == [second["name"]], "unfinished: not listed"
    third = peri.json("backup", "create")
    peri.ok("backup", "prune", "--keep-last", "1")
    names = {name.split("/")[2] for name in held()}
    # The unfinished one may still be under way, for all that can be told within a day.
    assert names == {first["name"], third["name"]}, names
    print("damage, unfinished backups, pruning: as it should be")

    wrong = Peri(scratch / "home", **{**variables, "AWS_SECRET_ACCESS_KEY": "wrong" * 8})
    done = wrong.run("backup", "create")
    assert done.returncode == 6 and b"wrongwrong" not in done.stderr, done
    assert b"s3://memories/peri/one" in done.stderr, done
    print("a wrong secret is refused:", done.stderr.decode().splitlines()[0][:160])
    return variables


def main():
    scratch = pathlib.Path(tempfile.mkdtemp())
    port = free_port()
    endpoint = f"http://127.0.0.1:{port}"
    moto = pathlib.Path(sys.executable).with_name("moto_server")
    log = open(scratch / "server.log", "wb")
    server = subprocess.Popen([moto, "-H", "127.0.0.1", "-p", str(port)], stdout=log, stderr=log)
    try:
        wait_for(f"{endpoint}/moto-api/data.json", server)
        variables = check(scratch, endpoint, *prepare(endpoint))
        server.terminate()
        server.wait()
        done = Peri(scratch / "home", **variables).run("backup", "list")
        assert done.returncode == 6 and b"hint" in done.stderr, done
        print("a server that is gone is told:", done.stderr.decode().splitlines()[0][:160])
    except BaseException:
        print((scratch / "server.log").read_text()[-2000:], file=sys.stderr)
        raise
    finally:
        if server.poll() is None:
            server.terminate()
            server.wait()
        shutil.rmtree(scratch)


os.environ.pop("AWS_PROFILE", None)
main()
