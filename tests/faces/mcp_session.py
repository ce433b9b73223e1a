"""Drives whole sessions against our MCP server with the official Python SDK.

    mcp_session.py PERI

Each session is held over standard input and output and over HTTP, and in both generations of the protocol: with
the handshake of 2025-11-25, and without one as of 2026-07-28. The first thing that does not hold ends it.
"""

import contextlib
import json
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import traceback
import warnings

import anyio
import mcp_types
from jsonschema import Draft202012Validator
from mcp import Client, MCPError, StdioServerParameters
from mcp.shared.exceptions import MCPDeprecationWarning
from served import Failure, check, end_in_order, environment, served

HANDSHAKE, MODERN = "2025-11-25", "2026-07-28"
CALL_SECONDS = 30
SESSION_SECONDS = 300
PAGES_MAX = 50
INVALID_PARAMS, RESOURCE_NOT_FOUND = -32602, -32002

READS = {"memory_recall", "memory_get", "memory_stats", "memory_export", "memory_health"}
WRITES = {"memory_store", "memory_import", "session_start", "session_end"}
DESTROYS = {"memory_forget"}

FACTS = {
    "english": ("Ana keeps the staging deploy key in the blue safe", "where is the deploy key kept?"),
    "korean": ("민지는 매주 화요일에 한강에서 자전거를 탄다", "민지는 자전거를 언제 타나요?"),
    "chinese": ("王伟负责上海仓库的库存盘点", "谁负责上海仓库的盘点？"),
}


class Desk:
    """A connected client, and what every answer is held to."""

    def __init__(self, client, revision):
        self.client = client
        self.revision = revision
        self.tools = {}

    async def call(self, name, /, **arguments):
        """A call that must succeed: its data obeys the tool's schema and names the namespace."""
        result = await self.client.call_tool(name, arguments)
        check(not result.is_error, f"{name} {arguments} was refused: {text_of(result)}")
        answer = result.structured_content
        check(isinstance(answer, dict), f"{name} answered without structured content")
        schema = self.tools[name].output_schema
        problems = [error.message for error in Draft202012Validator(schema).iter_errors(answer)]
        check(not problems, f"{name}'s answer does not obey its output schema: {problems}; it is {answer}")
        check(isinstance(answer.get("namespace"), str), f"{name}'s answer names no namespace: {answer}")
        check(text_of(result), f"{name} answered without text for clients that read only that")
        return answer

    async def refused(self, name, arguments, *words):
        """A call that must be refused with a message that holds the words."""
        result = await self.client.call_tool(name, arguments)
        check(result.is_error, f"{name} {arguments} should have been refused, but answered {result.structured_content}")
        message = text_of(result)
        for word in words:
            check(word in message, f"the refusal of {name} {arguments} does not say {word!r}: {message}")

    async def recall(self, query, **arguments):
        answer = await self.call("memory_recall", query=query, **arguments)
        return answer["memories"]


def text_of(result):
    return "\n".join(block.text for block in result.content if block.type == "text")


async def fails(what, awaitable, *codes):
    """The protocol error that a request must end with."""
    try:
        answer = await awaitable
    except MCPError as error:
        code, message = error.error.code, error.error.message
        check(code in codes, f"{what} failed with {code} ({message}), not with one of {codes}")
        return error.error
    raise Failure(f"{what} should have failed with one of {codes}, but answered {answer!r}")


# The steps of a session, in order.


async def greeting(desk):
    client = desk.client
    spoken = client.protocol_version
    check(spoken == desk.revision, f"the session speaks {spoken}, not {desk.revision}")
    check(client.server_info is not None, "the server does not say who it is")
    check(client.server_info.name == "perihelion", f"the server calls itself {client.server_info.name}")
    check(client.instructions, "the server gives no instructions")
    capabilities = client.server_capabilities
    for name in ("tools", "resources", "prompts"):
        check(getattr(capabilities, name) is not None, f"the server does not declare {name}")


