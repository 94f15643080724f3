"""What is to be run: settings, and experiment files that multiply them out."""
