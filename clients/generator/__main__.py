"""Makes the clients' types and tables of operations from the server's OpenAPI document.

    python3 clients/generator DOCUMENT [--check]

The document is a file or the address of a server's /openapi.json. With --check nothing is written: the run fails when
a file would change, when an operation is neither used by a client nor listed in left_out.json with a reason, or when
something is listed there that a client does use or that is not there.
"""

import json
import pathlib
import re
import sys
import urllib.request

import python
import typescript
from schema import operations, snake

HERE = pathlib.Path(__file__).resolve().parent
PYTHON = HERE.parent / "python" / "src" / "perihelion_client"
TYPESCRIPT = HERE.parent / "typescript" / "src"


def read(source):
    if source.startswith(("http://", "https://")):
        with urllib.request.urlopen(source, timeout=30) as answer:
            return json.load(answer)
    return json.loads(pathlib.Path(source).read_text(encoding="utf-8"))


def wanted(document):
    """What each file should hold."""
    return {
        **{PYTHON / name: text for name, text in python.files(document).items()},
        **{TYPESCRIPT / name: text for name, text in typescript.files(document).items()},
    }


def stale(document):
    for path, text in wanted(document).items():
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            yield f"{path.relative_to(HERE.parent)} is not as the document says: run `python3 clients/generator`"


def uses(folder, ending, pattern, made):
    """The operations that hand-written sources use, as the pattern finds them."""
    sources = [path for path in sorted(folder.glob(f"*.{ending}")) if path.name not in made]
    return {name for path in sources for name in re.findall(pattern, path.read_text(encoding="utf-8"))}


def uncovered(document):
    """Operations that a client knows nothing of, and reasons that are not needed."""
    left_out = json.loads((HERE / "left_out.json").read_text(encoding="utf-8"))
    names = {operation.name for operation in operations(document)}
    in_python = uses(PYTHON, "py", r"\boperations\.([A-Z_]+)\b", python.files(document))
    in_typescript = uses(TYPESCRIPT, "ts", r"\boperations\.(\w+)\b", typescript.files(document))
    used = {
        "python": {name for name in names if snake(name).upper() in in_python},
        "typescript": names & in_typescript,
    }
    for client, known in used.items():
        for name in sorted(names - known - set(left_out)):
            yield f"the {client} client does not use the operation {name}, and left_out.json gives no reason"
        for name in sorted(known & set(left_out)):
            yield f"the {client} client uses {name}, which left_out.json says it leaves out"
    for name in sorted(set(left_out) - names):
        yield f"left_out.json names {name}, which is no operation"


def main():
    arguments = [argument for argument in sys.argv[1:] if argument != "--check"]
    if len(arguments) != 1:
        sys.exit(__doc__)
    document = read(arguments[0])
    if "--check" in sys.argv:
        found = [*stale(document), *uncovered(document)]
        if found:
            sys.exit("\n".join(found))
        print(f"both clients cover the document's {len(operations(document))} operations")
        return
    for path, text in wanted(document).items():
        path.write_text(text, encoding="utf-8")
    for finding in uncovered(document):
        print(finding)


if __name__ == "__main__":
    main()