async def listing_tools(desk):
    cursor = None
    for _ in range(PAGES_MAX):
        page = await desk.client.list_tools(cursor=cursor)
        for tool in page.tools:
            check(tool.name not in desk.tools, f"{tool.name} is listed twice")
            desk.tools[tool.name] = tool
        cursor = page.next_cursor
        if cursor is None:
            break
    check(cursor is None, f"tools/list does not end within {PAGES_MAX} pages")
    missing = (READS | WRITES | DESTROYS) - desk.tools.keys()
    check(not missing, f"these tools are not listed: {sorted(missing)}")
    await fails("tools/list with an invented cursor", desk.client.list_tools(cursor="invented"), INVALID_PARAMS)


async def hints_and_schemas(desk):
    for name, tool in desk.tools.items():
        check(tool.description, f"{name} has no description")
        check(tool.input_schema.get("type") == "object", f"{name}'s arguments are no object")
        Draft202012Validator.check_schema(tool.input_schema)
        check(tool.output_schema is not None, f"{name} has no output schema")
        check(tool.output_schema.get("type") == "object", f"{name}'s answer is no object")
        Draft202012Validator.check_schema(tool.output_schema)
        check("namespace" in tool.output_schema.get("properties", {}), f"{name} does not tell a namespace")
        check(tool.annotations is not None, f"{name} gives no hints")
        check(tool.annotations.open_world_hint is False, f"{name} does not say that it stays in its own world")
    for name in READS:
        check(desk.tools[name].annotations.read_only_hint is True, f"{name} does not say that it only reads")
    for name in WRITES:
        hints = desk.tools[name].annotations
        check(hints.read_only_hint is False, f"{name} says that it only reads")
        check(hints.destructive_hint is False, f"{name} says that it destroys")
    for name in DESTROYS:
        check(desk.tools[name].annotations.destructive_hint is True, f"{name} does not say that it takes away")


async def storing_and_recalling(desk):
    ids = {}
    for language, (fact, _) in FACTS.items():
        ids[language] = (await desk.call("memory_store", content=fact, tags=[language], importance=0.7))["id"]
    check(len(set(ids.values())) == len(ids), f"three facts do not have three ids: {ids}")
    for language, (fact, question) in FACTS.items():
        hits = await desk.recall(question)
        check(hits, f"{question!r} finds nothing")
        check(hits[0]["content"] == fact, f"{question!r} finds {hits[0]['content']!r} first")
        check(hits[0]["id"] == ids[language], f"the hit for {question!r} has another id than the receipt")
        tagged = await desk.recall(question, tags=["no such tag"])
        check(not tagged, f"{question!r} with a tag that nothing has finds {tagged}")
    again = await desk.call("memory_store", content=FACTS["english"][0])
    check(again["id"] == ids["english"], "the same statement told twice is kept twice")
    return ids


async def budgets_and_pages(desk):
    question = "what does Bo collect?"
    for thing in ("stamps from Iceland", "old maps of Lisbon", "brass compasses", "pressed alpine flowers"):
        await desk.call("memory_store", content=f"Bo collects {thing} and shows them to visitors on Sundays")
    everything = [hit["id"] for hit in await desk.recall(question, limit=50)]
    check(len(everything) >= 4, f"{question!r} finds only {len(everything)}")
    budget = 30
    answer = await desk.call("memory_recall", query=question, limit=50, max_tokens=budget)
    within = len(answer["memories"])
    check(0 < within < len(everything), f"a budget of {budget} tokens lets {within} of {len(everything)} through")
    check(answer["over_budget"] == len(everything) - within, f"the rest is not counted: {answer}")
    paged = [hit["id"] async for hit in pages(desk, "memory_recall", "memories", query=question, limit=2)]
    check(paged == everything, f"pages of two give {paged} instead of {everything}")
    await desk.refused("memory_recall", {"query": question, "cursor": "invented"}, "cursor")


async def pages(desk, name, key, **arguments):
    """All items of an answer that comes in pages."""
    cursor = {}
    for _ in range(PAGES_MAX):
        page = await desk.call(name, **arguments, **cursor)
        check(len(page[key]) <= arguments["limit"], f"a page of {name} has {len(page[key])} items")
        for item in page[key]:
            yield item
        if "next_cursor" not in page:
            return
        cursor = {"cursor": page["next_cursor"]}
    raise Failure(f"{name} does not end within {PAGES_MAX} pages")


