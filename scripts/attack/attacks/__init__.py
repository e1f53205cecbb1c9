"""Parts of `scripts/attack/attack.py`: hostile data, oracles, what is held against them, and hostile inputs."""
