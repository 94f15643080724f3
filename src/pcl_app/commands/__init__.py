"""The commands, by group. Each is imported when it is asked for (`pcl_app.application`)."""