async def getting(desk, ids):
    for language, (fact, _) in FACTS.items():
        answer = await desk.call("memory_get", id=ids[language])
        check(answer["content"] == fact, f"memory_get shows {answer['content']!r} instead of {fact!r}")
        check(answer["tags"] == [language], f"memory_get shows the tags {answer['tags']}")
        check(not answer["forgotten"], f"memory_get says that {fact!r} is forgotten")


async def bad_arguments(desk, ids):
    await desk.refused("memory_store", {}, "content")
    await desk.refused("memory_store", {"content": 5}, "content")
    await desk.refused("memory_store", {"content": "   "}, "content")
    await desk.refused("memory_store", {"content": "x", "importance": 7}, "importance")
    await desk.refused("memory_store", {"content": "x", "kind": "no such kind"}, "kind")
    await desk.refused("memory_store", {"content": "x", "namespace": "A//b"}, "namespace")
    await desk.refused("memory_recall", {"query": "x", "limit": -1}, "limit")
    await desk.refused("memory_recall", {"query": "x", "invented": True}, "invented")
    await desk.refused("memory_get", {"id": "nonsense"}, "id", "nonsense")
    await desk.refused("memory_import", {"memories": "not a list"}, "memories")
    await desk.refused("memory_import", {"memories": [{"content": "x"}, {"content": 5}]}, "memories[1].content")
    check((await desk.call("memory_get", id=ids["korean"]))["version"] == 1, "a refused call changed a memory")
    unknown = "01890a5d-ac96-774b-bcce-b302099a8057"
    for name in ("memory_get", "memory_forget"):
        await desk.refused(name, {"id": unknown}, unknown)
    await desk.refused("session_end", {"session": "never begun"}, "never begun")
    await fails("an unknown tool", desk.client.call_tool("no_such_tool", {}), INVALID_PARAMS)


async def forgetting(desk, ids):
    fact, question = FACTS["english"]
    await desk.call("memory_forget", id=ids["english"])
    await desk.call("memory_forget", id=ids["english"])
    check((await desk.call("memory_get", id=ids["english"]))["forgotten"], "a forgotten memory does not say so")
    found = [hit["content"] for hit in await desk.recall(question)]
    check(fact not in found, "a forgotten memory is recalled")


async def conversations(desk):
    session = (await desk.call("session_start"))["session"]
    check(isinstance(session, str) and session, "session_start gives no session")
    await desk.call("memory_store", content="We settled on Tuesday for the tasting", session=session)
    found = await desk.recall("when is the tasting?", session=session)
    check(any("Tuesday" in hit["content"] for hit in found), f"what was said in a session is not found in it: {found}")
    await desk.call("session_end", session=session)
    named = (await desk.call("session_start", session="planning"))["session"]
    check(named == "planning", f"a session named planning is called {named}")
    await desk.call("session_end", session="planning")


async def transfer(desk):
    exported = [memory async for memory in pages(desk, "memory_export", "memories", limit=2)]
    contents = [memory["content"] for memory in exported]
    for language in ("korean", "chinese"):
        check(FACTS[language][0] in contents, f"the export lacks {FACTS[language][0]!r}")
    check(FACTS["english"][0] not in contents, "the export holds what was forgotten")
    back = await desk.call("memory_import", memories=exported)
    check(back["stored"] == 0, f"importing what is there already makes {back['stored']} copies")
    told = []

    async def progress(done, _total, _message):
        told.append(done)

    arguments = {"memories": exported, "namespace": "copy"}
    result = await desk.client.call_tool("memory_import", arguments, progress_callback=progress)
    check(not result.is_error, f"what was exported is not imported: {text_of(result)}")
    check(told == sorted(told), f"progress goes backwards: {told}")
    again = [memory async for memory in pages(desk, "memory_export", "memories", limit=7, namespace="copy")]
    check(sorted(memory["content"] for memory in again) == sorted(contents), "the copy differs from the original")
    for language in ("korean", "chinese"):
        fact, question = FACTS[language]
        found = [hit["content"] for hit in await desk.recall(question, namespace="copy")]
        check(fact in found, f"{fact!r} is not found where it was imported")


