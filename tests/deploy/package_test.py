"""The Debian package holds the command, its pages, completions and service, and the command in it runs."""
import gzip
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

BUILD = Path(sys.argv[1]).resolve()

if not (shutil.which("dpkg-deb") and shutil.which("cpack")):
    print("dpkg-deb or cpack is not installed: the package is not tested")
    sys.exit(77)


def run(*words):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True)
    assert done.returncode == 0, f"{words}: {done.stdout[-2000:]}{done.stderr[-2000:]}"
    return done.stdout


with tempfile.TemporaryDirectory() as scratch:
    folder = Path(scratch)
    run("cpack", "-G", "DEB", "--config", BUILD / "CPackConfig.cmake", "-B", folder / "made")
    [package] = (folder / "made").glob("ingle_*.deb")
    root = folder / "root"
    run("dpkg-deb", "-R", package, root)

    assert run(root / "usr/bin/ingle", "--version").startswith("ingle ")
    verbs = [line.split()[0] for line in run(root / "usr/bin/ingle").splitlines()
             if line.startswith("  ") and not line.startswith("  ingle")]
    pages = {path.name for path in (root / "usr/share/man/man1").iterdir()}
    assert pages == {"ingle.1.gz"} | {f"ingle-{verb}.1.gz" for verb in verbs}, pages
    assert gzip.decompress((root / "usr/share/man/man1/ingle.1.gz").read_bytes()).startswith(b".TH INGLE 1")
    for file in ("usr/share/bash-completion/completions/ingle", "usr/share/zsh/vendor-completions/_ingle",
                 "usr/share/fish/vendor_completions.d/ingle.fish", "usr/share/doc/ingle/copyright",
                 "usr/share/doc/ingle/changelog.gz", "usr/lib/systemd/system/ingle.service",
                 "usr/lib/ingle/healthy", "etc/ingle/ingle.env", "usr/share/ingle/grafana.json"):
        assert (root / file).stat().st_size > 0, file

    control = (root / "DEBIAN/control").read_text()
    for line in ("Package: ingle", "Architecture: ", "Description: runs large language models"):
        assert line in control, control
    assert (root / "DEBIAN/conffiles").read_text() == "/etc/ingle/ingle.env\n"
    for script in ("postinst", "prerm", "postrm"):
        run("sh", "-n", root / "DEBIAN" / script)
    # Nothing of the tree or of the tests went along.
    outside = [path for path in root.rglob("*") if path.is_file() and path.relative_to(root).parts[0] not in
               ("usr", "etc", "DEBIAN")]
    assert not outside, outside
