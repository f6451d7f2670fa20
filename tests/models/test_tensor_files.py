"""Tensors on disk: what is written is read, and what does not fit a network is refused by name."""

import errno
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from safetensors.torch import load_file
from torch import nn

from tests.files.scratch import scratch_file
from trustag.errors import InputError
from trustag.models.tensor_files import load_weights, save_tensors


def layer(inputs: int = 3, outputs: int = 2) -> nn.Linear:
    return nn.Linear(inputs, outputs)


@given(
    st.lists(st.integers(0, 4), max_size=3), st.sampled_from([torch.float32, torch.float16, torch.int64, torch.uint8])
)
def test_tensors_come_back_whatever_their_layout(shape: list[int], dtype: torch.dtype) -> None:
    tensor = torch.randint(0, 100, shape).to(dtype)
    with scratch_file(b"") as file:
        save_tensors({"a": tensor.T if tensor.dim() == 2 else tensor}, file.path)
        found = load_file(file.path)["a"]
    assert torch.equal(found.T if tensor.dim() == 2 else found, tensor)
    assert found.dtype == dtype


def test_a_network_gets_its_own_weights_back(tmp_path: Path) -> None:
    saved, fresh = layer(), layer()
    save_tensors(saved.state_dict(), tmp_path / "weights")
    load_weights(fresh, tmp_path / "weights")
    assert torch.equal(fresh.weight, saved.weight)
    assert fresh.weight.data_ptr() % 64 == 0


def test_tensors_can_have_old_names(tmp_path: Path) -> None:
    saved, fresh = layer(), layer()
    save_tensors({"matrix": saved.weight.detach(), "bias": saved.bias.detach()}, tmp_path / "weights")
    load_weights(fresh, tmp_path / "weights", {"matrix": "weight"})
    assert torch.equal(fresh.weight, saved.weight)


@pytest.mark.parametrize(
    ("tensors", "finding"),
    [
        ({"weight": torch.zeros(2, 3)}, "the weights and the description differ in 'bias'"),
        ({"weight": torch.zeros(2, 3), "bias": torch.zeros(2), "more": torch.zeros(1)}, "differ in 'more'"),
        (
            {"weight": torch.zeros(3, 2), "bias": torch.zeros(2)},
            r"weight has the shape \(3, 2\), described is \(2, 3\)",
        ),
        (
            {"weight": torch.zeros(2, 3), "bias": torch.zeros(2).double()},
            "bias is torch.float64, expected torch.float32",
        ),
    ],
)
def test_weights_that_do_not_fit_are_refused(tmp_path: Path, tensors: dict[str, torch.Tensor], finding: str) -> None:
    save_tensors(tensors, tmp_path / "weights")
    network = layer()
    before = network.weight.clone()
    with pytest.raises(InputError, match=finding):
        load_weights(network, tmp_path / "weights")
    assert torch.equal(network.weight, before)


@given(st.binary(max_size=64))
def test_a_file_that_holds_no_tensors_is_refused(content: bytes) -> None:
    with scratch_file(content) as file, pytest.raises(InputError, match=r"broken weights|the description differ"):
        load_weights(layer(), file.path)


def test_a_disk_that_cannot_be_written_is_an_error_of_the_operating_system(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="No such file or directory") as found:
        save_tensors({"a": torch.zeros(1)}, tmp_path / "nowhere" / "weights")
    assert found.value.errno == errno.ENOENT


_LITTLE_MEMORY = """
import resource, sys, torch
from pathlib import Path
from trustag.models.tensor_files import save_tensors

tensors = {"a": torch.ones(3_000_000)}
in_use = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (in_use + (4 << 20), resource.RLIM_INFINITY))
try:
    save_tensors(tensors, Path(sys.argv[1]))
except MemoryError:
    print("said")
"""


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="reads the size of the process from Linux")
def test_without_memory_the_process_is_told_and_not_ended(tmp_path: Path) -> None:
    command = [sys.executable, "-c", _LITTLE_MEMORY, str(tmp_path / "weights")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "said\n"), done.stderr
    assert not (tmp_path / "weights").exists()
