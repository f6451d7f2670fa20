"""Settings of the tests of trainings."""

import torch

# Everything here is tiny: threads would only wait for each other.
torch.set_num_threads(1)
