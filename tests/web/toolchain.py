"""A copy of apps/web in the build folder with its pinned toolchain, so that tests leave the tree as it is."""
import filecmp
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "apps" / "web"
SKIPPED = 77  # what ctest takes for skipped


def skip(reason):
    """Ends the test: skipped, or failed where nothing may be missing."""
    print(reason)
    sys.exit(1 if os.environ.get("CI") == "true" else SKIPPED)


def need(*commands):
    """The first of the commands that is there."""
    for command in commands:
        if shutil.which(command):
            return shutil.which(command)
    return skip(f"{commands[0]} is not installed: the page is not tested")


def copy_sources(target):
    shutil.rmtree(target / "src", ignore_errors=True)
    ignored = shutil.ignore_patterns("node_modules")
    shutil.copytree(PAGE, target, ignore=ignored, dirs_exist_ok=True)


def installed(build):
    """The copy with its node_modules, as package-lock.json has them."""
    need("node")
    npm = need("npm")
    target = Path(build) / "web"
    copy_sources(target)
    stamp = target / "node_modules" / ".lock-installed"
    lock = target / "package-lock.json"
    if not (stamp.exists() and filecmp.cmp(stamp, lock, shallow=False)):
        done = subprocess.run([npm, "ci", "--no-audit", "--no-fund"], cwd=target, capture_output=True, text=True)
        if done.returncode != 0:
            skip(f"npm ci failed (no network?): the page is not tested\n{done.stderr[-1500:]}")
        shutil.copy(lock, stamp)
    return target
