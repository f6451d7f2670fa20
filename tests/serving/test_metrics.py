"""Counters appear as Prometheus reads them, and every server has its own."""

from trustag.serving.metrics import Metrics


def test_what_was_counted_is_told_and_servers_do_not_share() -> None:
    metrics, other = Metrics(), Metrics()
    metrics.requests.labels("/predict", "200").inc(3)
    metrics.batches.observe(5)
    text = metrics.as_text().decode()
    assert 'trustag_requests_total{path="/predict",status="200"} 3.0' in text
    assert 'trustag_batch_requests_bucket{le="4.0"} 0.0' in text
    assert 'trustag_batch_requests_bucket{le="8.0"} 1.0' in text
    assert "/predict" not in other.as_text().decode()
