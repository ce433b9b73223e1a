"""The TypeScript client's types and table of operations."""

import json
import textwrap

from schema import Dialect, body_fields, item_fields, operations, types

HEAD = "// {what} Made by clients/generator from the OpenAPI document, never changed by hand.\n"
WIDTH = 110


class TypeScript(Dialect):
    """Types as TypeScript has them. Objects without a name of their own are written before the one that holds them."""

    def __init__(self):
        self.before = []

    def anything(self):
        return "unknown"

    def named(self, name):
        return name

    def literal(self, value):
        return json.dumps(value, ensure_ascii=False)

    def union(self, members):
        return " | ".join(dict.fromkeys(members))

    def list(self, item):
        return f"Array<{item}>" if " " in item else f"{item}[]"

    def tuple(self, items):
        return f"[{', '.join(items)}]"

    def mapping(self, value):
        return f"Record<string, {value}>"

    def primitive(self, kind):
        known = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}
        return known.get(kind, "unknown")

    def object(self, schema, name):
        self.before.append(self.definition(name, schema))
        return name

    def fields(self, schema, name):
        required = schema.get("required", [])
        for field, described in schema["properties"].items():
            mark = "" if field in required else "?"
            key = field if field.isidentifier() else json.dumps(field)
            yield f"{key}{mark}: {self.write(described, name + field.title().replace('_', ''))}"

    def definition(self, name, schema):
        """A named type, whole."""
        head = comment(schema.get("description"))
        if schema.get("type") == "object" and "properties" in schema and "oneOf" not in schema:
            text = f"export interface {name} {{\n"
            for (_, described), line in zip(schema["properties"].items(), self.fields(schema, name)):
                about = described.get("description") if isinstance(described, dict) else None
                text += comment(about, "  ") + f"  {line};\n"
            return head + text + "}\n"
        return head + wrapped(f"export type {name} = {self.write(schema, name)};") + "\n"


def wrapped(line):
    """A long choice, one side a line."""
    if len(line) <= WIDTH or " | " not in line:
        return line
    start, _, sides = line.partition(" = ")
    return start + " =" + "".join(f"\n  | {side}" for side in sides.split(" | "))


def comment(description, indent=""):
    if not description:
        return ""
    lines = textwrap.wrap(" ".join(description.split()).replace("*/", "*\\/"), WIDTH - 8)
    if len(lines) == 1:
        return f"{indent}/** {lines[0]} */\n"
    return f"{indent}/**\n" + "".join(f"{indent} * {line}\n" for line in lines) + f"{indent} */\n"


def types_file(document):
    parts = []
    for name, schema in types(document).items():
        dialect = TypeScript()
        definition = dialect.definition(name, schema)
        parts += [*dialect.before, definition]
    return HEAD.format(what="What is sent and answered.") + "\n" + "\n".join(parts)


def operations_file(document):
    text = HEAD.format(what="Every operation of the HTTP API.")
    text += '\nimport type { Operation } from "./operation.js";\n\nexport const operations = {\n'
    for operation in operations(document):
        if operation.summary:
            text += f"  /** {operation.summary.replace('*/', '*')}. */\n"
        text += f"  {operation.name}: {{\n"
        text += f'    name: "{operation.name}",\n    method: "{operation.method}",\n    path: "{operation.path}",\n'
        text += f'    repeat: "{operation.repeat}",\n'
        body = body_fields(document, operation.body) if operation.body else []
        text += names_row("query", operation.query) + names_row("body", body)
        items = item_fields(document, operation.body) if operation.body else {}
        if items:
            rows = "".join(names_row(name, names, "      ") for name, names in items.items())
            text += f"    items: {{\n{rows}    }},\n"
        text += "  },\n"
    return text + "} as const satisfies Record<string, Operation>;\n"


def names_row(label, names, indent="    "):
    row = f"{indent}{label}: [{', '.join(json.dumps(name) for name in names)}],\n"
    if len(row) <= WIDTH:
        return row
    rows = "".join(f"{indent}  {json.dumps(name)},\n" for name in names)
    return f"{indent}{label}: [\n{rows}{indent}],\n"


def files(document):
    return {"types.ts": types_file(document), "operations.ts": operations_file(document)}
