"""Label issues: where given labels and models that have not seen them disagree, worst first, and why."""
