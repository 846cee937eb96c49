"""serve with several models: loaded by name, taken out of memory again, seen by ps and stop."""
import json
import shutil
import tempfile
import threading
import unittest
from pathlib import Path

from server_support import TINY, CommandTest, Server, ingle
from support import main

HELLO = {"prompt": "Once upon a time", "n_predict": 8, "temperature": 0}


class Folder(CommandTest):
    """A folder with three models: two copies, and one in parts' own folder; and a file that is none."""

    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        (self.folder / "models" / "grouped").mkdir(parents=True)
        for name in ("one.gguf", "two.gguf", "grouped/any.gguf", "mmproj-one.gguf"):
            (self.folder / "models" / name).symlink_to(TINY)
        (self.folder / "models" / "broken.gguf").write_bytes(TINY.read_bytes()[:1000])
        (self.folder / "models" / "note.txt").write_text("no model")

    def serve(self, *flags, model=None, **more):
        # Nothing that was downloaded on this machine.
        return Server(self, "-c", "512", *flags, model=model, environment={"HF_HUB_CACHE": str(self.folder / "hub")},
                      **more)

    def states(self, server, path="/models"):
        _, answer = server.get(path)
        return {model["id"]: model["status"]["value"] for model in answer["data"]}

    def until(self, server, name, state):
        server.until(lambda: self.states(server)[name] == state)


