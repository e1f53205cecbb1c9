"""The documentation site: ``sphinx-build -W -b html docs docs/_build/html``, which needs no network."""

import os
import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE / "_ext"))
os.environ.setdefault("MPLBACKEND", "agg")

from sphinx_gallery.sorting import ExplicitOrder  # noqa: E402

import kernlearn  # noqa: E402

project = "kernlearn"
copyright = "the authors of kernlearn"
version = release = kernlearn.__version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "numpydoc",
    "sphinx_gallery.gen_gallery",
    "pages",
]
source_suffix = {".md": "markdown", ".rst": "restructuredtext"}
exclude_patterns = ["_build", "_ext", "_static", "gallery", "generated/runs", "**/README.txt", "**/GALLERY_HEADER.rst"]
default_role = "code"
nitpicky = False
highlight_language = "python"
pygments_style = "default"

myst_heading_anchors = 4
myst_enable_extensions = ["colon_fence"]
suppress_warnings = ["myst.header", "config.cache", "misc.highlighting_failure"]

autodoc_typehints = "none"
autodoc_member_order = "bysource"
numpydoc_show_class_members = False
numpydoc_xref_param_type = False

#: The order of the examples: the common tasks first.
EXAMPLES = (
    "plot_first_fit",
    "plot_certificate",
    "plot_certify_scikit_learn",
    "plot_compare_methods",
    "plot_choose_parameters",
    "plot_cv_path",
    "plot_table_to_verified_model",
    "plot_kernel_weights",
    "plot_relative_margin",
    "plot_rare_class",
    "plot_sparse_solution",
    "plot_own_kernel",
    "plot_stumps",
    "plot_few_labels",
    "plot_universum",
    "plot_multiclass",
    "plot_regression",
    "plot_words",
)
sphinx_gallery_conf = {
    "examples_dirs": ["gallery"],
    "gallery_dirs": ["generated/gallery"],
    "within_subsection_order": ExplicitOrder([f"{name}.py" for name in EXAMPLES]),
    "min_reported_time": 10**9,  # seconds differ from build to build
    "write_computation_times": False,
    "download_all_examples": False,
    "show_memory": False,
    "show_signature": False,
    "remove_config_comments": True,
    "plot_gallery": True,
    "abort_on_example_error": True,
    "image_scrapers": ("matplotlib",),
    "reset_modules": ("matplotlib",),
}

html_theme = "pydata_sphinx_theme"
html_title = f"kernlearn {release}"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_last_updated_fmt = None
html_show_sourcelink = False
html_copy_source = False
html_theme_options = {
    "show_toc_level": 2,
    "navigation_with_keys": False,
    "show_nav_level": 1,
    "navbar_align": "left",
    "header_links_before_dropdown": 6,
    "footer_start": ["copyright"],
    "footer_end": [],
    "search_as_you_type": False,
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
}
#: Pages with no page below them have no list of such.
html_sidebars = {page.stem: [] for page in HERE.glob("*.md") if page.stem != "api"}
