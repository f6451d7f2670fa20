"""Programs that show how to use Trustag; each can be run by itself."""
