"""Makes the static table from all-MiniLM-L6-v2: one vector a vocabulary piece, PCA to 256 dimensions.

    python distill.py <folder of all-MiniLM-L6-v2> <folder to write>

Each piece of the vocabulary is run through the transformer once; its pooled output is its row. model2vec
then reduces the rows by PCA and weighs each by its rank in the vocabulary, which stands for how common
it is (SIF, a = 1e-4). pack.py turns the result into the asset that the crate carries.
"""

import os
import sys

# The weights are on disk; nothing may be asked of a hub.
os.environ["HF_HUB_OFFLINE"] = "1"

from model2vec.distill import distill  # noqa: E402


def main():
    source, target = sys.argv[1:]
    table = distill(model_name=source, pca_dims=256, sif_coefficient=1e-4, quantize_to="float16")
    table.save_pretrained(target)


if __name__ == "__main__":
    main()
