"""Imported before numpy: one thread, whatever the environment says, so that CPU seconds compare."""

import os

from one_thread_by_default import VARIABLES

os.environ.update(dict.fromkeys(VARIABLES, "1"))
