"""``kibitz extension``: the browser extension that follows live games, as a folder to load; and codes that pair it."""

import json
import zipfile
from pathlib import Path
from typing import Annotated

import typer

import kibitz
from kibitz.cli.common import UserError

#: The port of a code that does not name one.
USUAL_PORT = 8477
#: What makes a folder an extension.
MANIFEST = "manifest.json"


def extension(
    folder: Annotated[
        Path | None, typer.Argument(metavar="[FOLDER]", help="Where to write the extension.", show_default=False)
    ] = None,
    code: Annotated[
        bool, typer.Option("--code", help="Show a one-time code that pairs the extension with this Kibitz.")
    ] = False,
) -> None:
    """Write the browser extension that follows your games on colonist.io to FOLDER, and a zip file beside it.

    It reads what your browser shows you, sends it only to Kibitz on this machine, and never acts on the site.
    """
    if folder is None and not code:
        raise UserError("name a folder for the extension, or use --code to get a pairing code")
    if folder is not None:
        written = write(folder)
        print(f"Chrome, Edge: open chrome://extensions, switch on Developer mode, Load unpacked: {folder.resolve()}")
        print(f"Firefox: open about:debugging#/runtime/this-firefox, Load Temporary Add-on: {folder.resolve() / MANIFEST}")
        print(
            f"Then run kibitz web and kibitz extension --code, and enter that code on the site. For extension stores: {written}"
        )
    if code:
        print(f"{new_code()}  (enter it in the panel on the site within ten minutes; it pairs one browser)")


def source() -> Path:
    """Where the files of the extension are: in the package or, in a checkout, at its top. Raises `UserError`."""
    package = Path(kibitz.__file__).parent
    for found in (package / "extension", package.parents[1] / "extension"):
        if (found / MANIFEST).is_file():
            return found
    raise UserError("the files of the extension are missing from this installation")


def write(folder: Path) -> Path:
    """Write the extension; the path of the zip beside it. A folder or a zip that holds something else is left alone."""
    origin = source()
    files = {path.relative_to(origin): path.read_bytes() for path in sorted(origin.rglob("*")) if path.is_file()}
    manifest = Path(MANIFEST)
    versioned = {**json.loads(files[manifest]), "version": kibitz.__version__}
    files[manifest] = (json.dumps(versioned, indent=2) + "\n").encode()
    if folder.exists() and not folder.is_dir():
        raise UserError(f"{folder}: this is a file, not a folder")
    if folder.is_dir() and any(folder.iterdir()) and _name_in(folder) != _name_in(origin):
        raise UserError(f"{folder}: the folder holds something else")
    archive = folder.with_name(f"{folder.resolve().name}.zip")
    if archive.exists() and _name_in(archive) != _name_in(origin):
        raise UserError(f"{archive}: exists and holds something else")
    for path, content in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(content)
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as made:
        for path, content in files.items():
            # the same bytes whenever it is made
            made.writestr(zipfile.ZipInfo(path.as_posix()), content, zipfile.ZIP_DEFLATED)
    return archive


def _name_in(there: Path) -> object:
    """What the extension in a folder or a zip is called; None where there is none."""
    try:
        if there.is_dir():
            text = (there / MANIFEST).read_bytes()
        else:
            with zipfile.ZipFile(there) as archive:
                text = archive.read(MANIFEST)
        return json.loads(text)["name"]
    except (OSError, ValueError, KeyError, TypeError, zipfile.BadZipFile):
        return None


def new_code() -> str:
    """A code that pairs an extension with the Kibitz whose library this is."""
    from kibitz.ground.folders import data_folder
    from kibitz.web.companions import Companions

    return with_port(Companions(data_folder()).new_code(), _port(data_folder() / "server.lock"))


def with_port(code: str, port: int) -> str:
    """A code that says where Kibitz listens, if it is not the usual port.

    >>> with_port("ABCD-EFGH", 8477), with_port("ABCD-EFGH", 9000)
    ('ABCD-EFGH', 'ABCD-EFGH-9000')
    """
    return code if port == USUAL_PORT else f"{code}-{port}"


def _port(lock: Path) -> int:
    """Where the server of this library listens."""
    from urllib.parse import urlsplit

    try:
        return urlsplit(lock.read_text(encoding="utf-8").strip()).port or USUAL_PORT
    except (OSError, ValueError):
        return USUAL_PORT
