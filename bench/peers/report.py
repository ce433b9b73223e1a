"""The report: tables and plots out of the raw figures."""

import importlib

from figures import Figure, Missing, conversations, disk, filled, of, quality, results, stage
from page import Page, kilobytes, megabytes, milliseconds, seconds, share, times
from peers import OTHERS, OURS
from report_vectors import ahead as vectors_ahead
from report_vectors import vectors

# How each peer says that it is talked to, and what it embeds with.
DESCRIBED = {peer.name: importlib.import_module(f"adapters.{peer.adapter}").Peer for peer in [*OURS, *OTHERS]}


def write(raw, page, images):
    """Writes the page and its pictures."""
    made = Page(raw, images)
    for part in (opening, who, starting, remembering, recalling, finding, surviving, vectors, losing, steady, missing):
        part(made)
    page.write_text("\n".join(made.lines).rstrip() + "\n", encoding="utf-8")


def opening(page):
    told = page.raw["machine"]
    page.say("# Beside other memory systems")
    if page.raw["quick"]:
        page.say("**A first look with a tenth of the work: not for quoting.**")
    page.say(
        "Everything here is written by one command, and what is compared was measured in the same run on one machine; "
        "the raw figures are in `bench/peers/results.json`, and `bench/peers/README.md` says how each system is driven.",
    )
    page.say("```sh", "cargo build --release -p peri-cli -p peri-bench", "bench/peers/run --data DATA/locomo", "```")
    page.say(
        f"Machine: {told['cores']} cores, {told['processor']}, {told['memory_gb']} GB, {told['system']}; "
        f"Python {told['python']}, Node {told['node'] or 'none'}. The disk takes {told['flush_us']:.0f} µs to flush. "
        f"Load {told['load']:.1f} at the start and {told.get('load_after', 0):.1f} at the end; the run took "
        f"{page.raw['seconds'] / 60:.0f} minutes.",
    )
    # What else has to be known of a run, written into its raw figures by whoever made it.
    if "note" in told:
        page.say(told["note"])
    again = (
        "Times, memory and disk of ours were taken once more right before the systems that “How steady the machine was” "
        "names, and their ratios are to that. "
    )
    page.say(
        "In brackets stands how many times our own figure that is; ours is the row that is talked to in the same "
        f"way, named under “beside”. {again if beside_each(page) else ''}Of times, memory and disk less is better; "
        "of R@k more. “No” means that it cannot be done or was not done in time; the reasons are at the end.",
    )


def who(page):
    page.say("## Who was measured")
    body = []
    for name, row in page.rows.items():
        about = DESCRIBED[name]
        beside = "" if name.startswith("perihelion") else row["beside"]
        body.append([name, row["version"], about.interface, about.embedding, beside])
    page.table(["", "version", "talked to as", "embedding that was really used", "beside"], body)
    page.say(
        "Where a system downloads all-MiniLM-L6-v2, the same weights were put where it keeps them, so that it "
        "works as it does for a user with a network. Libraries are compared with our library, inside a program of its "
        "own language; times are taken around the call, in the process that calls.",
    )


def starting(page):
    figure = Figure("start to first answer", of("first_answer", "seconds"), seconds)
    page.say("## From start to the first answer")
    page.say(
        f"A fresh process on a store that is there, until it has answered one question; the middle of "
        f"{page.size['starts']} starts. For a library the process is Python's or Node's.",
    )
    page.compare([figure], [("memories", lambda name: stored(page, name, "first_answer"))])
    page.plot("start", "From start to the first answer", "Time to the first answer, on a logarithmic axis.", figure)


def beside_each(page):
    """Our own figures that were taken right before each of the others."""
    return {name: page.ours(name) for name, row in page.rows.items() if "ours" in row}


def steady(page):
    beside = beside_each(page)
    if not beside:
        return
    small, large = page.size["small"], page.size["large"]
    columns = [
        Figure(f"{small:,} one by one", filled("one", small), seconds),
        Figure(f"{large:,} one by one", filled("one", large), seconds),
        Figure(f"{large:,} in batches", filled("batch", large), seconds),
        Figure("recall p50", of("recall", "p50_ms"), milliseconds),
    ]
    page.say("## How steady the machine was")
    page.say("The same work of ours, right before each of the others was measured, in that order:")
    body = []
    for name, own in beside.items():
        values = [(figure, figure.value(own)[0]) for figure in columns]
        told = ["no" if value is None else figure.show(value) for figure, value in values]
        body.append([name, page.rows[name]["beside"], *told])
    page.table(["before", "ours", *[figure.title for figure in columns]], body)


