"""What is remembered and asked: invented memories for speed, conversations for quality. The same for everybody."""

import datetime
import json
import pathlib
import random

WORDS = pathlib.Path(__file__).resolve().parents[2] / "crates" / "peri-bench" / "src" / "speed" / "words.txt"
NAMES = ["Ana", "Bruno", "Dmitri", "Elena", "Farid", "Greta", "Hassan", "Ingrid", "Keiko", "Leila", "Priya", "Yusuf"]
# _ stands for a word, @ for a name, # for a number that occurs once in the whole set.
ENGLISH = [
    "@ prefers the _ over the _ when the _ is _, and asked on ticket # for a _ with more _ and less _.",
    "The _ of the _ is kept under #; it needs a _ every month, and @ looks after the _ until the _ is done.",
    "We decided in # that every _ has a _ and a _, because the _ was _ and nobody wanted the _ again.",
    "I talked to @ about the _ _ yesterday, number #, and we both think that the _ should be _ before the _.",
    "When # fails with a _, the _ has to be _ by hand before the next _ of the _ can start; @ knows the _.",
]
KOREAN = ["@ 님은 # 번 회의에서 _ 대신 _ 을 쓰기로 했고 다음 주까지 _ 를 정리한다고 말했다."]
CHINESE = ["@ 在第 # 号记录里说,下个月开始用 _ 代替 _,并且每周检查一次 _ 的情况。"]
# One in twenty is Korean, and one in twenty Chinese.
TEMPLATES = ENGLISH * 18 + KOREAN * 5 + CHINESE * 5
SEED = 20261117


def words():
    return WORDS.read_text(encoding="utf-8").split()


def memories(count, first=0):
    """Memories `first` to `first + count` of an endless set: the same on every run, no two alike."""
    known = words()
    for number in range(first, first + count):
        source = random.Random(SEED * 1_000_003 + number)
        yield {"id": f"m{number}", "text": filled(source, known, number)}


def filled(source, known, number):
    template = source.choice(TEMPLATES)
    # The square makes some words common and most rare, as they are in a language.
    pick = {"_": lambda: known[int(len(known) * source.random() ** 2)], "@": lambda: source.choice(NAMES)}
    pick["#"] = lambda: f"K{number:06d}"
    return "".join(pick[letter]() if letter in pick else letter for letter in template)


def questions(count, stored):
    """Questions about memories that are stored: some of the words of one, in the order in which they were said."""
    source = random.Random(SEED)
    for _ in range(count):
        (memory,) = memories(1, source.randrange(stored))
        said = [word.strip(".,;") for word in memory["text"].split()]
        # Short words say little, and the number that occurs once would make it a look-up.
        telling = [word for word in said if (len(word) > 3 or not word.isascii()) and not word.startswith("K0")]
        kept = sorted(source.sample(range(len(telling)), min(6, len(telling))))
        yield " ".join(telling[at] for at in kept)


def read_lines(path):
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines if line.strip()]


def conversations(folder):
    """Each conversation of a folder: its name, its turns and its questions."""
    found = sorted(place for place in pathlib.Path(folder).iterdir() if (place / "corpus.jsonl").is_file())
    for place in found:
        yield place.name, read_lines(place / "corpus.jsonl"), read_lines(place / "queries.jsonl")


def plain(turn):
    """A turn for a peer without fields for who and when: all that is known of it, in its text."""
    return f"{turn['time']} {turn['speaker']}: {turn['text']}"


def moment(text):
    """The time of a turn in RFC 3339, or nothing where it cannot be read."""
    try:
        read = datetime.datetime.strptime(text.strip(), "%I:%M %p on %d %B, %Y")
    except ValueError:
        return None
    return read.replace(tzinfo=datetime.timezone.utc).isoformat().replace("+00:00", "Z")
