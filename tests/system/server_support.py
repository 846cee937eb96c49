"""A server under test: started on a free port, read by its log, ended by SIGTERM."""
import http.client
import json
import re
import signal
import socket
import subprocess
import threading
import time

from support import COMMAND, LIMIT_S, TINY, CommandTest, clean_environment, ingle, needs

__all__ = ["LIMIT_S", "TINY", "CommandTest", "Server", "clean_environment", "ingle", "needs"]


class Server:
    """`model` None: none is named; `environment`: added to a clean one."""

    def __init__(self, test, *flags, model=TINY, wait=True, environment=None):
        self.test = test
        self.log = []
        self.process = subprocess.Popen(
            [COMMAND, "serve", *(["-m", str(model)] if model else []), "--port", "0", "-t", "2", *map(str, flags)],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
            env=clean_environment() | (environment or {}), text=True)
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()
        test.addCleanup(self.kill)
        address = self.expect(r"listening at (https?)://(\[.*\]|[0-9.]+):(\d+)")
        self.scheme, self.host, self.port = address[1], address[2].strip("[]"), int(address[3])
        if wait:
            self.expect(r"ready: ")

    def _read(self):
        for line in self.process.stderr:
            self.log.append(line)

    def expect(self, pattern, seconds=60):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            for line in list(self.log):
                if found := re.search(pattern, line):
                    return found
            if self.process.poll() is not None and not self.reader.is_alive():
                break
            time.sleep(0.01)
        self.test.fail(f"expected {pattern!r} in the log, found {''.join(self.log)}")

    @property
    def url(self):
        return f"{self.scheme}://{self.host}:{self.port}"

    def request(self, method, path, body=None, headers=None):
        """(status, headers, body as bytes)"""
        connection = http.client.HTTPConnection(self.host, self.port, timeout=LIMIT_S)
        data = json.dumps(body).encode() if isinstance(body, (dict, list)) else body
        connection.request(method, path, data, headers or {})
        response = connection.getresponse()
        answer = response.status, dict(response.getheaders()), response.read()
        connection.close()
        return answer

    def get(self, path, **headers):
        status, _, body = self.request("GET", path, headers=headers)
        return status, json.loads(body)

    def post(self, path, body, **headers):
        status, _, answer = self.request("POST", path, body, headers)
        return status, json.loads(answer)

    def raw(self, data, seconds=10):
        """All that comes back for these bytes until the server closes."""
        with socket.create_connection((self.host, self.port), timeout=seconds) as client:
            client.sendall(data)
            client.shutdown(socket.SHUT_WR)
            parts = []
            while part := client.recv(65536):
                parts.append(part)
            return b"".join(parts)

    def metric(self, name):
        _, _, text = self.request("GET", "/metrics")
        found = re.search(rf"^{re.escape(name)}(?:{{[^}}]*}})? (\S+)$", text.decode(), re.MULTILINE)
        return float(found[1]) if found else None

    def until(self, condition, seconds=20):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if condition():
                return
            time.sleep(0.02)
        self.test.fail("the server did not come to the expected state: " + "".join(self.log[-20:]))

    def terminate(self):
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(LIMIT_S)

    def kill(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self.reader.join()
        self.process.stderr.close()
