"""The page as `ingle serve` sends it, with a tiny model, in Chromium."""
import os
import subprocess
import sys
from pathlib import Path

from toolchain import PAGE, ROOT, SKIPPED, installed, need

command = os.path.join(os.path.abspath(sys.argv[1]), "bin", "ingle")
if "INGLE_BOOST_INCLUDE-NOTFOUND" in (Path(sys.argv[1]) / "CMakeCache.txt").read_text():
    print("this build has no server (Boost was not found)")
    sys.exit(SKIPPED)
chromium = need("chromium", "chromium-browser", "google-chrome")
copy = installed(sys.argv[1])
for name in ("index.html", "csp.txt"):
    (copy / "dist" / name).write_bytes((PAGE / "dist" / name).read_bytes())
environment = {**os.environ, "INGLE": command, "MODEL": str(ROOT / "models" / "stories260K.gguf"),
               "CHROMIUM": os.environ.get("CHROMIUM", chromium)}
sys.exit(subprocess.run(["node", "--test", "test/served.mjs"], cwd=copy, env=environment).returncode)
