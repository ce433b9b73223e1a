"""The samples of contrib/: well formed, and every command in them works."""

import os
import pathlib
import plistlib
import re
import shutil
import subprocess
import sys
import tempfile

import yaml

PERI, CONTRIB = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])

# Minute, hour, day of the month, month, day of the week: least and most.
FIELDS = ((0, 59), (0, 23), (1, 31), (1, 12), (0, 7))
UNIT_KEYS = {
    "Unit": {"Description"},
    "Service": {"Type", "ExecStart", "EnvironmentFile", "UMask"},
    "Timer": {"OnCalendar", "RandomizedDelaySec", "Persistent"},
    "Install": {"WantedBy"},
}
PLIST_KEYS = {
    "Label": str, "ProgramArguments": list, "StartCalendarInterval": dict, "Umask": int, "StandardErrorPath": str,
}


class Home:
    """A home with a binary where the samples expect it, and one memory."""

    def __init__(self, scratch):
        self.path = scratch
        binary = scratch / ".cargo/bin/peri"
        binary.parent.mkdir(parents=True)
        binary.symlink_to(PERI)
        self.environment = {"HOME": str(scratch), "PATH": f"{binary.parent}:/usr/bin:/bin", "TZ": "UTC"}
        self.run(["peri", "remember", "김민수는 부산으로 이사한다"])

    def run(self, command, **variables):
        environment = {**self.environment, **variables}
        done = subprocess.run(command, env=environment, cwd=self.path, stdin=subprocess.DEVNULL, capture_output=True)
        assert done.returncode == 0, (command, done)
        return done

    def backups(self):
        return self.run(["peri", "-q", "backup", "list"]).stdout.decode().count("1 memory")


def check_times(fields):
    """The five fields of a line of cron."""
    assert len(fields) == 5, fields
    for field, (least, most) in zip(fields, FIELDS):
        for part in field.split(","):
            found = re.fullmatch(r"(\*|\d+(?:-(\d+))?)(?:/([1-9]\d*))?", part)
            assert found, (fields, part)
            numbers = [int(number) for number in re.findall(r"\d+", found.group(1))]
            assert all(least <= number <= most for number in numbers) and numbers == sorted(numbers), (fields, part)


def check_crontab(home):
    commands = 0
    for line in (CONTRIB / "cron/crontab").read_text().splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        *times, command = line.split(None, 5)
        check_times(times)
        assert "%" not in command, "cron takes it for the end of the line"
        before = home.backups()
        done = home.run(["/bin/sh", "-c", command])
        assert done.stdout == b"", "cron mails whatever is said"
        assert home.backups() == before + ("backup create" in command), command
        commands += 1
    assert commands == 2, commands


def check_plist(home):
    path = CONTRIB / "launchd/dev.perihelion.backup.plist"
    job = plistlib.loads(path.read_bytes(), fmt=plistlib.FMT_XML)
    assert set(job) == set(PLIST_KEYS) and all(isinstance(job[key], kind) for key, kind in PLIST_KEYS.items()), job
    assert job["Label"] == path.stem, "launchctl knows it by this name"
    assert job["Umask"] == 0o077, "property lists have decimal numbers only"
    when = job["StartCalendarInterval"]
    assert set(when) == {"Hour", "Minute"}
    check_times([str(when["Minute"]), str(when["Hour"]), "*", "*", "*"])
    before = home.backups()
    home.run(job["ProgramArguments"])
    assert home.backups() == before + 1


def read_unit(path):
    """Every section's keys with their values, in order. Nothing else is allowed in it."""
    sections, section = {}, None
    for line in path.read_text().splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        if found := re.fullmatch(r"\[(\w+)\]", line):
            section = sections.setdefault(found.group(1), [])
            continue
        key, separator, value = line.partition("=")
        assert separator and value and section is not None, (path, line)
        section.append((key, value))
    for name, pairs in sections.items():
        assert {key for key, _ in pairs} <= UNIT_KEYS[name], (path, name, pairs)
    return sections


def check_units(home):
    folder = CONTRIB / "systemd"
    service, timer = read_unit(folder / "peri-backup.service"), read_unit(folder / "peri-backup.timer")
    assert ("Type", "oneshot") in service["Service"], "only these have several commands"
    assert ("WantedBy", "timers.target") in timer["Install"] and ("Persistent", "true") in timer["Timer"]
    before = home.backups()
    commands = [value for key, value in service["Service"] if key == "ExecStart"]
    for command in commands:
        home.run([word.replace("%h", str(home.path)) for word in command.split()])
    assert len(commands) == 2 and home.backups() == before + 1
    if not shutil.which("systemd-analyze"):
        print("systemd-analyze is not here: the units were read by the test alone")
        return
    units = [str((folder / name).resolve()) for name in ("peri-backup.timer", "peri-backup.service")]
    runtime = home.path / "run"
    runtime.mkdir()
    done = home.run(["systemd-analyze", "verify", "--user", *units], XDG_RUNTIME_DIR=str(runtime))
    # Keys that it does not know are only warned of.
    assert "peri-backup" not in done.stderr.decode(), done


def check_workflow(home):
    # YAML 1.1 reads the key `on` as a truth value.
    workflow = yaml.safe_load((CONTRIB / "ci/backup.yml").read_text())
    assert set(workflow) == {"name", True, "permissions", "jobs"}, workflow
    check_times(workflow[True]["schedule"][0]["cron"].split())
    (job,) = workflow["jobs"].values()
    assert set(job) == {"runs-on", "timeout-minutes", "env", "steps"}, job
    scripts = [step["run"] for step in job["steps"]]
    assert scripts[0].startswith("cargo install --locked --git "), scripts
    # The binary is here already; backups in a bucket have a test of their own.
    variables = {"RUNNER_TEMP": str(home.path), "PERI_BACKUP_TO": str(home.path / "bucket")}
    home.run(["peri", "backup", "create"], **variables)
    for script in scripts[1:]:
        home.run(["/bin/bash", "-e", "-c", script], PERI_HOME=str(home.path / "peri"), **variables)
    there = home.run(["peri", "--home", str(home.path / "restored"), "recall", "부산"]).stdout.decode()
    assert "김민수는" in there, there


def main():
    os.umask(0o022)
    for check in (check_crontab, check_plist, check_units, check_workflow):
        scratch = pathlib.Path(tempfile.mkdtemp())
        try:
            check(Home(scratch))
        finally:
            shutil.rmtree(scratch)
    print("crontab, property list, units and workflow: as they should be")


main()
