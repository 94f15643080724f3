"""What is recorded: measures of every query, as files and as runs read back from them."""
