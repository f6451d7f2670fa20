"""What a server counts, for Prometheus."""

from trustag.errors import MissingExtraError

try:
    from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
except ImportError:
    raise MissingExtraError("trustag serve", "serve") from None

_BATCHES = (1, 2, 4, 8, 16, 32, 64)
_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)


class Metrics:
    """The counters of one server; a label never holds what a visitor wrote."""

    def __init__(self) -> None:
        registry = self._registry = CollectorRegistry()
        self.requests = Counter(
            "trustag_requests", "Requests by path and status.", ["path", "status"], registry=registry
        )
        self.seconds = Histogram(
            "trustag_request_seconds", "Time to answer a prediction.", buckets=_SECONDS, registry=registry
        )
        self.texts = Counter("trustag_texts", "Texts that were read.", registry=registry)
        self.batches = Histogram(
            "trustag_batch_requests", "Requests that a worker answered together.", buckets=_BATCHES, registry=registry
        )
        self.waiting = Gauge("trustag_waiting_requests", "Requests that wait for a worker.", registry=registry)
        self.workers = Gauge("trustag_workers", "Workers that can answer.", registry=registry)
        self.deaths = Counter("trustag_worker_deaths", "Workers that died and were replaced.", registry=registry)
        self.reloads = Counter("trustag_reloads", "Reloads of the model by result.", ["result"], registry=registry)

    def as_text(self) -> bytes:
        """Return all of it as Prometheus reads it."""
        return generate_latest(self._registry)
