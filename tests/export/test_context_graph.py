"""A model with a frozen transformer says the same without torch, in sentences of any length and with any words."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch

from tests.models.random_network import LABELS
from tests.models.test_bilstm import VOCABULARY
from tests.models.test_context import LONG, ODD, POSITIONS, SENTENCES
from tests.models.tiny_transformers import save_bert, save_roberta
from trustag.errors import InputError
from trustag.export.exported_tagger import ExportedTagger
from trustag.export.writing import export_model
from trustag.models.bilstm import BiLSTMEncoder, BiLSTMSizes
from trustag.models.context import FrozenContext, LayerMix
from trustag.models.crf_head import CRFHead
from trustag.models.network import Network
from trustag.models.tagger import Tagger
from trustag.models.word_table import WordTable

EVERY = [*SENTENCES, ODD, LONG, ("Ada",) * 20, *[(word,) for word in LONG[:13]]]


def tagger(folder: Path, mix: LayerMix = "concatenate") -> Tagger:
    context = FrozenContext.from_pretrained(str(folder), (1, 2), mix)
    torch.manual_seed(3)
    table = WordTable(2, torch.randn(3, 4), "frozen")
    encoder = BiLSTMEncoder(VOCABULARY, table, BiLSTMSizes(4, 3, 2, 3, dropout=0.5), context=context)
    network = Network(encoder, CRFHead(LABELS, encoder.width))
    with torch.no_grad():
        for weight in network.parameters():
            weight.uniform_(-1, 1)
    return Tagger(network.float().eval())


@pytest.mark.parametrize(("kind", "mix"), [("bert", "concatenate"), ("roberta", "mean")])
def test_a_model_with_a_context_says_the_same(kind: str, mix: LayerMix, tmp_path: Path) -> None:
    save = save_bert if kind == "bert" else save_roberta
    own = tagger(save(tmp_path / kind, POSITIONS), mix)
    export_model(own, tmp_path / "exported")
    exported = ExportedTagger(tmp_path / "exported")
    far = []
    for table, other in zip(own.marginals(EVERY), exported.marginals(EVERY), strict=True):
        assert other.shape == table.shape
        far.append(float(np.abs(other - table).max()))
    # Features are rounded to half precision, so what differs in the last bit may differ by a step of that.
    assert max(far) < 2e-3
    assert np.median(far) < 1e-5
    (alone,) = exported.marginals([EVERY[0]])
    np.testing.assert_allclose(alone, next(exported.marginals(EVERY)), atol=2e-3)


def test_torch_is_not_needed_for_the_context_either(tmp_path: Path) -> None:
    export_model(tagger(save_bert(tmp_path / "bert", POSITIONS)), tmp_path / "exported")
    code = (
        "import sys, trustag\n"
        f"print(len(trustag.load({str(tmp_path / 'exported')!r}).predict_tokens([['Ada', 'slept']])[0]))\n"
        "print([name for name in ('torch', 'onnx', 'transformers') if name in sys.modules])\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    assert done.stdout.splitlines() == ["2", "[]"]


def test_a_transformer_that_feels_padding_is_refused(tmp_path: Path) -> None:
    own = tagger(save_bert(tmp_path / "bert", POSITIONS))
    context = own.network.encoder.context
    assert isinstance(context, FrozenContext)
    specials = context.config.specials
    object.__setattr__(specials, "padding", None)
    with pytest.raises(InputError, match="change with padding"):
        export_model(own, tmp_path / "exported")
    assert not (tmp_path / "exported").exists()
