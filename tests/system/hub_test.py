"""Downloads against a hub that cuts, lies, redirects and changes its files."""
import hashlib
import json
import os
import subprocess
import tempfile
import threading
import unittest
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from server_support import Server
from support import COMMAND, CommandTest, TINY, clean_environment, ingle, main

REPO = "someone/tiny-GGUF"
COMMIT = "0123456789abcdef0123456789abcdef01234567"


class Hub(ThreadingHTTPServer):
    """A hub of one repository, with a temper that a test sets."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Answer)
        self.files = {"tiny-Q8_0.gguf": TINY.read_bytes(), "tiny-Q4_K_M.gguf": b"GGUF" + bytes(range(256)) * 4000,
                      "README.md": b"hello"}
        self.commit = COMMIT
        self.asked = []        # (path, range or None) of every GET of a file
        self.cut_after = None  # bytes of a body, then the connection ends
        self.wrong_byte = False
        self.no_ranges = False
        self.redirect_to = None
        self.extra = b""
        self.token = None
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def endpoint(self):
        return f"http://127.0.0.1:{self.server_port}"


class Answer(BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def plain(self, status, body=b"", headers=()):
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def do_HEAD(self):
        self.do_GET()

    def do_GET(self):
        hub = self.server
        if hub.token and self.headers.get("Authorization") != f"Bearer {hub.token}":
            return self.plain(401)
        if self.path.startswith(f"/api/models/{REPO}/revision/"):
            listing = {"sha": hub.commit, "siblings": [{"rfilename": name} for name in hub.files]}
            return self.plain(200, json.dumps(listing).encode())
        prefix = f"/{REPO}/resolve/{hub.commit}/"
        name = self.path.removeprefix(prefix).removeprefix("/cdn/")
        if name not in hub.files:
            return self.plain(404)
        content = hub.files[name]
        digest = hashlib.sha256(content).hexdigest()
        linked = [("X-Linked-Etag", f'"{digest}"'), ("X-Linked-Size", str(len(content))), ("ETag", f'"{digest}"')]
        if hub.redirect_to and self.path.startswith(prefix):
            return self.plain(302, headers=[*linked, ("Location", hub.redirect_to + name)])
        return self.send_file(name, content, linked)

    def send_file(self, name, content, linked):
        hub = self.server
        if hub.wrong_byte:
            content = content[:-1] + bytes([content[-1] ^ 1])
        start = 0
        wanted = self.headers.get("Range")
        if self.command == "GET":
            hub.asked.append((name, wanted))
        if wanted and not hub.no_ranges:
            start = int(wanted.removeprefix("bytes=").removesuffix("-"))
        self.send_response(206 if start else 200)
        for header, value in linked:
            self.send_header(header, value)
        if start:
            self.send_header("Content-Range", f"bytes {start}-{len(content) - 1}/{len(content)}")
        body = content[start:] + hub.extra
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command == "HEAD":
            return
        if hub.cut_after is not None:
            body = body[:hub.cut_after]
            self.close_connection = True
        self.wfile.write(body)


class HubTest(CommandTest):
    def setUp(self):
        self.hub = Hub()
        self.folder = tempfile.TemporaryDirectory()
        self.cache = Path(self.folder.name)
        self.env = {"HF_HUB_CACHE": str(self.cache), "HF_ENDPOINT": self.hub.endpoint(), "HF_TOKEN": "",
                    "HF_HOME": self.folder.name, "HF_HUB_OFFLINE": "", "no_proxy": "*"}
        if b"no libcurl" in ingle("pull", REPO, env=self.env).stderr:
            self.skipTest("this build has no libcurl")
        self.forget()

    def tearDown(self):
        self.hub.shutdown()
        self.hub.server_close()
        self.folder.cleanup()

    def forget(self):
        subprocess.run(["rm", "-rf", *self.cache.iterdir()], check=True)
        self.hub.asked.clear()

    def repo_folder(self):
        return self.cache / "models--someone--tiny-GGUF"

    def pull(self, name=f"{REPO}:Q8_0", *words):
        return Path(self.answer("pull", name, *words, env=self.env).decode().strip())

    def content(self, name="tiny-Q8_0.gguf"):
        return self.hub.files[name]

    def test_a_file_lies_where_the_hubs_own_tools_look_for_it(self):
        path = self.pull()
        self.assertEqual(path, self.repo_folder() / "snapshots" / COMMIT / "tiny-Q8_0.gguf")
        digest = hashlib.sha256(self.content()).hexdigest()
        self.assertEqual(os.readlink(path), f"../../blobs/{digest}")
        self.assertEqual(path.read_bytes(), self.content())
        self.assertEqual((self.repo_folder() / "refs" / "main").read_text(), COMMIT)

    def test_without_a_type_q4_k_m_is_taken_and_types_are_found_by_whole_words(self):
        self.assertEqual(self.pull(REPO).name, "tiny-Q4_K_M.gguf")
        message = self.refused(3, "pull", f"{REPO}:Q4_K", env=self.env)
        self.assertIn("tiny-Q8_0.gguf", message)

    def test_what_is_there_is_not_downloaded_again(self):
        self.pull()
        self.pull()
        self.assertEqual(len(self.hub.asked), 1)

    def test_a_broken_connection_goes_on_where_it_stopped(self):
        self.hub.cut_after = len(self.content()) * 3 // 10
        self.assertEqual(self.pull().read_bytes(), self.content())
        starts = [int(wanted.removeprefix("bytes=").removesuffix("-")) if wanted else 0
                  for _, wanted in self.hub.asked]
        self.assertEqual(starts, [n * self.hub.cut_after for n in range(len(starts))])

    def test_an_interrupted_download_is_taken_up_by_the_next(self):
        digest = hashlib.sha256(self.content()).hexdigest()
        blobs = self.repo_folder() / "blobs"
        blobs.mkdir(parents=True)
        (blobs / f"{digest}.incomplete").write_bytes(self.content()[:1000])
        self.assertEqual(self.pull().read_bytes(), self.content())
        self.assertEqual(self.hub.asked, [("tiny-Q8_0.gguf", "bytes=1000-")])
        self.assertFalse((blobs / f"{digest}.incomplete").exists())

    def test_a_server_without_ranges_starts_anew(self):
        self.hub.no_ranges = True
        digest = hashlib.sha256(self.content()).hexdigest()
        blobs = self.repo_folder() / "blobs"
        blobs.mkdir(parents=True)
        (blobs / f"{digest}.incomplete").write_bytes(b"old and wrong")
        self.assertEqual(self.pull().read_bytes(), self.content())

    def test_a_wrong_byte_is_refused_and_nothing_is_left(self):
        self.hub.wrong_byte = True
        message = self.refused(4, "pull", f"{REPO}:Q8_0", env=self.env)
        self.assertIn("hash", message)
        self.assertEqual([path for path in self.cache.rglob("*") if path.is_file()], [])

    def test_more_bytes_than_promised_are_refused(self):
        self.hub.extra = b"more"
        self.assertIn("promised", self.refused(4, "pull", f"{REPO}:Q8_0", env=self.env))

    def test_a_new_version_takes_the_name_and_the_old_one_stays_until_then(self):
        old = self.pull()
        self.hub.commit = "f" * 40
        self.hub.files["tiny-Q8_0.gguf"] = self.content() + b"new"
        self.hub.wrong_byte = True
        self.refused(4, "pull", f"{REPO}:Q8_0", env=self.env)
        self.assertTrue(old.exists())
        self.assertEqual(self.pull(f"{REPO}:Q8_0", "--offline"), old)
        self.hub.wrong_byte = False
        new = self.pull()
        self.assertEqual(new.read_bytes(), self.content())
        self.assertNotEqual(new, old)
        self.assertTrue(old.exists())

    def test_offline_and_a_hub_that_is_away_both_take_the_cached_model(self):
        path = self.pull()
        self.hub.shutdown()
        self.hub.server_close()
        self.assertEqual(self.pull(f"{REPO}:Q8_0", "--offline"), path)
        done = ingle("pull", f"{REPO}:Q8_0", env=self.env)
        self.assertEqual(done.returncode, 0)
        self.assertIn(b"cached", done.stderr)
        self.refused(3, "pull", f"{REPO}:Q4_K_M", "--offline", env=self.env)

    def test_redirects_are_followed_on_this_hubs_own_host(self):
        self.hub.redirect_to = f"{self.hub.endpoint()}/cdn/"
        self.assertEqual(self.pull().read_bytes(), self.content())

    def test_a_key_is_sent_and_its_lack_is_told(self):
        self.hub.token = "secret"
        self.assertIn("HF_TOKEN", self.refused(2, "pull", f"{REPO}:Q8_0", env=self.env))
        self.env["HF_TOKEN"] = "secret"
        self.assertEqual(self.pull().read_bytes(), self.content())

    def test_two_downloads_at_once_make_one_file(self):
        both = [subprocess.Popen([COMMAND, "pull", f"{REPO}:Q8_0"], env=clean_environment(self.env),
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE) for _ in range(2)]
        for process in both:
            output, errors = process.communicate(timeout=120)
            self.assertEqual(process.returncode, 0, errors)
            self.assertEqual(Path(output.decode().strip()).read_bytes(), self.content())

    def test_paths_that_lead_out_of_the_cache_are_refused(self):
        for name in ("../evil", "a/../../b", "someone/..", f"{REPO}/../x.gguf", "a/b/c/../../../d.gguf"):
            self.refused(2, "pull", name, env=self.env)
        self.hub.files["../../evil-Q5_0.gguf"] = b"x"
        self.refused(3, "pull", f"{REPO}:Q5_0", env=self.env)

    def test_list_and_rm_show_and_free_what_was_downloaded(self):
        path = self.pull()
        self.assertIn("someone/tiny-GGUF/tiny-Q8_0.gguf", self.answer("list", env=self.env).decode())
        entry = json.loads(self.answer("list", "--json", env=self.env))[0]
        self.assertEqual((entry["path"], entry["bytes"]), (str(path), len(self.content())))
        self.answer("rm", f"{REPO}:Q8_0", env=self.env)
        self.assertEqual(self.answer("list", env=self.env), b"")
        self.assertEqual([path for path in self.cache.rglob("*") if path.is_file()], [])

    def test_run_downloads_the_model_it_is_given(self):
        words = ("-p", "Once upon a time", "-n", "4", "--temp", "0")
        there = self.answer("run", "-m", str(TINY), *words, env=self.env)
        self.assertEqual(self.answer("run", "-m", f"{REPO}:Q8_0", *words, env=self.env), there)
        self.assertEqual(self.answer("run", f"{REPO}:Q8_0", "--offline", *words, env=self.env), there)

    def server(self, *flags):
        server = Server(self, "-c", "512", *flags, model=None, environment=self.env)
        names = lambda: [model["id"] for model in server.get("/models")[1]["data"]]
        return server, names

    def test_clients_of_a_server_download_copy_and_delete_where_they_may(self):
        server, names = self.server("--manage-models")
        self.assertEqual(names(), [])
        name = f"{REPO}:Q8_0"
        status, headers, body = server.request("POST", "/api/pull", {"model": name})
        self.assertEqual((status, headers["Content-Type"]), (200, "application/x-ndjson"))
        lines = [json.loads(line) for line in body.splitlines()]
        self.assertEqual((lines[0], lines[-1]), ({"status": "pulling manifest"}, {"status": "success"}))
        size = len(self.content())
        self.assertIn({"status": "pulling tiny-Q8_0.gguf", "digest": "tiny-Q8_0.gguf", "total": size,
                       "completed": size}, lines)
        self.assertEqual(names(), [name])
        words = {"model": name, "prompt": "Once upon a time", "n_predict": 4, "temperature": 0}
        text = server.post("/completion", words)[1]["content"]
        # A second name for the same bytes.
        self.assertEqual(server.request("POST", "/api/copy", {"source": name, "destination": "me/copy"})[0], 200)
        self.assertEqual(names(), ["me/copy:Q8_0", name])
        digest = hashlib.sha256(self.content()).hexdigest()
        self.assertTrue(os.path.samefile(self.repo_folder() / "blobs" / digest,
                                         self.cache / "models--me--copy" / "blobs" / digest))
        self.assertEqual(server.request("POST", "/api/copy", {"source": name, "destination": "me/copy"})[0], 400)
        # Deleted while it is in memory: it leaves, and the copy stays whole.
        self.assertEqual(server.request("DELETE", f"/models?model={name}")[0], 200)
        self.assertEqual(names(), ["me/copy:Q8_0"])
        self.assertFalse(self.repo_folder().exists())
        self.assertEqual(server.post("/completion", words)[0], 404)
        self.assertEqual(server.post("/completion", words | {"model": "me/copy:Q8_0"})[1]["content"], text)
        self.assertEqual(server.request("DELETE", "/api/delete", {"model": "me/copy:Q8_0"})[0], 200)
        self.assertEqual(names(), [])
        self.assertEqual(server.request("DELETE", "/api/delete", {"model": "me/copy:Q8_0"})[0], 404)
        self.assertEqual([path for path in self.cache.rglob("*") if path.is_file()], [])

    def test_a_download_for_a_client_that_goes_wrong_says_so_and_leaves_nothing(self):
        server, names = self.server("--manage-models")
        self.hub.wrong_byte = True
        status, body = server.post("/api/pull", {"model": f"{REPO}:Q8_0", "stream": False})
        self.assertEqual(status, 500)
        self.assertIn("hash", body["error"])
        self.hub.wrong_byte = False
        self.assertEqual(server.post("/models", {"model": f"{REPO}:Q8_0"}), (200, {"success": True}))
        server.until(lambda: [model["status"] for model in server.get("/models")[1]["data"]] == [{"value": "unloaded"}])

    def test_clients_of_a_server_that_does_not_say_so_may_not(self):
        path = self.pull()
        server, names = self.server()
        for method, where in (("POST", "/api/pull"), ("DELETE", "/api/delete"), ("POST", "/models"),
                              ("DELETE", f"/models?model={REPO}:Q8_0")):
            status, _, body = server.request(method, where, {"model": f"{REPO}:Q8_0"})
            self.assertEqual(status, 403)
            self.assertIn(b"--manage-models", body)
        self.assertTrue(path.exists())


if __name__ == "__main__":
    main()
