"""Building the page from its sources gives the files that are committed, byte for byte."""
import subprocess
import sys

from toolchain import PAGE, installed, need

copy = installed(sys.argv[1])
for name in ("index.html", "csp.txt"):
    (copy / "dist" / name).unlink()
subprocess.run([need("npm"), "run", "build"], cwd=copy, check=True)
for name in ("index.html", "csp.txt"):
    built, committed = (copy / "dist" / name).read_bytes(), (PAGE / "dist" / name).read_bytes()
    assert built == committed, (
        f"apps/web/dist/{name} is not what its sources give ({len(committed)} and {len(built)} bytes): "
        "cd apps/web && npm ci && npm run build")
