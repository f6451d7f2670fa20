"""The paper's figures from what runs left behind: numbers first, then pictures of them; no model is loaded."""
