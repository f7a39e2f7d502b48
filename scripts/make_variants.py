"""Makes the bundled submissions that derive from fixtures/reference.

python -m scripts.make_variants           # writes them
python -m scripts.make_variants --check   # says which are out of date; status 1 when any is
"""

from __future__ import annotations

import argparse
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from scripts.variants import drawing, joints, motion, naming, spelling, states, timing
from scripts.variants.broken import broken
from scripts.variants.edits import read

if TYPE_CHECKING:
    from collections.abc import Callable

    from scripts.variants.edits import Files

FIXTURES = Path(__file__).resolve().parent.parent / "fixtures"

#: How each folder under fixtures/ is made of the reference.
MAKERS: dict[str, Callable[[Files], Files]] = {
    "broken": broken,
    "variants/layers": spelling.layers,
    "variants/plain": spelling.plain,
    "variants/minified": spelling.minified,
    "variants/crlf-bom": spelling.crlf_bom,
    "variants/units": spelling.units,
    "variants/renamed": naming.renamed,
    "variants/attributes": naming.attributes,
    "variants/written-out": timing.written_out,
    "variants/important": timing.important,
    "variants/inline-delays": timing.inline_delays,
    "variants/generated-keyframes": timing.generated_keyframes,
    "variants/wrappers": joints.wrappers,
    "variants/fill-boxes": joints.fill_boxes,
    "variants/shared-shapes": joints.shared_shapes,
    "variants/fourth-joint": joints.fourth_joint,
    "variants/siblings": joints.siblings,
    "variants/filled-limbs": drawing.filled_limbs,
    "variants/stroked-limbs": drawing.stroked_limbs,
    "variants/paint-attributes": drawing.attributes_of_paint,
    "variants/one-coat": drawing.one_coat,
    "variants/smil": motion.smil,
    "variants/own-leg": motion.own_leg,
    "variants/posed": motion.posed,
    "variants/still-by-script": states.still_by_script,
    "variants/motion-on-request": states.motion_on_request,
}


def write(folder: Path, files: Files) -> None:
    """Makes the folder hold these files and no others."""
    shutil.rmtree(folder, ignore_errors=True)
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)


def main() -> int:
    """Writes the folders, or with --check compares them; returns the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="write nothing; status 1 when a folder is out of date")
    check = parser.parse_args().check
    reference = read(FIXTURES / "reference")
    stale = [name for name, make in MAKERS.items() if make(dict(reference)) != read(FIXTURES / name)]
    for name in stale:
        print(f"{'out of date' if check else 'written'}: fixtures/{name}")
        if not check:
            write(FIXTURES / name, MAKERS[name](dict(reference)))
    return 1 if check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
