"""Networks beside the one that is trained: a peer of it, or a teacher; built alike and kept in its checkpoints."""

from collections.abc import Mapping

import torch
from torch import Tensor

from trustag.data.encoded_corpus import EncodedCorpus
from trustag.models.building import new_network
from trustag.models.network import Network
from trustag.models.network_spec import NetworkSpec
from trustag.notes import unwatched


def second_network(spec: NetworkSpec, corpus: EncodedCorpus, beside: Network, seed: int) -> Network:
    """Return another network like the one ``beside`` it, with fresh weights drawn from ``seed``.

    The random state of the training stays as it is.
    """
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return new_network(corpus.tokens, corpus.labels, spec, unwatched).to(beside.device)


def network_state(network: Network, prefix: str) -> dict[str, Tensor]:
    """Return the weights of ``network`` for a checkpoint, their names behind ``prefix``."""
    return {f"{prefix}{name}": weight.contiguous() for name, weight in network.state_dict().items()}


def restore_network(network: Network, prefix: str, state: Mapping[str, Tensor]) -> None:
    """Give ``network`` the weights that :func:`network_state` put into a checkpoint."""
    network.load_state_dict({name: state[f"{prefix}{name}"] for name in network.state_dict()})
