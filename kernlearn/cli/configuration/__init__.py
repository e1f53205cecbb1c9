"""From the command line and configuration files to checked experiments."""
