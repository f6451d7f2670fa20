"""What runs found as pages to look at: one self-contained HTML file each, with no script and no network."""