async def numbers(desk):
    counted = (await desk.call("memory_stats"))["memories"]
    listed = [memory async for memory in pages(desk, "memory_export", "memories", limit=50)]
    check(counted == len(listed), f"memory_stats counts {counted}, memory_export gives {len(listed)}")
    health = await desk.call("memory_health")
    check(health["healthy"], f"memory_health reports {health['problems']}")


async def resources(desk):
    listed = {str(resource.uri) for resource in (await desk.client.list_resources()).resources}
    await desk.client.list_resource_templates()
    for uri in ("memory://stats", "memory://zones", "memory://context"):
        check(uri in listed, f"{uri} is not listed")
    for uri in listed:
        read = await desk.client.read_resource(uri)
        contents = read.contents
        if desk.revision == MODERN:
            check(read.ttl_ms == 0, f"{uri} may be kept for {read.ttl_ms} ms, although it changes with every call")
            check(read.cache_scope == "private", f"{uri} may be shared: {read.cache_scope}")
        check(contents and all(content.text for content in contents), f"{uri} is empty")
        for content in contents:
            if content.mime_type == "application/json":
                json.loads(content.text)
    unknown = "memory://no-such-thing"
    codes = (INVALID_PARAMS,) if desk.revision == MODERN else (INVALID_PARAMS, RESOURCE_NOT_FOUND)
    error = await fails("an unknown resource", desk.client.read_resource(unknown), *codes)
    if desk.revision == MODERN:
        check((error.data or {}).get("uri") == unknown, f"the error does not name the resource: {error.data}")


async def prompts(desk):
    listed = (await desk.client.list_prompts()).prompts
    check(listed, "there are no prompts")
    for prompt in listed:
        check(prompt.description, f"the prompt {prompt.name} has no description")
        arguments = {argument.name: "tea" for argument in prompt.arguments or []}
        messages = (await desk.client.get_prompt(prompt.name, arguments)).messages
        check(messages, f"the prompt {prompt.name} is empty")
        if any(argument.required for argument in prompt.arguments or []):
            await fails(f"{prompt.name} without arguments", desk.client.get_prompt(prompt.name), INVALID_PARAMS)
    await fails("an unknown prompt", desk.client.get_prompt("no_such_prompt"), INVALID_PARAMS)


async def giving_up(desk):
    """A client that gives up a call leaves the server as it was."""
    with anyio.move_on_after(0.001):
        await desk.client.call_tool("memory_recall", {"query": "a question whose answer nobody waits for"})
    check(await desk.recall(FACTS["chinese"][1]), "after a call was given up, nothing is found")
    if desk.revision == HANDSHAKE:
        await desk.client.send_ping()


async def whole_session(desk):
    await greeting(desk)
    await listing_tools(desk)
    await hints_and_schemas(desk)
    ids = await storing_and_recalling(desk)
    await budgets_and_pages(desk)
    await getting(desk, ids)
    await bad_arguments(desk, ids)
    await forgetting(desk, ids)
    await conversations(desk)
    await transfer(desk)
    await numbers(desk)
    await resources(desk)
    await prompts(desk)
    await giving_up(desk)


# Workspaces: what the client announces decides where calls work.


class Workspace:
    """A client's folder, which may change."""

    def __init__(self, path):
        self.path = path

    async def list_roots(self, _context):
        return mcp_types.ListRootsResult(roots=[mcp_types.Root(uri=f"file://{self.path}", name="workspace")])


