"""A model goes to the hub with its card and comes back the same; what the hub refuses is told in one line."""

from pathlib import Path

import pytest

import trustag
from tests.integrations.hub_stand_in import hub
from trustag.errors import InputError
from trustag.integrations.hub import download
from trustag.integrations.loaded_model import LoadedModel

TEXT = "Ada slept of the new Unheard."


@pytest.mark.parametrize("form", ["model", "exported"])
def test_a_model_goes_to_the_hub_and_comes_back(
    form: str, request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TRUSTAG_CACHE", str(tmp_path / "cache"))
    model = trustag.load(request.getfixturevalue(form))
    with hub() as (endpoint, token, content):
        address = model.push_to_hub("me/names", license_name="cc-by-4.0", endpoint=endpoint, token=token)
        assert address.endswith("/me/names")
        names = {file.name for file in model.folder.iterdir()}
        assert set(content.files["me/names"]) - {".gitattributes"} == {*names, "README.md"}
        again = LoadedModel.from_hub("me/names", endpoint=endpoint)
        asked = len(content.asked)
        third = LoadedModel.from_hub("me/names", endpoint=endpoint)
    assert not any("resolve" in request and "GET" in request for request in content.asked[asked:])
    assert again.predict(TEXT) == third.predict(TEXT) == model.predict(TEXT)
    assert 'license: "cc-by-4.0"' in (again.folder / "README.md").read_text()


def test_refusals_are_one_line(model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRUSTAG_CACHE", str(tmp_path / "cache"))
    with hub() as (endpoint, token, content):
        with pytest.raises(InputError, match="the hub refuses"):
            trustag.load(model).push_to_hub("me/names", endpoint=endpoint, token="hf_wrong")
        assert content.files == {}
        for repository in ("me/unknown", "no such name"):
            with pytest.raises(InputError) as refused:
                download(repository, endpoint=endpoint, token=token)
            assert refused.value.where == repository
            assert "\n" not in str(refused.value)
