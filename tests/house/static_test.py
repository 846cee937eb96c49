"""The static command needs no shared library and answers."""
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
COMMAND = Path(sys.argv[1]) / "bin" / "ingle_static"

needed = subprocess.run(["readelf", "-d", COMMAND], capture_output=True, text=True)
assert "NEEDED" not in needed.stdout, needed.stdout
story = subprocess.run([COMMAND, "run", "-m", ROOT / "models/stories260K.gguf", "--temp", "0", "-n", "5",
                        "-p", "Once upon a time"], capture_output=True, text=True)
assert story.stdout.startswith(", there was"), story
