"""The model as an application of Ray Serve, for those who outgrow one machine.

``serve run trustag.serving.ray_app:app model=/models/run replicas=4`` answers ``POST /predict`` as ``trustag serve``
does.
"""

from pathlib import Path
from typing import Final

from pydantic import BaseModel, ConfigDict, Field
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from trustag.errors import MissingExtraError
from trustag.serving.access import TokenAccess, check_access, read_token
from trustag.serving.answering import answer_all
from trustag.serving.bodies import GoneError, read_body
from trustag.serving.limits import Limits
from trustag.serving.queries import RefusedError, refusal
from trustag.serving.worker_messages import Answer

try:
    from ray import serve
except ImportError:
    raise MissingExtraError("Ray Serve", "ray") from None

_LIMITS: Final = Limits()
_WAIT: Final = 0.002  # seconds for more requests to join a batch


class AppOptions(BaseModel):
    """What ``serve run`` is given: the model, how many replicas hold it, and a file with a token if one is needed."""

    model_config = ConfigDict(extra="forbid")

    model: str
    replicas: int = Field(default=1, ge=1)
    cpus: float = Field(default=1, ge=0)
    token_file: str | None = None
    tokenizer: str = "auto"


class ModelReplica:
    """One copy of the model; requests that arrive together are read together."""

    def __init__(self, model: str, tokenizer: str, token: str | None) -> None:
        from trustag.export.model_loading import load  # noqa: PLC0415 - torch is loaded on replicas only

        self._predictor = load(model, tokenizer)
        self._access = TokenAccess(token)

    @serve.batch(max_batch_size=_LIMITS.batch, batch_wait_timeout_s=_WAIT)
    async def answers(self, bodies: list[bytes]) -> list[Answer]:
        """Return the answers to requests."""
        return answer_all(self._predictor, bodies, _LIMITS)

    async def __call__(self, request: Request) -> Response:
        """Answer a request."""
        try:
            check_access(dict(request.scope), self._access)
            if request.url.path == "/health":
                return _json(b'{"status":"ok"}')
            if request.url.path != "/predict" or request.method != "POST":
                return _refused(RefusedError(404, "send a POST request to /predict"))
            body = await read_body(request.scope, request.receive, _LIMITS)
            answer: Answer = await self.answers(body)
        except RefusedError as refused:
            return _refused(refused)
        except (GoneError, ClientDisconnect):
            return Response(status_code=400)
        return _json(answer.body, answer.status)


def _json(body: bytes, status: int = 200) -> Response:
    return Response(body, status, media_type="application/json")


def _refused(refused: RefusedError) -> Response:
    return _json(refusal(refused), refused.status)


def app(options: AppOptions) -> serve.Application:
    """Return the application, to be run by ``serve run`` or ``ray.serve.run``."""
    token = None if options.token_file is None else read_token(Path(options.token_file))
    deployment = serve.deployment(
        name="trustag",
        num_replicas=options.replicas,
        max_ongoing_requests=2 * _LIMITS.batch,
        max_queued_requests=_LIMITS.waiting,
        ray_actor_options={"num_cpus": options.cpus, "runtime_env": {"env_vars": {"OMP_NUM_THREADS": "1"}}},
    )(ModelReplica)
    return deployment.bind(options.model, options.tokenizer, token)
