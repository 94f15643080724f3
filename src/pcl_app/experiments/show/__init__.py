"""What people see of it: figures and reports."""
