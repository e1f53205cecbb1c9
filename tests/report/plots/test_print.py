"""Pictures for print: embedded fonts, the same bytes every time, and the same content as the SVG."""

import re
import shutil
import subprocess

import pytest

from kernlearn.report.plots.files import is_picture, pictures_file
from tests.report.plots.examples import ALL, TYPICAL, UNTRUSTED, UNUSUAL

pytest.importorskip("matplotlib")
#: Pictures that between them have all that can be drawn.
SOME = ["several", "rates", "strips", "dots", "confusion"]


@pytest.mark.slow
def test_fonts_are_embedded_as_true_type_and_dates_are_left_out():
    pdf = pictures_file([TYPICAL[name] for name in SOME], ".pdf")
    assert pdf.startswith(b"%PDF-") and pdf == pictures_file([TYPICAL[name] for name in SOME], ".pdf")
    assert b"/FontFile2" in pdf and b"/Type3" not in pdf and b"CreationDate" not in pdf
    fonts = re.findall(rb"/FontDescriptor (\d+) 0 R", pdf)
    assert fonts and all(re.search(rb"\n%s 0 obj\n<<.*?/FontFile2" % font, pdf, re.DOTALL) for font in fonts)


@pytest.mark.skipif(not shutil.which("pdftotext"), reason="poppler-utils are not installed")
def test_the_text_of_a_pdf_can_be_searched_and_all_fonts_are_embedded(tmp_path):
    path = tmp_path / "x.pdf"
    path.write_bytes(pictures_file([TYPICAL["confusion"], TYPICAL["bars"]], ".pdf"))
    text = subprocess.run(["pdftotext", path, "-"], capture_output=True, text=True, check=True).stdout
    assert {"Confusion matrix", "versicolor", "predicted class", "Kernel weights", "Words."} <= set(text.splitlines())
    lines = subprocess.run(["pdffonts", path], capture_output=True, text=True, check=True).stdout.splitlines()[2:]
    assert lines and all(line.split()[-5:-2] == ["yes", "yes", "yes"] for line in lines)


def test_a_png_is_the_same_every_time_and_has_no_version():
    png = pictures_file([TYPICAL["rates"]], ".png")
    assert png == pictures_file([TYPICAL["rates"]], ".png") and png.startswith(b"\x89PNG") and b"matplotlib" not in png


@pytest.mark.slow
@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("name", ALL)
def test_every_picture_is_drawn_without_warnings(name):
    assert len(pictures_file([ALL[name]], ".pdf")) > 1000


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("picture", [UNTRUSTED["curves formula"], UNTRUSTED["bars emoji"], UNUSUAL["huge"]])
def test_names_are_no_formulas_and_missing_glyphs_no_trouble(picture):
    assert pictures_file([picture], ".pdf").startswith(b"%PDF-")


@pytest.mark.parametrize("suffix", [".svg", ".pdf", ".png"])
def test_a_file_says_who_made_it(tmp_path, suffix):
    path, other = tmp_path / f"a{suffix}", tmp_path / f"b{suffix}"
    path.write_bytes(pictures_file([TYPICAL["bars"]], suffix))
    other.write_bytes(b"somebody's own picture")
    assert is_picture(path) and not is_picture(other)
