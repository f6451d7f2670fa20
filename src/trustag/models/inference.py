"""Label scores of sentences from a trained BiLSTM network, many times faster than through the network itself."""

from collections.abc import Iterable, Sequence
from itertools import chain

import numpy as np
import torch
from torch import Tensor

from trustag.models.bilstm import BiLSTMEncoder
from trustag.models.crf_head import CRFHead
from trustag.models.encoders import Tokens
from trustag.models.inference_lstm import inference_lstm
from trustag.models.network import Network
from trustag.models.packing import pack
from trustag.models.word_gates import REMEMBERED, WordGates


class BiLSTMInference:
    """The arithmetic of a network with a BiLSTM encoder, for prediction on a processor.

    It remembers what words add to the gates, so it holds for the weights the network has now.
    """

    def __init__(self, encoder: BiLSTMEncoder, projection: torch.nn.Linear, remembered: int = REMEMBERED) -> None:
        self._lstm = inference_lstm(encoder.sentence_lstm)
        self._words = WordGates(encoder, self._lstm, remembered)
        self._forwards, self._backwards = (part.contiguous() for part in projection.weight.detach().t().chunk(2))
        self._bias = projection.bias.detach().clone()
        self._arrays = tuple(part.numpy() for part in (self._forwards, self._backwards, self._bias))

    @torch.inference_mode()
    def __call__(self, sentences: Sequence[Tokens]) -> Tensor:
        """Return the score of each label at each token, (sentences, tokens, labels), zero in the padding."""
        return self._alone(sentences[0]) if len(sentences) == 1 else self._together(sentences)

    @torch.inference_mode()
    def look_ahead(self, sentences: Iterable[Tokens]) -> None:
        """Prepare for ``sentences`` that are to come in several batches."""
        self._words.look_ahead(chain.from_iterable(sentences))

    def _alone(self, tokens: Tokens) -> Tensor:
        states = self._lstm.states_alone(*self._words.rows(tokens))
        forwards, backwards, bias = self._arrays
        scores = np.dot(states[0], forwards)
        scores += np.dot(states[1], backwards)[::-1]
        scores += bias
        return torch.from_numpy(scores[None])

    def _together(self, sentences: Sequence[Tokens]) -> Tensor:
        order = sorted(range(len(sentences)), key=lambda sentence: len(sentences[sentence]), reverse=True)
        packing = pack([len(sentences[sentence]) for sentence in order])
        table, written = self._words.rows(list(chain.from_iterable(sentences[sentence] for sentence in order)))
        states = self._lstm.states(table, torch.tensor(written)[packing.indices], packing)
        scores = torch.addmm(self._bias, states[0], self._forwards)
        scores += torch.mm(states[1], self._backwards).index_select(0, packing.mirrored)
        longest = len(packing.running)
        padded = scores.new_zeros(len(sentences) * longest, scores.shape[1])
        padded[torch.tensor(order)[packing.sequence] * longest + packing.step] = scores
        return padded.view(len(sentences), longest, -1)


def inference_of(network: Network) -> BiLSTMInference | None:
    """Return the fast arithmetic of ``network``, if there is one for its encoder, device and precision."""
    encoder, head = network.encoder, network.head
    if not isinstance(encoder, BiLSTMEncoder) or type(encoder).forward is not BiLSTMEncoder.forward:
        return None
    if not isinstance(head, CRFHead) or type(head).scores is not CRFHead.scores:
        return None
    if encoder.context is not None:  # what a word adds to the gates depends on more than the word
        return None
    weights = list(network.parameters())
    if any(weight.device.type != "cpu" or weight.dtype != torch.float32 for weight in weights):
        return None
    return BiLSTMInference(encoder, head.projection)
