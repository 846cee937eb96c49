"""The tests in apps/web/test, in Chromium against a server without a model."""
import os
import subprocess
import sys

from toolchain import PAGE, installed, need

chromium = need("chromium", "chromium-browser", "google-chrome")
copy = installed(sys.argv[1])
for name in ("index.html", "csp.txt"):
    (copy / "dist" / name).write_bytes((PAGE / "dist" / name).read_bytes())
environment = {**os.environ, "CHROMIUM": os.environ.get("CHROMIUM", chromium)}
sys.exit(subprocess.run(["node", "--test", "test/all.mjs"], cwd=copy, env=environment).returncode)
