"""The single file: written, built by the compiler alone, and telling the same story with every instruction set."""
import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(sys.argv[1]).resolve()
FOLDER = BUILD / "single-file"
TINY = ROOT / "models" / "stories260K.gguf"
STORY = ("run", "-m", TINY, "--temp", "0", "-n", "200", "-p", "")


def run(*command, env=None):
    result = subprocess.run([str(word) for word in command], capture_output=True, text=True,
                            env=os.environ | (env or {}))
    if result.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))} failed:\n{result.stderr[-6000:]}")
    return result.stdout


def build():
    """Writes the file anew, but compiles only if its text has changed."""
    source, command = FOLDER / "ingle.cpp", FOLDER / "ingle"
    written = [FOLDER / "ingle.h", source]
    before = [file.read_text() if file.exists() else None for file in written]
    run(sys.executable, ROOT / "tools/amalgamate", BUILD / "generated", FOLDER)
    if before != [file.read_text() for file in written] or not command.exists():
        command.unlink(missing_ok=True)
        run("c++", "-O3", "-std=c++20", "-pthread", source, "-o", command)
    return command


def main():
    command = build()
    stories = {run(BUILD / "bin" / "ingle", *STORY)}
    kernels = json.loads(run(command, "doctor", "--json"))["kernels_supported"]
    for name in kernels:
        stories.add(run(command, *STORY, env={"INGLE_ISA": name}))
    assert len(stories) == 1, stories
    golden = (Path(os.environ.get("INGLE_FIXTURES") or ROOT.parent / "shared" / "fixtures") /
              "golden/stories260K/llama2c-greedy-200steps.txt")
    if golden.exists():
        assert stories == {golden.read_text().rstrip("\n")}
    verbs = {line.split()[0] for line in run(command).splitlines() if line.startswith("  ")}
    missing = {"run", "tokenize", "detokenize", "inspect", "eval", "bench", "doctor"} - verbs
    assert not missing, missing
    assert json.loads(run(command, "tokenize", "-m", TINY, "-p", "Once", "--ids")) == [1, 403]
    assert "linear" in run(command, "inspect", "--program", TINY)
    print(f"one file, {len(kernels)} instruction sets, one story")


main()
