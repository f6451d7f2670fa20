"""The public functions of the CRF, with the shapes of their arguments and results checked at every call."""

from beartype import beartype
from jaxtyping import jaxtyped

from trustag import crf

viterbi_decode = jaxtyped(typechecker=beartype)(crf.viterbi_decode)
forward_backward_messages = jaxtyped(typechecker=beartype)(crf.forward_backward_messages)
entity_posteriors = jaxtyped(typechecker=beartype)(crf.entity_posteriors)
log_partition = jaxtyped(typechecker=beartype)(crf.log_partition)
n_best_viterbi = jaxtyped(typechecker=beartype)(crf.n_best_viterbi)
partial_loss = jaxtyped(typechecker=beartype)(crf.partial_loss)
sequence_posteriors = jaxtyped(typechecker=beartype)(crf.sequence_posteriors)
token_marginals = jaxtyped(typechecker=beartype)(crf.token_marginals)
