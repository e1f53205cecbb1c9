"""The Hydra configuration groups, installed as ``kernlearn.configs``."""
