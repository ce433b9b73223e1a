"""The Python client's types and table of operations."""

import json
import keyword
import re
import textwrap

from schema import Dialect, body_fields, item_fields, operations, parameters_name, reference, snake, types

HEAD = '"""{what} Made by clients/generator from the OpenAPI document, never changed by hand."""\n'
WIDTH = 110


class Python(Dialect):
    """Types as hints. Objects without a name of their own are written before the one that holds them."""

    def __init__(self):
        self.before = []
        # Names stand in quotes where they are evaluated at once.
        self.quotes = '"'

    def anything(self):
        return "Any"

    def named(self, name):
        return f"{self.quotes}{name}{self.quotes}"

    def literal(self, value):
        return f"Literal[{json.dumps(value, ensure_ascii=False)}]" if value is not None else "None"

    def union(self, members):
        members = list(dict.fromkeys(members))
        if len(members) == 1:
            return members[0]
        literals = [member[8:-1] for member in members if member.startswith("Literal[")]
        others = [member for member in members if not member.startswith("Literal[")]
        if literals:
            others.insert(0, f"Literal[{', '.join(literals)}]")
        if "None" in others:
            others.remove("None")
            return f"Optional[{self.union(others)}]"
        return others[0] if len(others) == 1 else f"Union[{', '.join(others)}]"

    def list(self, item):
        return f"List[{item}]"

    def tuple(self, items):
        # JSON has no tuples: what is read is a list.
        return self.list(self.union(items))

    def mapping(self, value):
        return f"Dict[str, {value}]"

    def primitive(self, kind):
        known = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None"}
        return known.get(kind, "Any")

    def object(self, schema, name):
        self.before.append(self.definition(name, schema))
        return self.named(name)

    def definition(self, name, schema):
        """A named type, whole."""
        if schema.get("type") == "object" and "properties" in schema and "oneOf" not in schema:
            return self.typed_dict(name, schema)
        written = wrapped(f"{name} = {self.write(schema, name)}")
        return comment(schema.get("description")) + written + "\n"

    def typed_dict(self, name, schema):
        fields = self.hints(name, schema)
        if any(keyword.iskeyword(field) or not field.isidentifier() for field in fields):
            # A class cannot have a field with such a name.
            rows = "".join(f"        {json.dumps(field)}: {quoted(hint)},\n" for field, hint in fields.items())
            text = f'{name} = TypedDict(\n    "{name}",\n    {{\n{rows}    }},\n)\n'
            return comment(schema.get("description")) + text
        text = f"class {name}(TypedDict):\n{docstring(schema.get('description'))}"
        for field, hint in fields.items():
            text += comment(described_of(schema, field), "    ") + f"    {field}: {hint}\n"
        return text

    def hints(self, name, schema):
        quotes, self.quotes = self.quotes, ""
        required = schema.get("required", [])
        fields = {}
        for field, described in schema["properties"].items():
            hint = self.write(described, name + field.title().replace("_", ""))
            fields[field] = hint if field in required else f"NotRequired[{hint}]"
        self.quotes = quotes
        return fields


def described_of(schema, field):
    described = schema["properties"][field]
    return described.get("description") if isinstance(described, dict) else None


def quoted(hint):
    return f"'{hint}'" if '"' in hint else f'"{hint}"'


def wrapped(line):
    """A long choice, one side a line."""
    choice = re.match(r"(.*?(?:Literal|Union)\[)([^\[\]]*)(\].*)", line)
    if len(line) <= WIDTH or not choice:
        return line
    start, sides, end = choice.groups()
    rows = "".join(f"    {side},\n" for side in sides.split(", "))
    return f"{start}\n{rows}{end}"


def comment(description, indent=""):
    if not description:
        return ""
    return "".join(f"{indent}# {line}\n" for line in textwrap.wrap(" ".join(description.split()), WIDTH - 6))


def docstring(description):
    if not description:
        return ""
    lines = textwrap.wrap(" ".join(description.split()), WIDTH - 10)
    if len(lines) == 1:
        return f'    """{lines[0]}"""\n\n'
    return '    """' + "\n    ".join(lines) + '\n    """\n\n'


# Fields that the client takes by position although they may be left out.
BY_POSITION = {"EntryAsked": ["text"], "NewMemory": ["content"]}


def with_options(document):
    """All types, and for those that are sent and have required fields one that holds only the other fields: methods
    take the required ones by position and the others by name.
    """
    named = types(document)
    sent = [reference(operation.body) for operation in operations(document) if "$ref" in (operation.body or {})]
    sent += [parameters_name(operation.name) for operation in operations(document) if operation.query_required]
    for name in [*sent, *BY_POSITION]:
        required = {*named[name].get("required", []), *BY_POSITION.get(name, [])}
        rest = {field: one for field, one in named[name].get("properties", {}).items() if field not in required}
        if required and rest:
            about = f"What may be left out of `{name}`."
            named[f"{name}Options"] = {"type": "object", "description": about, "properties": rest}
    return dict(sorted(named.items()))


def types_file(document):
    parts = []
    for name, schema in with_options(document).items():
        dialect = Python()
        definition = dialect.definition(name, schema)
        parts += [*dialect.before, definition]
    body = "\n\n".join(parts)
    names = ["Any", "Dict", "List", "Literal", "Optional", "TypedDict", "Union"]
    used = [name for name in names if re.search(rf"\b{name}\b", body)]
    return (
        HEAD.format(what="What is sent and answered.")
        + "\nfrom __future__ import annotations\n\n"
        + f"from typing import TYPE_CHECKING, {', '.join(used)}\n\n"
        + "if TYPE_CHECKING:\n    from typing_extensions import NotRequired\n\n\n"
        + body
    )


def operations_file(document):
    text = HEAD.format(what="Every operation of the HTTP API.")
    text += "\nfrom ._operation import Operation, Repeat\n"
    for operation in operations(document):
        body = body_fields(document, operation.body) if operation.body else []
        text += f"\n# {operation.summary}.\n" if operation.summary else "\n"
        text += f"{snake(operation.name).upper()} = Operation(\n"
        text += f'    name="{operation.name}",\n    method="{operation.method}",\n    path="{operation.path}",\n'
        text += f"    repeat=Repeat.{operation.repeat.upper()},\n"
        text += names_row("query", operation.query) + names_row("body", body)
        text += items_row(item_fields(document, operation.body) if operation.body else {})
        text += ")\n"
    return text


def names_row(label, names):
    return f"    {label}={names_set(names, '    ', len(label) + 1)},\n" if names else ""


def items_row(items):
    indent = "        "
    rows = "".join(
        f"{indent}{json.dumps(name)}: {names_set(names, indent, len(name) + 4)},\n" for name, names in items.items()
    )
    return f"    items={{\n{rows}    }},\n" if rows else ""


def names_set(names, indent, before):
    """A set of names, on one line if there is room for it after so many characters."""
    row = f"frozenset({{{', '.join(json.dumps(name) for name in names)}}})"
    if len(indent) + before + len(row) < WIDTH - 1:
        return row
    rows = "".join(f"{indent}        {json.dumps(name)},\n" for name in names)
    return f"frozenset(\n{indent}    {{\n{rows}{indent}    }}\n{indent})"


def files(document):
    return {"types.py": types_file(document), "_operations.py": operations_file(document)}
