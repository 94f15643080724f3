"""From what people write (files, Python) to ground problems, with errors that say where and how to fix it."""