async def two_workspaces(connect, revision):
    """Two clients in two folders of one name do not see each other's memories."""
    ana, bo = Workspace("/home/ana/shop"), Workspace("/home/bo/shop")
    async with connect(list_roots_callback=ana.list_roots) as one, connect(list_roots_callback=bo.list_roots) as other:
        one, other = Desk(one, revision), Desk(other, revision)
        await listing_tools(one)
        await listing_tools(other)
        kept = await one.call("memory_store", content="The shop closes at six on Saturdays")
        check(re.fullmatch(r"workspace/shop-[0-9a-f]+", kept["namespace"]), f"the namespace is {kept['namespace']}")
        question = "when does the shop close?"
        check(await one.recall(question), "a workspace does not find its own memory")
        answer = await other.call("memory_recall", query=question)
        check(answer["namespace"] != kept["namespace"], "two folders share one namespace")
        check(not answer["memories"], f"another folder's memory is found: {answer['memories']}")
        bo.path = "/home/ana/shop"
        if revision == HANDSHAKE:
            await other.client.session.send_roots_list_changed()
        answer = await other.call("memory_recall", query=question)
        check(answer["namespace"] == kept["namespace"], "the namespace does not follow the workspace")
        check(answer["memories"], "the workspace's memory is not found by another client in it")
        elsewhere = await one.call("memory_recall", query=question, namespace="elsewhere")
        check(elsewhere["namespace"] == "elsewhere", "a namespace in the call does not go before the workspace's")


async def no_workspace(connect, revision):
    """A client without workspaces works in the default namespace."""
    async with connect() as client:
        desk = Desk(client, revision)
        await listing_tools(desk)
        namespace = (await desk.call("memory_stats"))["namespace"]
        check(namespace == "default", f"a client without a workspace works in {namespace}")


# How the server is reached.


@contextlib.asynccontextmanager
async def over_stdio(peri):
    with tempfile.TemporaryDirectory(prefix="peri-faces-") as folder:
        home = str(pathlib.Path(folder) / "memories")
        yield lambda: StdioServerParameters(
            command=peri, args=["mcp", "--home", home], env=environment(folder), cwd=folder
        )


@contextlib.asynccontextmanager
async def over_http(peri):
    with served(peri) as (url, _):
        yield lambda: f"{url}/mcp"


async def all_sessions(peri, reach, revision):
    def connect(**options):
        mode = "legacy" if revision == HANDSHAKE else "auto"
        return Client(server(), mode=mode, read_timeout_seconds=CALL_SECONDS, **options)

    with anyio.fail_after(SESSION_SECONDS):
        async with reach(peri) as server:
            async with connect() as client:
                await whole_session(Desk(client, revision))
            await no_workspace(connect, revision)
            await two_workspaces(connect, revision)


def leaving(peri):
    """A server whose client leaves, before or after the greeting, ends by itself and without complaint."""
    greeting_line = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": HANDSHAKE,
            "capabilities": {},
            "clientInfo": {"name": "leaving", "version": "1"},
        },
    }
    for said in ("", json.dumps(greeting_line) + "\n"):
        with tempfile.TemporaryDirectory(prefix="peri-faces-") as folder:
            home = str(pathlib.Path(folder) / "memories")
            ended = subprocess.run(
                [peri, "mcp", "--home", home],
                input=said.encode(),
                capture_output=True,
                timeout=CALL_SECONDS,
                env=environment(folder),
                check=False,
            )
        check(ended.returncode == 0, f"the server ended with {ended.returncode} when its client left: {ended.stderr!r}")
        lines = ended.stdout.decode().splitlines()
        check(len(lines) == (1 if said else 0), f"standard output holds more than the protocol: {lines}")


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    peri = str(pathlib.Path(sys.argv[1]).resolve())
    warnings.simplefilter("ignore", MCPDeprecationWarning)
    signal.signal(signal.SIGTERM, end_in_order)
    what = "leaving"
    try:
        leaving(peri)
        for transport, reach in (("standard input and output", over_stdio), ("HTTP", over_http)):
            for revision in (HANDSHAKE, MODERN):
                what = f"{transport}, {revision}"
                anyio.run(all_sessions, peri, reach, revision)
                print(f"mcp_session.py: {what}: everything holds")
    except* Failure as failures:
        sys.exit(f"mcp_session.py: {what}: {first(failures)}")
    except* Exception as errors:
        traceback.print_exception(errors)
        sys.exit(f"mcp_session.py: {what}: {first(errors)!r}")


def first(group):
    while isinstance(group, BaseExceptionGroup):
        group = group.exceptions[0]
    return group


if __name__ == "__main__":
    main()
