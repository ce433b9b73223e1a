"""How much work each peer gets, and how long each part of it may take."""

import dataclasses


@dataclasses.dataclass(frozen=True)
class Size:
    """Numbers of memories and questions, and seconds."""

    small: int
    large: int
    questions: int
    conversations: int
    # How often a fresh process is asked for its first answer.
    starts: int
    # After so many acknowledged writes it is killed, once for each number.
    kills: tuple
    # By each of the two writers.
    writes: int
    vectors: tuple
    fill_seconds: int
    recall_seconds: int
    quality_seconds: int

    def patient(self, factor):
        """The same work with more or less time."""
        limits = ("fill_seconds", "recall_seconds", "quality_seconds")
        return dataclasses.replace(self, **{name: round(getattr(self, name) * factor) for name in limits})


FULL = Size(
    small=1_000,
    large=10_000,
    questions=1_000,
    conversations=1_000,
    starts=5,
    kills=(100, 200, 300),
    writes=200,
    vectors=(10_000, 100_000),
    fill_seconds=160,
    recall_seconds=60,
    quality_seconds=100,
)
QUICK = Size(
    small=100,
    large=1_000,
    questions=100,
    conversations=1,
    starts=2,
    kills=(100,),
    writes=200,
    vectors=(10_000,),
    fill_seconds=60,
    recall_seconds=20,
    quality_seconds=60,
)
