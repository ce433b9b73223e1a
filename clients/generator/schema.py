"""What both clients are made from: the operations and types of the OpenAPI document, in an order of their own."""

import dataclasses
import re

# Requests by POST that only read, so that sending one twice does no harm.
READING = {"explainRecall", "recall"}


@dataclasses.dataclass(frozen=True)
class Operation:
    """One line of a client's table."""

    name: str
    method: str
    path: str
    summary: str
    # "safe": it may be sent again. "keyed": it may under the same idempotency key. "never": it may not.
    repeat: str
    query: dict
    query_required: tuple
    # The schema of a body in JSON, if it takes one.
    body: object
    # The media type of a body that is no JSON.
    raw: object


def operations(document):
    """All operations, by name."""
    found = [
        read_operation(method, path, described)
        for path, methods in document["paths"].items()
        for method, described in methods.items()
    ]
    return sorted(found, key=lambda operation: operation.name)


def read_operation(method, path, described):
    name = described["operationId"]
    parameters = described.get("parameters", [])
    asked = sorted((one for one in parameters if one["in"] == "query"), key=lambda one: one["name"])
    headers = {one["name"].lower() for one in parameters if one["in"] == "header"}
    content = described.get("requestBody", {}).get("content", {})
    return Operation(
        name=name,
        method=method.upper(),
        path=path,
        summary=described.get("summary", ""),
        repeat=repeat(name, method, headers),
        query={one["name"]: described_schema(one) for one in asked},
        query_required=tuple(one["name"] for one in asked if one.get("required")),
        body=content.get("application/json", {}).get("schema"),
        raw=next((kind for kind in content if kind != "application/json"), None),
    )


def described_schema(parameter):
    schema = dict(parameter["schema"])
    if "description" in parameter:
        schema["description"] = parameter["description"]
    return schema


def repeat(name, method, headers):
    if method == "get" or name in READING:
        return "safe"
    return "keyed" if "idempotency-key" in headers else "never"


def types(document):
    """All named types: those of the document, and one for the parameters of each operation that has any."""
    named = dict(document["components"]["schemas"])
    for operation in operations(document):
        if operation.query:
            named[parameters_name(operation.name)] = {
                "type": "object",
                "description": f"The parameters of `{operation.name}`.",
                "properties": operation.query,
                "required": list(operation.query_required),
            }
    return dict(sorted(named.items()))


def parameters_name(operation):
    return operation[0].upper() + operation[1:] + "Parameters"


def body_fields(document, schema):
    """The names of the fields that a body has, through references and choices."""
    schema = resolve(document, schema)
    fields = set(schema.get("properties", {}))
    for choice in schema.get("oneOf", []) + schema.get("anyOf", []) + schema.get("allOf", []):
        fields |= set(body_fields(document, choice))
    return sorted(fields)


def item_fields(document, schema):
    """The fields of a body that are lists of objects, with the names of the fields that those have."""
    properties = resolve(document, schema).get("properties", {})
    lists = {name: one for name, one in properties.items() if isinstance(one, dict) and "items" in one}
    found = {name: body_fields(document, one["items"]) for name, one in lists.items() if one["items"] is not True}
    return {name: fields for name, fields in sorted(found.items()) if fields}


def resolve(document, schema):
    while "$ref" in schema:
        schema = document["components"]["schemas"][reference(schema)]
    return schema


def reference(schema):
    return schema["$ref"].rsplit("/", 1)[1]


def snake(name):
    """`rememberAll` as `remember_all`."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


class Dialect:
    """How a schema is written as a type. A language says how its parts are put together."""

    def write(self, schema, name):
        """The type of a schema; `name` is what an object without a name of its own may be called."""
        if schema is True or not isinstance(schema, dict):
            return self.anything()
        if "$ref" in schema:
            return self.named(reference(schema))
        if "const" in schema:
            return self.literal(schema["const"])
        if "enum" in schema:
            return self.union([self.literal(value) for value in schema["enum"]])
        for choices in ("oneOf", "anyOf"):
            if choices in schema:
                return self.union(self.choices(schema, schema[choices], name))
        kind = schema.get("type")
        if isinstance(kind, list):
            return self.union([self.write({**schema, "type": one}, name) for one in kind])
        return self.plain(kind, schema, name)

    def choices(self, schema, choices, name):
        written = []
        for number, choice in enumerate(choices, 1):
            choice = self.inherit(schema, choice)
            written.append(self.write(choice, name + self.distinction(choice, number)))
        return written

    def inherit(self, schema, choice):
        """Fields that stand beside a choice belong to each of its sides."""
        if "properties" not in schema or not isinstance(choice, dict) or "$ref" in choice:
            return choice
        return {
            **choice,
            "type": "object",
            "properties": {**schema["properties"], **choice.get("properties", {})},
            "required": schema.get("required", []) + choice.get("required", []),
        }

    def distinction(self, choice, number):
        """What tells one side of a choice from the others: the word it is marked with, or its number."""
        for field in choice.get("properties", {}).values() if isinstance(choice, dict) else ():
            if isinstance(field, dict) and isinstance(field.get("const"), str):
                return "".join(word.capitalize() for word in re.split(r"[^A-Za-z0-9]+", field["const"]))
        return str(number)

    def plain(self, kind, schema, name):
        if kind == "array" and "prefixItems" in schema:
            return self.tuple([self.write(item, name + "Item") for item in schema["prefixItems"]])
        if kind == "array":
            return self.list(self.write(schema.get("items", True), name + "Item"))
        if kind == "object" and "properties" in schema:
            return self.object(schema, name)
        if kind == "object":
            return self.mapping(self.write(schema.get("additionalProperties", True), name + "Value"))
        return self.primitive(kind)