class Router(Folder):
    def test_requests_choose_by_name_and_models_are_loaded_for_them(self):
        server = self.serve("--models-dir", self.folder / "models", "--metrics")
        self.assertEqual(server.get("/health")[0], 200)
        self.assertEqual(self.states(server), dict.fromkeys(["broken", "grouped", "one", "two"], "unloaded"))
        status, first = server.post("/completion", HELLO | {"model": "one"})
        self.assertEqual((status, first["model"]), (200, "one"), first)
        self.assertEqual(server.post("/completion", HELLO | {"model": "two"})[1]["content"], first["content"])
        self.assertEqual(self.states(server) | {"broken": ""},
                         {"broken": "", "grouped": "unloaded", "one": "loaded", "two": "loaded"})
        for name, answer in {"nobody": 404, "broken": 500, "": 400}.items():
            status, body = server.post("/completion", HELLO | {"model": name})
            self.assertEqual(status, answer, body)
        self.assertEqual(server.post("/completion", HELLO)[0], 400)
        self.assertEqual(server.post("/v1/chat/completions", {"model": "nobody", "messages": []})[1]["error"]["code"],
                         "model_not_found")
        # The one that could not be loaded is told with its reason; the others go on.
        broken = [model for model in server.get("/models")[1]["data"] if model["id"] == "broken"][0]
        self.assertTrue(broken["status"]["failed"])
        self.assertEqual(server.post("/completion", HELLO | {"model": "one"})[0], 200)
        text = server.request("GET", "/metrics")[2].decode()
        for line in ('ingle:model_loaded{model_name="one"} 1', 'llamacpp:tokens_predicted_total{model_name="one"} 16'):
            self.assertIn(line, text)
        self.assertEqual(text.count("# TYPE ingle:request_success_total "), 1)

    def test_every_surface_of_several_models(self):
        server = self.serve("--models-dir", self.folder / "models")
        chat = {"model": "one", "messages": [{"role": "user", "content": "Hi"}], "max_tokens": 4}
        for path in ("/v1/chat/completions", "/v1/messages"):
            self.assertEqual(server.post(path, chat)[1]["model"], "one", path)
        self.assertEqual(server.post("/api/chat", chat | {"model": "two:latest", "stream": False})[0], 200)
        self.assertEqual(server.post("/v1/embeddings", {"model": "grouped", "input": "Hi"})[0], 200)
        self.assertEqual({model["name"] for model in server.get("/api/ps")[1]["models"]}, {"one", "two", "grouped"})
        self.assertEqual({model["name"] for model in server.get("/api/tags")[1]["models"]},
                         {"one", "two", "grouped", "broken"})
        self.assertEqual(server.post("/api/show", {"model": "one"})[1]["details"]["family"], "llama")
        self.assertEqual(server.post("/api/show", {"model": "nobody"})[0], 404)
        props = server.get("/props")[1]
        self.assertEqual((props["role"], props["models_autoload"], props["max_instances"]), ("router", True, 4))
        self.assertEqual(server.get("/props?model=one")[1]["model_alias"], "one")
        self.assertEqual(server.get("/v1/stats?model=one")[1]["model"], "one")

    def test_the_least_recently_used_one_goes_and_answers_under_way_are_not_cut(self):
        server = self.serve("--models-dir", self.folder / "models", "--models-max", "1")
        long = HELLO | {"n_predict": 300, "ignore_eos": True}
        alone = server.post("/completion", long | {"model": "one"})[1]["content"]
        answers = {}

        def ask(name, body):
            answers[name] = server.post("/completion", body | {"model": name})

        threads = [threading.Thread(target=ask, args=(name, long)) for name in ("one", "two", "grouped")]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual({name: answer[0] for name, answer in answers.items()}, dict.fromkeys(answers, 200))
        self.assertEqual({answer[1]["content"] for answer in answers.values()}, {alone})
        self.assertEqual(list(self.states(server).values()).count("loaded"), 1)

    def test_loading_and_unloading_by_request_and_by_the_command(self):
        server = self.serve("--models-dir", self.folder / "models", "--no-models-autoload")
        status, answer = server.post("/completion", HELLO | {"model": "one"})
        self.assertEqual((status, "not loaded" in answer["error"]["message"]), (400, True), answer)
        self.assertEqual(server.post("/models/load", {"model": "one"}), (200, {"success": True}))
        self.until(server, "one", "loaded")
        self.assertEqual(server.post("/completion", HELLO | {"model": "one"})[0], 200)
        self.assertEqual(server.post("/models/unload", {"model": "one"}), (200, {"success": True}))
        self.until(server, "one", "unloaded")
        for path in ("/models/load", "/models/unload"):
            self.assertEqual(server.post(path, {"model": "nobody"})[0], 404)
            self.assertEqual(server.post(path, {})[0], 400)

    def test_ps_and_stop_talk_to_the_server(self):
        server = self.serve("--models-dir", self.folder / "models")
        server.post("/completion", HELLO | {"model": "one"})
        port = ("--port", server.port)
        shown = ingle("ps", *port)
        if b"no libcurl" in shown.stderr:
            self.skipTest("a build without libcurl")
        self.assertIn(b"one", shown.stdout)
        self.assertNotIn(b"two", shown.stdout)
        listed = json.loads(ingle("ps", "--all", "--json", *port).stdout)
        self.assertEqual({model["name"]: model["status"] for model in listed}["two"], "unloaded")
        self.assertEqual(ingle("stop", "one", *port).returncode, 0)
        self.until(server, "one", "unloaded")
        failed = ingle("stop", "nobody", *port)
        self.assertNotEqual(failed.returncode, 0)
        self.assertIn(b"there is no model 'nobody'", failed.stderr)

    def test_ollamas_keep_alive(self):
        server = self.serve("--models-dir", self.folder / "models")
        self.assertEqual(server.post("/api/generate", {"model": "one"})[1]["done_reason"], "load")
        self.assertEqual(self.states(server)["one"], "loaded")
        self.assertEqual(server.post("/api/generate", {"model": "one", "keep_alive": 0})[1]["done_reason"], "unload")
        self.until(server, "one", "sleeping")
        asked = {"model": "two", "prompt": "Hi", "stream": False, "options": {"num_predict": 2}}
        self.assertEqual(server.post("/api/generate", asked | {"keep_alive": "1h"})[0], 200)
        self.assertNotIn("2318", server.get("/api/ps")[1]["models"][0]["expires_at"])
        self.assertEqual(server.post("/api/generate", asked | {"keep_alive": -1})[0], 200)
        self.assertIn("2318", server.get("/api/ps")[1]["models"][0]["expires_at"])
        self.assertEqual(server.post("/api/generate", asked | {"keep_alive": "soon"})[0], 400)

    def test_several_m_and_a_presets_file_read_again(self):
        presets = self.folder / "presets.ini"
        presets.write_text(f"[*]\nctx-size = 256\n[writer]\nmodel = {TINY}\nalias = pen\ntemp = 0\n"
                           f"[early]\nmodel = {TINY}\nload-on-startup = true\nctx-size = 128\n")
        server = Server(self, "-m", self.folder / "models" / "two.gguf", "--models-preset", presets,
                        model=self.folder / "models" / "one.gguf",
                        environment={"HF_HUB_CACHE": str(self.folder / "hub")})
        self.assertEqual(set(self.states(server)), {"one", "two", "writer", "early"})
        self.until(server, "early", "loaded")
        self.assertEqual(server.get("/props?model=early")[1]["default_generation_settings"]["n_ctx"], 128)
        self.assertEqual(server.post("/completion", {"model": "pen", "prompt": "Once", "n_predict": 2})[0], 200)
        self.assertEqual(server.get("/props?model=writer")[1]["default_generation_settings"]["n_ctx"], 256)
        presets.write_text(f"[writer]\nmodel = {TINY}\nctx-size = 64\n[late]\nmodel = {TINY}\n")
        self.assertEqual(set(self.states(server, "/models?reload=1")), {"one", "two", "writer", "late"})
        self.assertEqual(server.post("/completion", {"model": "writer", "prompt": "Once", "n_predict": 2})[0], 200)
        self.assertEqual(server.get("/props?model=writer")[1]["default_generation_settings"]["n_ctx"], 64)
        presets.write_text("[late]\nhost = 1\n")
        status, answer = server.get("/models?reload=1")
        self.assertEqual(status, 400)
        self.assertIn("line 2: 'host'", answer["error"]["message"])

    def test_what_makes_no_sense_is_refused_at_the_start(self):
        one = ("-m", TINY)
        for flags, words in {
            (*one, *one): b"two models have the name",
            (*one, "-m", self.folder / "models" / "one.gguf", "--alias", "x"): b"--alias names one model",
            ("--models-dir", self.folder / "nothing"): b"is no folder",
            ("--models-preset", self.folder / "nothing.ini"): b"nothing.ini",
        }.items():
            failed = ingle("serve", "--port", "0", *flags)
            self.assertNotEqual(failed.returncode, 0)
            self.assertIn(words, failed.stderr)


class Sleep(Folder):
    def test_the_only_model_sleeps_and_wakes(self):
        server = self.serve("--sleep-idle-seconds", "0", "--metrics", model=TINY)
        asleep = lambda: server.get("/props")[1]["is_sleeping"]
        server.until(asleep)
        self.assertEqual(server.get("/health")[0], 200)
        self.assertEqual(len(server.get("/models")[1]["data"]), 1)
        self.assertEqual(server.get("/slots")[1], [])
        first = server.post("/completion", HELLO)
        self.assertEqual(first[0], 200)
        server.until(asleep)
        self.assertEqual(server.metric("llamacpp:tokens_predicted_total"), 8)
        self.assertTrue(asleep())
        self.assertEqual(server.post("/completion", HELLO)[1]["content"], first[1]["content"])
        stream = server.request("POST", "/completion", HELLO | {"stream": True})
        self.assertEqual((stream[0], stream[1]["Content-Type"]), (200, "text/event-stream"))
        self.assertEqual(server.terminate(), 0)


if __name__ == "__main__":
    main()
