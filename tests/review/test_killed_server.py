"""A server that is killed between two clicks: what it said was saved is saved, and the next one goes on from there."""

import json
from pathlib import Path

import httpx

from tests.review.served import Served
from tests.review.small_run import ISSUES, write_run


def test_every_decision_survives_the_death_of_the_server(tmp_path: Path) -> None:
    served = Served(write_run(tmp_path / "run"))
    saved = []
    for number, issue in enumerate(ISSUES[:3]):
        served.start()
        with httpx.Client(base_url=f"http://127.0.0.1:{served.port}", trust_env=False, timeout=60) as client:
            client.cookies.set("trustag_reviewer", "Ann")
            page = client.get(served.url)
            assert f"{number} of {len(ISSUES)} decided" in page.text
            form = {"issue": issue.id, "version": "0", "verdict": "accepted"}
            answer = client.post("/decide", data=form, headers={"Origin": f"http://127.0.0.1:{served.port}"})
            assert answer.status_code == 303
        served.kill()
        saved.append(issue.id)
    served.start()
    with httpx.Client(trust_env=False, timeout=60) as client:
        client.get(served.url)
        lines = client.get(f"http://127.0.0.1:{served.port}/decisions.jsonl").text.splitlines()
    assert [json.loads(line)["issue"] for line in lines] == saved
    assert served.stop().startswith("3 of 6 issues decided; next: trustag apply")
