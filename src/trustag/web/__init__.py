"""What every web server of Trustag shares: where it listens, which visitors it trusts, what it tells browsers."""
