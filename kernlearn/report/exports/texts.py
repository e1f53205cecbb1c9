"""Foreign texts, such as names of data sets, as other programs show them: nothing in them is an instruction."""

import re
import unicodedata

#: LaTeX for characters that it would read as instructions.
SPECIAL = {
    **{character: f"\\{character}" for character in "_%&#{}$"},
    **{character: f"{{{character}}}" for character in "[]*"},  # after the end of a row they are an argument
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"{\char34}",  # babel has shorthands that begin with it
    "`": r"\textasciigrave{}",
}
#: Letters that LaTeX prints in its default encoding of fonts.
LATIN = {chr(code) for code in range(0xC0, 0x17F)} - set("ÐÞðþĄąĐđĘęĦħĮįĸĿŀŉŊŋŦŧŲų")
#: Characters with which a spreadsheet begins a formula, in narrow and wide forms.
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")
#: Characters with which Markdown, or HTML in it, begins something.
MARKDOWN = re.compile(r"([\\`*_\[\]<>|~$&#^])")


def one_line(text: str) -> str:
    """Return a text in one line, without control characters and marks that reverse the direction of writing."""
    return "".join(character for character in " ".join(text.split()) if unicodedata.category(character)[0] != "C")


def latex(text: str) -> str:
    """Return a text for LaTeX; a character that its fonts may lack is shown by its number, as in [U+4E2D]."""
    escaped = "".join(map(_latex, unicodedata.normalize("NFC", one_line(text))))
    return escaped.replace("--", "-{}-").replace("--", "-{}-")  # LaTeX would make a dash of two hyphens


def _latex(character: str) -> str:
    if character in SPECIAL:
        return SPECIAL[character]
    if character.isascii() or character in LATIN:
        return character
    return f"{{[}}U+{ord(character):04X}{{]}}"


def markdown(text: str) -> str:
    """Return a text for a cell of a table in Markdown."""
    return MARKDOWN.sub(r"\\\1", one_line(text))


def defused(text: str) -> str:
    """Return a text that a spreadsheet shows: after an apostrophe, if it would be a formula."""
    return f"'{text}" if text.startswith(FORMULA) else text
