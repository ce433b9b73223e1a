"""all-MiniLM-L6-v2 through ONNX Runtime, for a peer that brings no embedding of its own that works offline."""

import pathlib

# Where `install.py` puts it for such a peer, below its own home.
PLACE = pathlib.PurePath(".cache", "minilm", "all-MiniLM-L6-v2", "onnx")


class MiniLm:
    """Texts to unit vectors of 384 numbers: the mean over the tokens, as the model's card says."""

    def __init__(self):
        import onnxruntime
        from tokenizers import Tokenizer

        folder = pathlib.Path.home() / PLACE
        self.session = onnxruntime.InferenceSession(str(folder / "model.onnx"), providers=["CPUExecutionProvider"])
        self.tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self.tokenizer.enable_truncation(256)
        self.tokenizer.enable_padding()

    def embed(self, texts):
        import numpy

        encoded = self.tokenizer.encode_batch(texts)
        ids = numpy.array([one.ids for one in encoded], "i8")
        mask = numpy.array([one.attention_mask for one in encoded], "i8")
        asked = {"input_ids": ids, "attention_mask": mask, "token_type_ids": numpy.zeros_like(ids)}
        (tokens,) = self.session.run(None, asked)
        means = (tokens * mask[:, :, None]).sum(axis=1) / mask.sum(axis=1, keepdims=True)
        return means / numpy.linalg.norm(means, axis=1, keepdims=True)
