"""A real server in a thread, with views that show what reached the application, and a client that speaks raw bytes."""

import json
import re
import socket
import threading
import time

from flask import Flask, Response, request

from svc.core.body import body_limit
from svc.core.limits import ServiceLimits
from svc.server.http import Server, body_rules
from svc.server.intake import Intake
from svc.server.proxy import TrustedProxies, networks
from svc.server.serve import listen

LIMITS = ServiceLimits(request_body_bytes=1000, upload_bytes=5000)
TRUSTED = networks(["127.0.0.1", "10.0.0.0/8", "::1"])


class Stage:
    """What the views of a running server use to talk with the test."""

    def __init__(self):
        self.gone = threading.Event()
        self.started = threading.Event()
        self.release = threading.Event()


def make_app(stage):
    app = Flask("under_test")

    @app.post("/json")
    def read_all():
        return {"bytes": len(request.get_data())}

    @app.put("/upload")
    @body_limit("upload_bytes", needs_length=True)
    def upload():
        return {"bytes": len(request.get_data())}

    @app.post("/large")
    @body_limit(1_000_000)
    def large():
        return {"bytes": len(request.get_data())}

    @app.get("/who")
    def who():
        forwarded = sorted(name for name, _ in request.headers if "orwarded" in name)
        return {"address": request.remote_addr, "scheme": request.scheme, "forwarded": forwarded}

    add_lasting_views(app, stage)
    return app


def add_lasting_views(app, stage):
    @app.get("/slow")
    def slow():
        stage.started.set()
        stage.release.wait(20)
        return {"slow": True}

    @app.get("/stream")
    def stream():
        over = threading.Event()
        request.environ["httpd.on_gone"].append(stage.gone.set)
        request.environ["httpd.on_gone"].append(over.set)

        def lines():
            yield b"retry: 1\n\n"
            stage.started.set()
            while not over.is_set() and not stage.release.wait(0.02):
                pass
            yield b"data: end\n\n"

        return Response(lines(), mimetype="text/event-stream")

    @app.get("/endless")
    def endless():
        request.environ["httpd.on_gone"].append(stage.gone.set)
        return Response(b"x" * 100_000 for _ in range(1000))

    @app.get("/broken")
    def broken():
        def lines():
            raise ValueError("broken")
            yield b""

        return Response(lines())


class Running:
    """A server in a thread. `on_stop` releases the stage, as the real one ends the streams."""

    def __init__(self, threads=4):
        self.stage = Stage()
        listener = listen("127.0.0.1", 0)
        self.port = listener.getsockname()[1]
        app = make_app(self.stage)
        self.intake = Intake(0, lambda peer, headers: (peer, 2))
        rules = body_rules(app, LIMITS)
        self.server = Server(TrustedProxies(app, TRUSTED), listener, rules, self.intake, threads=threads)
        self.thread = threading.Thread(target=self.server.run, args=(self.stage.release.set,), daemon=True)
        self.thread.start()

    def stop(self):
        self.server.stop()
        self.thread.join(20)
        assert not self.thread.is_alive()

    def wait_for(self, holds, seconds=20):
        end = time.monotonic() + seconds
        while not holds():
            assert time.monotonic() < end
            time.sleep(0.01)

    def connect(self):
        return socket.create_connection(("127.0.0.1", self.port), timeout=20)

    def talk(self, *pieces, half_close=False):
        """Sends the pieces and reads until the server closes its side."""
        with self.connect() as client:
            for piece in pieces:
                client.sendall(piece)
            if half_close:
                client.shutdown(socket.SHUT_WR)
            return read_all(client)


def read_all(client):
    received = b""
    while data := client.recv(65536):
        received += data
    return received


def parse(answer):
    """(status, JSON body) of the last answer in these bytes."""
    statuses = re.findall(rb"^HTTP/1\.[01] (\d+) ", answer, re.MULTILINE)
    return int(statuses[-1]), json.loads(answer.rpartition(b"\r\n\r\n")[2])


def refusal(answer):
    """(status, code) of the one error answer in these bytes."""
    assert b"application/json" in answer
    status, body = parse(answer)
    assert set(body["error"]) >= {"code", "message"}
    return status, body["error"]["code"]
