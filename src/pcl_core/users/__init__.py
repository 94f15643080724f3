"""Users: the feedback interface, and simulated people with weights of their own."""
