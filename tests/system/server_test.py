"""serve: HTTP as clients good and bad use it, keys, cancellation, shutdown."""
import json
import os
import re
import shutil
import socket
import subprocess
import tempfile
import threading
import time
import unittest
from pathlib import Path

from server_support import LIMIT_S, TINY, CommandTest, Server, ingle
from support import main

HELLO = {"messages": [{"role": "user", "content": "Once upon a time"}], "temperature": 0, "max_tokens": 16}
LONG = {"prompt": "Once", "n_predict": 400, "ignore_eos": True, "temperature": 0}


def events(body):
    """The data of a stream of events, the last of which must be [DONE]."""
    data = [line[6:] for line in body.decode().split("\n") if line.startswith("data: ")]
    assert data[-1] == "[DONE]", data[-1]
    return [json.loads(one) for one in data[:-1]]


class Answers(CommandTest):
    def setUp(self):
        self.server = Server(self, "--metrics", "-np", "4", "-c", "2048")

    def test_the_same_text_whole_and_streamed_on_every_surface(self):
        _, whole = self.server.post("/v1/chat/completions", HELLO)
        text = whole["choices"][0]["message"]["content"]
        self.assertTrue(text)
        self.assertEqual(whole["usage"]["completion_tokens"], 16)
        status, headers, body = self.server.request("POST", "/v1/chat/completions", HELLO | {"stream": True})
        self.assertEqual((status, headers["Content-Type"]), (200, "text/event-stream"))
        streamed = "".join(one["choices"][0]["delta"].get("content") or "" for one in events(body))
        self.assertEqual(streamed, text)
        _, message = self.server.post("/v1/messages", HELLO)
        self.assertEqual(message["content"][0]["text"], text)
        _, lines = self.server.post("/api/chat", {"messages": HELLO["messages"], "stream": False,
                                                  "options": {"temperature": 0, "num_predict": 16}})
        self.assertEqual(lines["message"]["content"], text)
        _, response = self.server.post("/v1/responses", {"input": "Once upon a time", "temperature": 0,
                                                         "max_output_tokens": 16})
        self.assertEqual(response["output"][0]["content"][0]["text"], text)

    def test_a_seed_gives_the_text_that_llama_server_gives(self):
        # What its own tests expect of this model.
        for question, beginning in (("Hey", "But she couldn't"), ("What is the best book", "Suddenly")):
            messages = [{"role": "system", "content": "Book"}, {"role": "user", "content": question}]
            _, answer = self.server.post("/v1/chat/completions", {
                "messages": messages, "temperature": 0.8, "seed": 42, "max_tokens": 8})
            self.assertIn(beginning, answer["choices"][0]["message"]["content"])

    def test_the_same_text_beside_neighbours(self):
        alone = self.server.post("/completion", LONG | {"n_predict": 60})[1]["content"]
        texts = [None] * 8

        def ask(i):
            texts[i] = self.server.post("/completion", LONG | {"n_predict": 60})[1]["content"]

        threads = [threading.Thread(target=ask, args=(i,)) for i in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(set(texts), {alone})

    def test_an_answer_keeps_to_its_schema(self):
        schema = {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"],
                  "additionalProperties": False}
        _, answer = self.server.post("/v1/chat/completions", HELLO | {
            "max_tokens": 60, "response_format": {"type": "json_schema", "json_schema": {"schema": schema}},
            "logit_bias": {}})
        text = answer["choices"][0]["message"]["content"]
        if answer["choices"][0]["finish_reason"] == "stop":
            self.assertTrue(float(json.loads(text)["a"]).is_integer())
        self.assertTrue(text.lstrip().startswith("{"))

    def test_the_context_and_its_limits(self):
        _, props = self.server.get("/props")
        context = props["default_generation_settings"]["n_ctx"]
        status, answer = self.server.post("/completion", {"prompt": [1] + [403] * context, "n_predict": 1})
        self.assertEqual((status, answer["error"]["type"]), (400, "exceed_context_size_error"))
        status, answer = self.server.post("/completion", {"prompt": [1] + [403] * (context - 20), "n_predict": -1,
                                                          "ignore_eos": True})
        self.assertEqual((status, answer["stop_type"]), (200, "limit"))
        status, answer = self.server.post("/completion", {"prompt": "Once", "n_predict": 0})
        self.assertEqual((status, answer["content"], answer["stop_type"]), (200, "", "limit"))

    def test_a_client_that_leaves_frees_its_place(self):
        for stream in (True, False):
            with socket.create_connection((self.server.host, self.server.port)) as client:
                body = json.dumps(LONG | {"stream": stream, "n_predict": -1}).encode()
                client.sendall(b"POST /completion HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n%s"
                               % (len(body), body))
                self.server.until(lambda: self.server.metric("ingle:num_requests_running") > 0 or stream)
                if stream:
                    client.recv(100)
            self.server.until(lambda: self.server.metric("ingle:num_requests_running") == 0)

    def test_a_slow_reader_delays_nobody(self):
        with socket.create_connection((self.server.host, self.server.port)) as slow:
            slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            body = json.dumps(LONG | {"stream": True, "n_probs": 50}).encode()
            slow.sendall(b"POST /completion HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n%s"
                         % (len(body), body))
            for _ in range(5):
                self.assertEqual(self.server.post("/completion", {"prompt": "Once", "n_predict": 4})[0], 200)

    def test_requests_that_are_no_requests(self):
        for data in (b"\0" * 100, b"GET\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"\x16\x03\x01\x02\x00\x01",
                     b"POST /completion HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
                     b"POST /completion HTTP/1.1\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello",
                     b"POST /completion HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"):
            answer = self.server.raw(data)
            self.assertTrue(answer == b"" or answer.startswith(b"HTTP/1.1 4"), (data, answer[:80]))
        self.assertIn(b" 431 ", self.server.raw(b"GET / HTTP/1.1\r\nX: " + b"a" * 100_000 + b"\r\n\r\n")[:40])
        self.assertIn(b" 413 ", self.server.raw(b"POST /completion HTTP/1.1\r\nHost: localhost\r\n"
                                                b"Content-Length: 999999999\r\n\r\n" + b"x" * 1000)[:40])
        self.assertEqual(self.server.get("/health")[0], 200)

    def test_connections_are_kept_and_pipelined_requests_are_answered_in_order(self):
        one = b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n"
        last = b"GET /nothing HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
        with socket.create_connection((self.server.host, self.server.port), timeout=LIMIT_S) as client:
            client.sendall(one + one + last)
            answer = b""
            while part := client.recv(65536):
                answer += part
        self.assertEqual(re.findall(rb"HTTP/1.1 (\d+)", answer), [b"200", b"200", b"404"])

    def test_answers_on_one_connection_are_those_of_their_requests(self):
        import http.client
        connection = http.client.HTTPConnection(self.server.host, self.server.port, timeout=LIMIT_S)
        for i in range(100):
            for path, body, field in (("/v1/embeddings", {"input": f"Once {i}"}, "data"),
                                      ("/tokenize", {"content": "Once"}, "tokens"),
                                      ("/completion", {"prompt": "Once", "n_predict": 2}, "content")):
                connection.request("POST", path, json.dumps(body))
                answer = json.loads(connection.getresponse().read())
                self.assertIn(field, answer, path)
        connection.close()

    def test_a_client_that_waits_for_100_continue_gets_it(self):
        body = json.dumps({"content": "Once"}).encode()
        with socket.create_connection((self.server.host, self.server.port), timeout=LIMIT_S) as client:
            client.sendall(b"POST /tokenize HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\n"
                           b"Content-Length: %d\r\nConnection: close\r\n\r\n" % len(body))
            self.assertIn(b"100 Continue", client.recv(1000))
            client.sendall(body)
            answer = b""
            while part := client.recv(65536):
                answer += part
        self.assertTrue(answer.startswith(b"HTTP/1.1 200"), answer)

    def test_metrics_are_what_prometheus_reads(self):
        self.server.post("/completion", LONG | {"n_predict": 5})
        _, headers, text = self.server.request("GET", "/metrics")
        self.assertTrue(headers["Content-Type"].startswith("text/plain; version=0.0.4"))
        for line in text.decode().splitlines():
            self.assertRegex(line, r'^(# (HELP|TYPE) \S+ .+|[a-z0-9_:]+(\{[^}]*\})? [-+0-9.eEInfNa]+)$')
        self.assertEqual(self.server.metric("llamacpp:tokens_predicted_total"), 5)
        self.assertEqual(self.server.metric("llamacpp:prompt_tokens_cached_total"), 0)
        self.server.post("/completion", LONG | {"n_predict": 5})
        self.assertGreater(self.server.metric("llamacpp:prompt_tokens_cached_total"), 0)
        self.assertEqual(self.server.metric("llamacpp:n_busy_slots_per_decode"), 1)
        self.assertEqual(self.server.metric("llamacpp:spec_decode_num_drafts_total"), 0)
        _, stats = self.server.get("/v1/stats")
        self.assertEqual(stats["latency_seconds"]["ttft"]["1m"]["count"], 2)

    def test_every_request_is_a_line_of_json_in_the_log(self):
        trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
        _, headers, _ = self.server.request("POST", "/completion", LONG | {"n_predict": 3},
                                            {"X-Request-Id": "abc", "traceparent": trace})
        self.assertEqual(headers["X-Request-Id"], "abc")
        self.assertEqual(headers["traceparent"].split("-")[1], trace.split("-")[1])
        self.assertNotEqual(headers["traceparent"], trace)
        line = self.server.expect(r'^\{.*"id":"abc".*\}')[0]
        self.assertEqual(json.loads(line)["tokens"], 3)


class Templates(CommandTest):
    TEMPLATE = "{{ functions }}|{{ datetime }}|{% if not enable_thinking %}quiet{% else %}thinks{% endif %}"
    HI = {"messages": [{"role": "user", "content": "Hi"}]}

    def prompt(self, server, more):
        status, answer = server.post("/apply-template", self.HI | more)
        self.assertEqual(status, 200, answer)
        return answer["prompt"].split("|")

    def test_a_template_finds_what_it_asks_for(self):
        server = Server(self, "--chat-template", self.TEMPLATE)
        clock = {"name": "clock", "parameters": {"type": "object"}}
        tools = {"tools": [{"type": "function", "function": clock}]}
        functions, day, mood = self.prompt(server, tools)
        self.assertEqual(json.loads(functions), [clock])
        self.assertRegex(day, r"^[A-Z][a-z]{2} \d\d 20\d\d$")
        self.assertEqual(mood, "thinks")
        self.assertEqual(json.loads(self.prompt(server, {})[0]), [])
        quiet = {"chat_template_kwargs": {"enable_thinking": False, "functions": "none"}}
        self.assertEqual(self.prompt(server, quiet)[::2], ["none", "quiet"])

    def test_thinking_can_be_switched_off(self):
        server = Server(self, "--chat-template", self.TEMPLATE, "--reasoning", "off")
        self.assertEqual(self.prompt(server, {})[2], "quiet")


class Safety(CommandTest):
    def test_another_machine_needs_a_key(self):
        message = self.refused(2, "serve", "-m", TINY, "--host", "0.0.0.0", "--port", "0")
        self.assertIn("--api-key", message)

    def test_keys_are_asked_for_everywhere_but_at_health(self):
        server = Server(self, "--api-key", "sk-1,sk-2")
        self.assertEqual(server.get("/health")[0], 200)
        self.assertEqual(server.get("/v1/models")[0], 401)
        self.assertEqual(server.get("/nothing")[0], 401)
        self.assertEqual(server.get("/v1/models", Authorization="Bearer sk-2")[0], 200)
        self.assertNotIn("sk-2", "".join(server.log))

    @unittest.skipUnless(shutil.which("openssl"), "openssl is not installed: TLS was not tried")
    def test_tls(self):
        with tempfile.TemporaryDirectory() as folder:
            key, certificate = Path(folder, "key.pem"), Path(folder, "certificate.pem")
            subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out",
                            certificate, "-days", "1", "-subj", "/CN=localhost"], check=True, capture_output=True)
            server = Server(self, "--ssl-key-file", key, "--ssl-cert-file", certificate)
            import ssl
            context = ssl.create_default_context(cafile=str(certificate))
            context.check_hostname = False
            with context.wrap_socket(socket.create_connection((server.host, server.port))) as client:
                client.sendall(b"GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                answer = b""
                while part := client.recv(65536):
                    answer += part
            self.assertTrue(answer.startswith(b"HTTP/1.1 200"), answer)

    def test_a_unix_socket(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "ingle.sock")
            Server(self, "--host", f"127.0.0.1,{path}")
            with socket.socket(socket.AF_UNIX) as client:
                client.connect(path)
                client.sendall(b"GET /health HTTP/1.1\r\nConnection: close\r\n\r\n")
                self.assertIn(b"200 OK", client.recv(1000))


class Endings(CommandTest):
    def test_sigterm_lets_an_answer_end_and_exits_with_0(self):
        server = Server(self, "--metrics")
        answer = []
        thread = threading.Thread(target=lambda: answer.append(server.post("/completion", LONG)))
        thread.start()
        server.until(lambda: server.metric("ingle:num_requests_running") > 0 or answer)
        self.assertEqual(server.terminate(), 0)
        thread.join()
        self.assertEqual(answer[0][0], 200)
        self.assertEqual(answer[0][1]["tokens_predicted"], 400)

    def test_answers_longer_than_the_deadline_end_with_an_error(self):
        server = Server(self, "--drain-timeout", "0", "-c", "100000")
        with socket.create_connection((server.host, server.port), timeout=LIMIT_S) as client:
            body = json.dumps(LONG | {"stream": True, "n_predict": -1}).encode()
            client.sendall(b"POST /v1/completions HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n%s"
                           % (len(body), body))
            client.recv(100)
            begun = time.monotonic()
            self.assertEqual(server.terminate(), 0)
            self.assertLess(time.monotonic() - begun, 10)
            rest = b""
            while part := client.recv(65536):
                rest += part
        self.assertIn(b'data: {"error"', rest[-400:])

    def test_a_model_that_cannot_be_loaded_is_named(self):
        done = ingle("serve", "-m", __file__, "--port", "0")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn(b"error: ", done.stderr)

    def test_a_port_that_is_taken_is_named(self):
        server = Server(self)
        done = ingle("serve", "-m", TINY, "--port", server.port)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn(str(server.port).encode(), done.stderr)


if __name__ == "__main__":
    main()
