"""Gives each peer an environment of its own under `target/peers`, with exactly the packages of its lock file."""

import hashlib
import json
import os
import pathlib
import shutil
import subprocess
import sys

from peers import HERE, LOCKS, PLACE, ROOT, VECTORS

MODEL = PLACE / "models" / "all-MiniLM-L6-v2"
WEIGHTS = ROOT / "target" / "models" / "all-minilm-l6-v2"
INSTALL_SECONDS_MAX = 1800
# Loading extensions into SQLite is left out of many builds of Python; one peer rests on it.
CAN_LOAD = "import ensurepip, sqlite3; sqlite3.connect(':memory:').enable_load_extension(True)"
PYTHONS = {
    "python": (["/usr/bin/python3", sys.executable, "python3"], CAN_LOAD),
    "python3.12": (
        ["python3.12", "python3.13", sys.executable, "python3"],
        "import sys; assert sys.version_info >= (3, 12)",
    ),
}


class NotInstalled(Exception):
    """The peer's packages cannot be had here; the words say why, for the report."""


def run(command, what, **options):
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=INSTALL_SECONDS_MAX, **options)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise NotInstalled(f"{what}: {error}") from error
    if done.returncode != 0:
        raise NotInstalled(f"{what}: {(done.stderr or done.stdout).strip()[-600:]}")


def interpreter(needs):
    """The first interpreter that can do what is needed, also among those of pyenv."""
    names, test = PYTHONS[needs]
    versions = pathlib.Path(os.environ.get("PYENV_ROOT", pathlib.Path.home() / ".pyenv")) / "versions"
    found = [*names, *map(str, sorted(versions.glob("3.1[2-9]*/bin/python")))]
    for name in found:
        if shutil.which(name) and subprocess.run([name, "-c", test], capture_output=True).returncode == 0:
            return name
    raise NotInstalled(f"no interpreter here can do: {test}")


def lock_files(peer):
    if peer.needs == "node":
        return [LOCKS / peer.name / "package.json", LOCKS / peer.name / "package-lock.json"]
    return [LOCKS / f"{peer.name}.txt"]


def install(peer):
    """An environment that was made from this very lock file is left alone."""
    if not peer.needs:
        return
    locks = lock_files(peer)
    digest = hashlib.sha256(b"".join(lock.read_bytes() for lock in locks)).hexdigest()
    mark = peer.environment / "installed"
    if not mark.exists() or mark.read_text() != digest:
        shutil.rmtree(peer.environment, ignore_errors=True)
        peer.environment.mkdir(parents=True)
        (install_node if peer.needs == "node" else install_python)(peer, locks)
        mark.write_text(digest)
    if peer.models:
        place_model(peer)


def install_python(peer, locks):
    venv = peer.environment / "venv"
    run([interpreter(peer.needs), "-m", "venv", str(venv)], "making the environment")
    pip = [str(venv / "bin" / "pip"), "install", "--no-input", "--quiet", "--no-deps", "-r", str(locks[0])]
    run(pip, "pip install")


def install_node(peer, locks):
    for lock in locks:
        shutil.copy(lock, peer.environment / lock.name)
    # Their scripts fetch from other places than the registry.
    run(["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"], "npm ci", cwd=peer.environment)
    if peer.rebuild:
        run(["npm", "rebuild", *peer.rebuild], "npm rebuild", cwd=peer.environment)


def model():
    """all-MiniLM-L6-v2 as ONNX, made once."""
    if not (MODEL / "model_quantized.onnx").exists():
        install(VECTORS)
        run([sys.executable, str(ROOT / "bench" / "distill" / "fetch-minilm")], "fetching all-MiniLM-L6-v2")
        python = str(VECTORS.environment / "venv" / "bin" / "python")
        run([python, str(HERE / "minilm_onnx.py"), str(WEIGHTS), str(MODEL)], "writing it as ONNX")
    return MODEL


def version(peer):
    """The version of the peer's package, as its lock file says."""
    if not peer.needs:
        return ""
    if peer.needs == "node":
        locked = json.loads((LOCKS / peer.name / "package-lock.json").read_text())
        return locked["packages"][f"node_modules/{peer.package}"]["version"]
    lines = (LOCKS / f"{peer.name}.txt").read_text().splitlines()
    return next(line.split("==")[1] for line in lines if line.split("==")[0] == peer.package)


def place_model(peer):
    """Puts the model where the peer keeps what it would have downloaded."""
    if peer.models == "transformers":
        place = (
            peer.environment / "node_modules" / "@xenova" / "transformers" / "models" / "Xenova" / "all-MiniLM-L6-v2"
        )
        copy_model(place, place / "onnx" / "model_quantized.onnx", "model_quantized.onnx")
    else:
        place = peer.environment / "home" / peer.models / "all-MiniLM-L6-v2" / "onnx"
        copy_model(place, place / "model.onnx", "model.onnx")


def copy_model(place, weights, source):
    if weights.exists():
        return
    made = model()
    weights.parent.mkdir(parents=True, exist_ok=True)
    for path in made.iterdir():
        if path.suffix != ".onnx":
            shutil.copy(path, place / path.name)
    shutil.copy(made / source, weights)
