"""Makes a wheel of the package in lightpath/, as pip asks the backend of pyproject.toml for one (PEP 517, PEP 660)."""

import base64
import hashlib
import zipfile
from pathlib import Path

FOLDER = Path(__file__).resolve().parent.parent
VERSION = (FOLDER / "VERSION").read_text("utf-8").strip()
STEM = f"lightpath_ns3-{VERSION}"
METADATA = f"Metadata-Version: 2.1\nName: lightpath-ns3\nVersion: {VERSION}\nRequires-Python: >=3.8\n"
WHEEL = "Wheel-Version: 1.0\nGenerator: make_wheel\nRoot-Is-Purelib: true\nTag: py3-none-any\n"


def write_wheel(folder, files):
    """Write a wheel with files, whose texts are given by their paths, and return its name."""
    name = f"{STEM}-py3-none-any.whl"
    about = f"{STEM}.dist-info"
    files = {**files, f"{about}/METADATA": METADATA, f"{about}/WHEEL": WHEEL}
    record = ""
    with zipfile.ZipFile(Path(folder) / name, "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, text in files.items():
            digest = base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).decode().rstrip("=")
            record += f"{path},sha256={digest},{len(text.encode())}\n"
            wheel.writestr(path, text)
        wheel.writestr(f"{about}/RECORD", f"{record}{about}/RECORD,,\n")
    return name


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """Make a wheel with a copy of the package."""
    sources = sorted((FOLDER / "lightpath").glob("*.py"))
    return write_wheel(wheel_directory, {f"lightpath/{path.name}": path.read_text("utf-8") for path in sources})


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    """Make a wheel that points to the package here."""
    return write_wheel(wheel_directory, {"lightpath_ns3.pth": f"{FOLDER}\n"})
