"""A person in the terminal: reading what she types, finding what she means, showing what she needs."""
