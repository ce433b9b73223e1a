"""Writes all-MiniLM-L6-v2 as ONNX, from the weights that `bench/distill/fetch-minilm` brings.

    python minilm_onnx.py FOLDER_OF_THE_WEIGHTS FOLDER_TO_WRITE

Several peers download this very model as ONNX on first use. Where that download cannot be reached the file written here
stands in for it: same weights, same inputs, same output. A second file holds the weights in 8 bits, which
transformers.js takes by default. Needs NumPy, safetensors, onnx and onnxruntime.
"""

import json
import pathlib
import shutil
import sys

import numpy
from onnx import TensorProto, checker, helper, numpy_helper, save
from onnxruntime.quantization import QuantType, quantize_dynamic
from safetensors.numpy import load_file

# The newest that every runtime among the peers reads.
OPSET = 17
IR_VERSION = 8
COPIED = ["config.json", "tokenizer.json", "tokenizer_config.json", "vocab.txt"]
SPECIAL = {
    "unk_token": "[UNK]",
    "sep_token": "[SEP]",
    "pad_token": "[PAD]",
    "cls_token": "[CLS]",
    "mask_token": "[MASK]",
}


class Graph:
    """Nodes and constants in the order in which they are computed."""

    def __init__(self, weights, config):
        self.weights, self.config = weights, config
        self.nodes, self.constants, self.count = [], {}, 0

    def constant(self, name, value):
        if name not in self.constants:
            self.constants[name] = numpy_helper.from_array(numpy.ascontiguousarray(value), name)
        return name

    def weight(self, name):
        return self.constant(name, self.weights[name].astype("f4"))

    def node(self, kind, *inputs, output=None, **attributes):
        self.count += 1
        output = output or f"{kind.lower()}_{self.count}"
        self.nodes.append(helper.make_node(kind, list(inputs), [output], **attributes))
        return output

    def linear(self, values, name):
        turned = self.constant(f"{name}.turned", self.weights[f"{name}.weight"].T.astype("f4"))
        return self.node("Add", self.node("MatMul", values, turned), self.weight(f"{name}.bias"))

    def normalised(self, values, name, output=None):
        scale, bias = self.weight(f"{name}.weight"), self.weight(f"{name}.bias")
        epsilon = self.config["layer_norm_eps"]
        return self.node("LayerNormalization", values, scale, bias, output=output, axis=-1, epsilon=epsilon)

    def number(self, name, value):
        return self.constant(name, numpy.array(value, "f4"))


def embeddings(graph):
    """Words, places and kinds of segment, summed."""
    words = graph.node("Gather", graph.weight("embeddings.word_embeddings.weight"), "input_ids")
    kinds = graph.node("Gather", graph.weight("embeddings.token_type_embeddings.weight"), "token_type_ids")
    shape = graph.node("Shape", "input_ids")
    length = graph.node(
        "Slice", shape, graph.constant("one", numpy.array([1])), graph.constant("two", numpy.array([2]))
    )
    start = graph.constant("start", numpy.array([0]))
    places = graph.node("Slice", graph.weight("embeddings.position_embeddings.weight"), start, length, start)
    return graph.normalised(graph.node("Add", graph.node("Add", words, kinds), places), "embeddings.LayerNorm")


def mask(graph):
    """Minus a large number where there is no token."""
    numbers = graph.node("Cast", "attention_mask", to=TensorProto.FLOAT)
    gaps = graph.node("Sub", graph.number("full", 1.0), numbers)
    lowered = graph.node("Mul", gaps, graph.number("low", -1e9))
    return graph.node("Unsqueeze", lowered, graph.constant("axes", numpy.array([1, 2])))


def heads(graph, values, name, order):
    split = graph.constant("split", numpy.array([0, 0, graph.config["num_attention_heads"], -1]))
    return graph.node("Transpose", graph.node("Reshape", graph.linear(values, name), split), perm=order)


def attention(graph, values, name, masked):
    query = heads(graph, values, f"{name}.self.query", [0, 2, 1, 3])
    key = heads(graph, values, f"{name}.self.key", [0, 2, 3, 1])
    value = heads(graph, values, f"{name}.self.value", [0, 2, 1, 3])
    width = graph.config["hidden_size"] // graph.config["num_attention_heads"]
    scores = graph.node("Div", graph.node("MatMul", query, key), graph.number("root", width**0.5))
    shares = graph.node("Softmax", graph.node("Add", scores, masked), axis=-1)
    mixed = graph.node("Transpose", graph.node("MatMul", shares, value), perm=[0, 2, 1, 3])
    joined = graph.node("Reshape", mixed, graph.constant("joined", numpy.array([0, 0, -1])))
    added = graph.node("Add", graph.linear(joined, f"{name}.output.dense"), values)
    return graph.normalised(added, f"{name}.output.LayerNorm")


def feed_forward(graph, values, name, output):
    wide = graph.linear(values, f"{name}.intermediate.dense")
    error = graph.node("Erf", graph.node("Div", wide, graph.number("root_two", 2.0**0.5)))
    curve = graph.node("Mul", wide, graph.node("Add", error, graph.number("full", 1.0)))
    narrow = graph.linear(graph.node("Mul", curve, graph.number("half", 0.5)), f"{name}.output.dense")
    return graph.normalised(graph.node("Add", narrow, values), f"{name}.output.LayerNorm", output)


def build(weights, config):
    graph = Graph(weights, config)
    values, masked = embeddings(graph), mask(graph)
    last = config["num_hidden_layers"] - 1
    for layer in range(last + 1):
        name = f"encoder.layer.{layer}"
        values = attention(graph, values, f"{name}.attention", masked)
        values = feed_forward(graph, values, name, "last_hidden_state" if layer == last else None)
    names = ["input_ids", "attention_mask", "token_type_ids"]
    taken = [helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "tokens"]) for name in names]
    shape = ["batch", "tokens", config["hidden_size"]]
    given = [helper.make_tensor_value_info("last_hidden_state", TensorProto.FLOAT, shape)]
    made = helper.make_graph(graph.nodes, "minilm", taken, given, list(graph.constants.values()))
    return helper.make_model(made, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=IR_VERSION)


def main():
    source, target = map(pathlib.Path, sys.argv[1:])
    target.mkdir(parents=True, exist_ok=True)
    config = json.loads((source / "config.json").read_text())
    model = build(load_file(source / "model.safetensors"), config)
    checker.check_model(model)
    for name in COPIED:
        shutil.copy(source / name, target / name)
    (target / "special_tokens_map.json").write_text(json.dumps(SPECIAL))
    save(model, str(target / "model.onnx"))
    # Last, and by renaming: a folder with this file in it is complete.
    quantize_dynamic(str(target / "model.onnx"), str(target / "model.part"), weight_type=QuantType.QInt8)
    (target / "model.part").rename(target / "model_quantized.onnx")


if __name__ == "__main__":
    main()
