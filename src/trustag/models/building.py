"""Make the network that settings ask for."""

from collections.abc import Sequence

from torch import nn

from trustag.models.encoder_kinds import find_encoder
from trustag.models.encoders import Tokens
from trustag.models.heads import find_head
from trustag.models.network import Network
from trustag.models.network_spec import NetworkSpec
from trustag.notes import Watch
from trustag.recipes.network_settings import ModelSettings
from trustag.text.label_sets import LabelSet


def new_network(sentences: Sequence[Tokens], labels: LabelSet, spec: NetworkSpec, watch: Watch) -> Network:
    """Return an untrained network for the words of ``sentences``."""
    encoder = find_encoder(spec.settings.model.encoder).build(sentences, spec, watch)
    return network_of(encoder, labels, spec.settings.model)


def network_of(encoder: nn.Module, labels: LabelSet, settings: ModelSettings, *, imports: bool = True) -> Network:
    """Return a network around ``encoder`` with the head that the settings choose.

    Unless it ``imports``, code from outside this package must have been imported before.
    """
    width = int(encoder.width)  # type: ignore[arg-type]
    return Network(encoder, find_head(settings.head, imports=imports).build(labels, width, settings))
