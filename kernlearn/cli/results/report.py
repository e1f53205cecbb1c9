"""``kernlearn report``: results as one self-contained page, or all results as a site."""

import argparse
from pathlib import Path
from typing import TypedDict

from kernlearn.cli.facts.cells import Trouble
from kernlearn.cli.parser import Parser, add_results_dir, results_dir, results_dir_of
from kernlearn.documents import deliver
from kernlearn.errors import PartFailed, UserError

EXAMPLES = """\
a result is one of these:
  vkr2015                    a paper: its scorecard, tables and figures
  vkr2015/table1             a table or figure of a paper
  results/runs/NAME          a run; its name or the end of its name is enough
  results/comparisons/NAME   a comparison; its name or the end of its name is enough
  model.kl                   a model

examples:
  kernlearn report vkr2015/table1 -o table1.html
  kernlearn report results/runs/NAME model.kl -o page.html
  kernlearn report --site site
"""


class Document(TypedDict):
    """The pages that were written."""

    #: The page, or the first page of the site.
    page: str
    #: The number of pages, and their bytes together.
    pages: int
    bytes: int
    #: With --site: the results that could not be shown.
    troubles: list[Trouble]


def make_parser() -> Parser:
    """Return the parser of the arguments."""
    parser = Parser(
        prog="kernlearn report",
        description="Write results as one page of HTML that loads nothing from elsewhere: the result in one sentence, "
        "whether to trust it, what to do next, and all details.",
        usage="kernlearn report RESULT [RESULT ...] [-o PAGE] [options]\n       kernlearn report --site DIR [options]",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("targets", nargs="*", metavar="RESULT", help="what to show, see below")
    parser.add_argument("-o", "--output", metavar="PAGE", help="the file to write; by default it is named after RESULT")
    parser.add_argument("--site", metavar="DIR", help="write all results of the results directory as a site")
    parser.add_argument("--force", action="store_true", help="replace a file that is no page of kernlearn report")
    add_results_dir(parser)
    return parser


def names(before: list[str]) -> list[str]:
    """Return the results that can follow."""
    from kernlearn.report.targets import target_names

    return target_names(results_dir_of(before))


def main(argv: list[str]) -> int:
    """Write a page or a site."""
    given = make_parser().parse_intermixed_args(argv)
    results = results_dir(given)
    if given.site is not None:
        if given.targets or given.output is not None:
            extra = given.targets[0] if given.targets else f"-o {given.output}"
            raise UserError(f"{extra}: --site writes all results of the results directory; leave it out")
        _write_site(Path(given.site), results, given.force)
    elif not given.targets:
        raise UserError("give a result, as in kernlearn report vkr2015/table1, or --site DIR (kernlearn report --help)")
    else:
        _write_page(given, results)
    return 0


def _write_page(given: argparse.Namespace, results: Path) -> None:
    from kernlearn.atomic import write_atomically
    from kernlearn.cli.model.output import output_file, require_no_input
    from kernlearn.report.pages.page import is_page
    from kernlearn.report.pages.results import page_of
    from kernlearn.report.targets import files_of, find_target
    from kernlearn.report.terminal import say

    targets = list(dict.fromkeys(find_target(word, results) for word in given.targets))
    named = targets[0].name.replace("/", "-").removesuffix(".kl") if len(targets) == 1 else "report"
    output = output_file(given.output or f"{named}.html", given.force, is_page, "page of kernlearn report")
    require_no_input(output, *(str(file) for target in targets for file in files_of(target)))
    page = page_of(targets, results)
    write_atomically(output, page)
    document: Document = {"page": str(output), "pages": 1, "bytes": len(page), "troubles": []}
    deliver(document)
    say(f"page: {output} ({len(page)} bytes)")


def _write_site(directory: Path, results: Path, force: bool) -> None:
    """Write the pages of a site, the index last.

    Raises `UserError` if something that is no page of ours is in the place of one. Raises `PartFailed` if results could
    not be shown.
    """
    from kernlearn.atomic import make_directory, write_atomically
    from kernlearn.models.file import require_replaceable
    from kernlearn.report.pages.page import is_page
    from kernlearn.report.pages.site import INDEX, pages_of
    from kernlearn.report.terminal import say
    from kernlearn.runner.store.files import refuse_links

    if not results.is_dir():
        raise UserError(f"{results}: there is no such results directory; --results-dir DIR names another")
    if directory.exists() and not directory.is_dir():
        raise UserError(f"{directory}: is no directory")
    troubles: dict[str, str] = {}
    pages = list(pages_of(results, troubles))  # all of them are made before anything is written
    for page in pages:
        refuse_links((directory / page.path).parent, directory)
        require_replaceable(directory / page.path, force, is_page, "page of kernlearn report")
    for page in pages:
        make_directory((directory / page.path).parent)
        write_atomically(directory / page.path, page.content)
    for name, why in troubles.items():
        say(f"left out   {name}: {why}")
    document: Document = {
        "page": str(directory / INDEX),
        "pages": len(pages),
        "bytes": sum(len(page.content) for page in pages),
        "troubles": [{"part": name, "error": why} for name, why in troubles.items()],
    }
    deliver(document)
    say(f"site: {document['page']} ({len(pages)} pages, {document['bytes']} bytes)")
    if troubles:
        raise PartFailed(f"{len(troubles)} results could not be shown: {', '.join(troubles)}")