def stored(page, name, told):
    try:
        return f"{stage(page.rows[name], told)['stored']:,}"
    except Missing:
        return ""


def remembering(page):
    small, large = page.size["small"], page.size["large"]
    columns = [
        Figure(f"{count:,} {words}", filled(mode, count), seconds)
        for mode, words in (("one", "one by one"), ("batch", "in batches"))
        for count in (small, large)
    ]
    call = Figure("a call, p50", of("fill_one", "p50_ms"), milliseconds)
    page.say("## Remembering")
    page.say(
        "Invented statements of about 24 words, nine of ten English, the others Korean and Chinese, into an empty "
        "store. One after the other, each acknowledged before the next; batches hold 100. What an acknowledgement "
        "is worth is below, under “What survives”.",
    )
    page.compare([*columns, call])
    page.plot("remember", "Remembering one statement", "Time of one call in the middle, on a logarithmic axis.", call)


def recalling(page):
    middle = Figure("p50", of("recall", "p50_ms"), milliseconds)
    columns = [
        middle,
        Figure("p95", of("recall", "p95_ms"), milliseconds),
        Figure("resident memory", of("recall", "resident"), megabytes),
        Figure("disk, each memory", disk, kilobytes),
    ]
    page.say("## Recalling")
    page.say(
        f"{page.size['questions']:,} questions one after the other, ten results asked for, over as many memories as "
        "are named: where remembering was not done in time, over those that were reached. Resident memory is that "
        "of the process that holds the system, after these questions.",
    )
    page.compare(
        columns, [("memories", lambda name: stored(page, name, "recall")), ("results", lambda name: given(page, name))]
    )
    page.plot("recall", "Recalling, p50", "Time of one question in the middle, on a logarithmic axis.", middle)
    page.plot("memory", "Resident memory", "Bytes in memory after the questions, on a logarithmic axis.", columns[2])


def given(page, name):
    try:
        return f"{stage(page.rows[name], 'recall')['results']:.1f}"
    except Missing:
        return ""


def finding(page):
    columns = [Figure(f"R@{limit}", quality(limit), share, larger_is_better=True) for limit in (5, 10)]
    page.say("## What is found")
    page.say(
        "LoCoMo with corrected evidence: every turn is remembered, each conversation in a store of its own, then "
        "its questions are asked as they are written, with the system's own defaults. R@k is the share of the "
        "turns that answer a question among the first k results. We are told who spoke, when and in which session "
        "in fields; the others, which have none, in the text: `time speaker: text`.",
    )
    after = [("questions", lambda name: asked(page, name)), ("results", lambda name: found(page, name))]
    page.compare(columns, after)
    page.say("The ratios are over the conversations that a system finished in time.")
    about = "Share of the right turns among the first ten results."
    page.plot("quality", "R@10 on LoCoMo", about, columns[1], logarithmic=False)


def asked(page, name):
    try:
        told = stage(page.rows[name], "quality")
    except Missing:
        return ""
    questions = sum(one["questions"] for one in told["done"])
    part = len(conversations(page.rows[name]))
    return f"{questions:,}" + ("" if part == told["wanted"] else f" ({part} of {told['wanted']} conversations)")


def found(page, name):
    try:
        return f"{results(page.rows[name]):.1f}"
    except Missing:
        return ""


def surviving(page):
    page.say("## What survives")
    page.say(
        "Killed with -9 in the middle of writing one by one, opened again: how many of the acknowledged are lost. "
        "Two processes that write into the same store at once, each by itself: how many of all are there "
        "afterwards, and how many calls failed. Flushes are system calls that tell the disk to write, for each "
        "remembered statement: where there are none, a power cut may take what was acknowledged.",
    )
    body = [
        [name, killed(page, name), written(page, name), failed(page, name), flushed(page, name)] for name in page.rows
    ]
    page.table(["", "lost at kill -9", "there after two writers", "failed calls", "flushes a statement"], body)


