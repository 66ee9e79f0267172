"""Whether a spreadsheet runs anything of a board that `kep-lint ready --format csv` writes.

    spreadsheet.py PROGRAM DIRECTORY

KEPs and a list have texts that begin formulas, at their start and after each separator. LibreOffice reads the board with
each of the separators that are usual in some country. The same texts as they are must give formulas: else it is not known
whether it looks for them.
"""

import csv
import json
import shutil
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

# LibreOffice has formulas only with `=`; other programs have them with each of these.
SIGNS = "=+-@＝＋－＠"
BEFORE = ["", " ", '"', "x,", "x;", "x\t", "x\n", "x; ", 'x;"', 'x"\n']
SEPARATORS = {"comma": ",", "semicolon": ";", "tab": "\t"}
OFFICE = "{urn:oasis:names:tc:opendocument:xmlns:"
README = "# KEP-1: X\n"


def hostile():
    return [f"{before}{sign}1+1" for sign in SIGNS for before in BEFORE]


def write_keps(directory):
    """A KEP with each of the texts as its title, and a list that has them in other columns."""
    with open(directory / "list.csv", "w", newline="", encoding="utf-8") as file:
        rows = csv.writer(file)
        rows.writerow(["Number", "Status", "Enhancements Contact"])
        for number, text in enumerate(hostile(), 1):
            kep = directory / f"keps/sig-node/{number}-x"
            kep.mkdir(parents=True)
            (kep / "README.md").write_text(README, encoding="utf-8")
            # A string of JSON is one of YAML.
            lines = [f"{key}: {json.dumps(text)}\n" for key in ["title", "owning-sig", "status", "latest-milestone"]]
            (kep / "kep.yaml").write_text("".join(lines), encoding="utf-8")
            rows.writerow([number, text, text])


def write_board(program, directory):
    command = [program, "ready", "--isolated", "--release", "v1.37", "--from", "list.csv", "--format", "csv=board.csv"]
    status = subprocess.run(command, cwd=directory, check=False).returncode
    if status != 1:
        sys.exit(f"the exit status is {status} instead of 1")
    with open(directory / "board.csv", newline="", encoding="utf-8") as file:
        board = list(csv.DictReader(file))
    if len(board) != len(hostile()):
        sys.exit(f"the board has {len(board)} KEPs instead of {len(hostile())}")


def formulas(path, separator):
    """The cells that are formulas, or begin like one, if fields are separated by this character."""
    import_filter = f"Text - txt - csv (StarCalc):{ord(separator)},34,76,1"
    profile = (path.parent / "profile").resolve().as_uri()
    command = ["soffice", f"-env:UserInstallation={profile}", "--headless", f"--infilter={import_filter}"]
    command += ["--convert-to", "fods", "--outdir", path.parent, path]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    cells = list(ElementTree.parse(path.with_suffix(".fods")).iter(f"{OFFICE}table:1.0}}table-cell"))
    texts = ["\n".join("".join(line.itertext()) for line in cell.iter(f"{OFFICE}text:1.0}}p")) for cell in cells]
    if sum(map(bool, texts)) < len(hostile()):
        sys.exit(f"{path} is not read")
    is_formula = [f"{OFFICE}table:1.0}}formula" in cell.attrib for cell in cells]
    begins = [text for text in texts if text.strip().startswith(tuple(SIGNS))]
    return sum(is_formula), begins


def main(program, directory):
    shutil.rmtree(directory, ignore_errors=True)
    directory.mkdir(parents=True)
    write_keps(directory)
    write_board(program, directory)
    for name, separator in SEPARATORS.items():
        count, begins = formulas(directory / "board.csv", separator)
        if count or begins:
            sys.exit(f"{name}: {count} formulas in the board, and cells that begin like one: {begins}")
        if not formulas(directory / "list.csv", separator)[0]:
            sys.exit(f"{name}: the texts as they are give no formula")
    print(f"a spreadsheet has {len(hostile())} KEPs and no formula by {', '.join(SEPARATORS)}")


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve(), Path(sys.argv[2]))
