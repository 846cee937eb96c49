"""What deploy/ says of flags, metrics and paths is so; systemd and YAML's reader take the files where they are there."""
import http.server
import json
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"
COMMAND = Path(sys.argv[1]).resolve() / "bin" / "ingle"
UNIT = (DEPLOY / "ingle.service").read_text()


def serve_page():
    done = subprocess.run([COMMAND, "help", "serve"], capture_output=True, text=True)
    return done.stdout if done.returncode == 0 else ""


class Truth(unittest.TestCase):
    def test_every_metric_named_here_is_one_of_the_server(self):
        source = ROOT / "apps/server/endpoints/metrics.cpp"
        if not source.exists():
            self.skipTest("this tree has no /metrics")
        known = set(re.findall(r'"(ingle:\w+)"', source.read_text()))
        for name in ("grafana.json", "alerts.yaml"):
            used = re.findall(r"ingle:\w+", (DEPLOY / name).read_text())
            self.assertGreater(len(used), 5)
            for metric in used:
                self.assertIn(re.sub(r"_(bucket|sum|count)$", "", metric), known, name)

    def test_every_variable_named_here_is_a_flag_of_serve(self):
        page = serve_page()
        if not page:
            self.skipTest("this build has no serve")
        files = [DEPLOY / "Dockerfile", DEPLOY / "ingle.env", *(DEPLOY / "kubernetes").iterdir()]
        for file in files:
            for name in re.findall(r"\bINGLE_([A-Z_]+)", file.read_text()):
                if name == "SOME_NAME" or f"INGLE_{name}=OFF" in file.read_text():
                    continue
                self.assertRegex(page, rf"--{name.lower().replace('_', '-')}\b", file.name)

    def test_the_waiting_times_leave_room_for_the_drain(self):
        drain = 30
        self.assertGreater(int(re.search(r"TimeoutStopSec=(\d+)", UNIT)[1]), drain)
        pod = (DEPLOY / "kubernetes/deployment.yaml").read_text()
        grace = int(re.search(r"terminationGracePeriodSeconds: (\d+)", pod)[1])
        pause = int(re.search(r'command: \[sleep, "(\d+)"\]', pod)[1])
        self.assertEqual(int(re.search(r'INGLE_DRAIN_TIMEOUT\s+value: "(\d+)"', pod)[1]), drain)
        self.assertGreater(grace, drain + pause)

    def test_the_dashboard_has_its_panels_side_by_side(self):
        board = json.loads((DEPLOY / "grafana.json").read_text())
        taken = set()
        for panel in board["panels"]:
            place = panel["gridPos"]
            cells = {(x, y) for x in range(place["x"], place["x"] + place["w"])
                     for y in range(place["y"], place["y"] + place["h"])}
            self.assertFalse(cells & taken, panel["title"])
            self.assertLessEqual(place["x"] + place["w"], 24)
            taken |= cells
        self.assertEqual(len({panel["id"] for panel in board["panels"]}), len(board["panels"]))


class Readers(unittest.TestCase):
    def test_yaml_is_well_formed(self):
        try:
            import yaml
        except ImportError:
            self.skipTest("python3-yaml is not installed")
        kinds = set()
        for file in [DEPLOY / "alerts.yaml", *(DEPLOY / "kubernetes").glob("*.yaml")]:
            for document in yaml.safe_load_all(file.read_text()):
                kinds.add(document.get("kind"))
        self.assertLessEqual({"Deployment", "Service", "PersistentVolumeClaim", "Kustomization"}, kinds)

    @unittest.skipUnless(shutil.which("systemd-analyze"), "systemd-analyze is not installed")
    def test_systemd_takes_the_unit_and_finds_it_well_closed(self):
        with tempfile.TemporaryDirectory() as folder:
            unit = Path(folder) / "ingle.service"
            # Both are looked for on this machine, where the package is not installed.
            unit.write_text(UNIT.replace("/usr/bin/ingle", str(COMMAND)).replace("man:ingle-serve(1)", "man:true(1)"))
            done = subprocess.run(["systemd-analyze", "verify", "--man=no", unit], capture_output=True, text=True)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            done = subprocess.run(["systemd-analyze", "security", "--offline=true", "--threshold=25", unit],
                                  capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stdout[-600:] + done.stderr)


class Health(unittest.TestCase):
    def ask(self, status):
        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                self.send_response(status if self.path == "/health" else 404)
                self.end_headers()

            def log_message(self, *_):
                pass

        with http.server.HTTPServer(("127.0.0.1", 0), Handler) as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            done = subprocess.run([DEPLOY / "healthy", str(server.server_port)], capture_output=True, timeout=30)
            server.shutdown()
        return done.returncode

    def test_the_check_succeeds_only_while_the_server_is_ready(self):
        self.assertEqual(self.ask(200), 0)
        self.assertNotEqual(self.ask(503), 0)

    def test_the_check_fails_where_nobody_listens(self):
        done = subprocess.run([DEPLOY / "healthy", "1"], capture_output=True, timeout=30)
        self.assertNotEqual(done.returncode, 0)


unittest.main(argv=sys.argv[:1])
