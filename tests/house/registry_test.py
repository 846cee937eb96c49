"""Drops one new part of every kind into a copy of the tree, as tools/new stamps them, touching no other file;
builds, runs the parts' own tests, and finds each at work in the command."""
import filecmp
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(sys.argv[1]).resolve()
TREE = BUILD / "registry-proof"
COPIED = ("CMakeLists.txt", "CHANGELOG.md", "cmake", "src", "apps", "include", "docs", "tools",
          "tests/CMakeLists.txt", "tests/support", "tests/cli/CMakeLists.txt", "tests/server/CMakeLists.txt",
          "tests/server/support.h", "tests/server/support.cpp", "tests/server/fake_engine.h",
          "tests/sampling/sampling_support.h", "tests/quant/format_test.cpp")
PARTS = {"verb": "dummy_verb", "sampler": "dummy_sampler", "architecture": "dummy", "format": "q8_1",
         "op": "dummy_op", "kernel": "dummy_op", "endpoint": "dummy_endpoint"}


def copy_tree():
    """The tree as it is, keeping the times of what did not change, so that a second run builds nothing."""
    wanted = set()
    for entry in COPIED:
        source = ROOT / entry
        files = source.rglob("*") if source.is_dir() else [source]
        for file in files:
            if file.is_file() and not {"__pycache__", "node_modules"} & set(file.parts):
                target = TREE / file.relative_to(ROOT)
                wanted.add(target)
                if not (target.exists() and filecmp.cmp(file, target, shallow=False)):
                    target.parent.mkdir(parents=True, exist_ok=True)
                    shutil.copy2(file, target)
    return wanted


def run(*command, **options):
    result = subprocess.run([str(word) for word in command], capture_output=True, text=True, **options)
    if result.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))} failed:\n{result.stdout[-4000:]}{result.stderr[-4000:]}")
    return result.stdout


def stamp_parts():
    """Every part that is not there yet; all files that belong to parts."""
    stamped = set()
    for kind, name in PARTS.items():
        skeleton = TREE / "tools" / "skeletons" / kind
        files = [TREE / str(path.relative_to(skeleton)).replace("NAME", name)
                 for path in skeleton.rglob("*") if path.is_file()]
        kept = {file: (file.read_text(), file.stat()) for file in files if file.exists()}
        for file in kept:
            file.unlink()
        run(sys.executable, TREE / "tools/new", kind, name)
        for file, (text, status) in kept.items():
            if file.read_text() == text:
                os.utime(file, ns=(status.st_atime_ns, status.st_mtime_ns))
        stamped |= set(files)
    return stamped


def prove_with_a_model(command):
    """The bundled model, renamed to the new architecture, tells its story; the new sampler changes it."""
    tiny = ROOT / "models" / "stories260K.gguf"
    renamed = TREE / "build" / "dummy.gguf"
    name = b"general.architecture\x08\0\0\0\x05\0\0\0\0\0\0\0"
    data = tiny.read_bytes().replace(name + b"llama", name + b"dummy").replace(b"llama.", b"dummy.")
    renamed.write_bytes(data)
    story = ("run", "-p", "Once upon a time", "-n", "30", "--seed", "1", "-m")
    told = run(command, *story, renamed, "--temp", "0")
    assert told.startswith(", there was") and told == run(command, *story, tiny, "--temp", "0")
    order = ("--samplers", "dummy_sampler;temperature", "--temp", "1")
    assert (run(command, *story, renamed, *order, "--dummy-sampler", "0")
            != run(command, *story, renamed, *order, "--dummy-sampler", "99"))


def main():
    wanted = copy_tree() | stamp_parts()
    for file in TREE.rglob("*"):
        if file.is_file() and file not in wanted and TREE / "build" not in file.parents:
            file.unlink()

    build = TREE / "build"
    os.environ.update(CCACHE_BASEDIR=str(TREE), CCACHE_NOHASHDIR="1")
    run("cmake", "-G", "Ninja", "-S", TREE, "-B", build, "-DINGLE_TESTS=ON", "-DINGLE_SHARED=OFF",
        "-DINGLE_WERROR=ON")
    run("nice", "ninja", "-C", build)
    run("ctest", "--test-dir", build, "--output-on-failure", "--no-tests=error")

    command = build / "bin" / "ingle"
    found = json.loads(run(command, "doctor", "--json"))
    assert "Q8_1" in found["formats"], found
    assert "dummy" in found["architectures"], found
    assert "dummy_sampler" in found["samplers"], found
    prove_with_a_model(command)
    assert run(command, "dummy-verb", "--count", "2") == "dummy-verb\ndummy-verb\n"
    assert "dummy-verb" in run(command)
    print(f"{len(PARTS)} parts added by their files alone, built and found working")


main()