def told_or_no(page, name, part, title, write):
    try:
        return write(stage(page.rows[name], part))
    except Missing as reason:
        page.reasons.setdefault((name, str(reason)), []).append(title)
        return "no"


def killed(page, name):
    return told_or_no(page, name, "kill", "kill -9", lambda told: f"{told['lost']:,} of {told['acknowledged']:,}")


def written(page, name):
    def write(told):
        page.reasons.update({(name, why): ["two writers"] for why in told["why"]})
        return f"{told['present']:,} of {told['wanted']:,}"

    return told_or_no(page, name, "writers", "two writers", write)


def failed(page, name):
    def write(told):
        refused = told["wanted"] - told["acknowledged"]
        return f"{refused:,}" + (f", and {told['lost']:,} lost" if told["lost"] else "")

    return told_or_no(page, name, "writers", "two writers", write)


def flushed(page, name):
    return told_or_no(page, name, "flushes", "flushes", lambda told: f"{told['flushes']:.2g}")


def losing(page):
    """Every figure in which somebody is ahead of us, so that none is passed over."""
    size = page.size
    figures = [
        Figure("start to first answer", of("first_answer", "seconds"), seconds),
        *[Figure(f"{count:,} one by one", filled("one", count), seconds) for count in (size["small"], size["large"])],
        *[Figure(f"{count:,} in batches", filled("batch", count), seconds) for count in (size["small"], size["large"])],
        Figure("recall p50", of("recall", "p50_ms"), milliseconds),
        Figure("recall p95", of("recall", "p95_ms"), milliseconds),
        Figure("resident memory", of("recall", "resident"), megabytes),
        Figure("disk", disk, kilobytes),
        *[Figure(f"R@{limit}", quality(limit), share, larger_is_better=True) for limit in (5, 10)],
    ]
    ahead = []
    for name, row in page.rows.items():
        for figure in figures:
            ratio = None if name.startswith("perihelion") else figure.ratio(row, page.ours(name))
            if ratio is not None and (ratio > 1 if figure.larger_is_better else ratio < 1):
                own = figure.show(figure.value(page.ours(name))[0])
                ahead.append([figure.title, name, figure.show(figure.value(row)[0]), own, times(ratio)])
    ahead += vectors_ahead(page.raw)
    page.say("## Where others are ahead")
    if ahead:
        page.table(["", "who", "theirs", "ours", "ratio"], sorted(ahead))
        reasons(page, {row[1].split(",")[0] for row in ahead})
    else:
        page.say("In no row above.")


# Why somebody is ahead, as far as we looked; printed where that is so.
WHY = {
    "stellar-memory": (
        "stellar-memory writes one row and is done: it has no vectors and no index of words, and looks at nothing that "
        "is there already. We compare a statement with its neighbours before it is stored, to say in the receipt what "
        "it repeats, replaces or contradicts, and keep a vector, links, and an event for the audit log. That is most of "
        "the time of a single call, of the disk and of the memory; what it buys is under “What is found”, and what "
        "stellar-memory takes once it has vectors of its own is in the row stellar-memory-vectors. About half of "
        "our resident memory is the program with its table of words, which all processes on a machine share "
        "(`RssFile` in `/proc`)."
    ),
    "server-memory": (
        "server-memory keeps its texts in one file without an index and reads and writes all of it in each call. The "
        "statements here have 138 bytes on average, and it adds little to them; a vector of ours alone has 512 bytes, "
        "and is kept twice, in the store and in the index that makes a start quick. The time of its calls grows with "
        "all that is stored, which is little in the first thousand."
    ),
    "faiss": (
        "faiss with flat lists asks a few of the lists around centres that it was trained with; invented clusters "
        "are such lists, sentences of people are not. Our index takes memories one by "
        "one, under filters, and without training."
    ),
}


def reasons(page, names):
    page.say(*[f"- {WHY[name]}" for name in WHY if name in names])


def missing(page):
    page.say("## What could not be done, and why")
    if not page.reasons:
        return page.say("Everything could be done.")
    body = [
        [name, ", ".join(dict.fromkeys(titles)), reason.replace("|", "/").replace("\n", " ")]
        for (name, reason), titles in page.reasons.items()
    ]
    page.table(["", "what", "why"], body)
