# A webhook handler as a user might write it with the standard library, right at `/right`, and with one mistake at the path of each
# case. Prints its port.
import base64
import hashlib
import hmac
import json
import os
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

key = base64.b64decode(os.environ["WEBHOOK_SECRET"].removeprefix("whsec_"))
short_limit = float(os.environ["SHORT_LIMIT_SECONDS"])
known = {"uri", "geo", "id", "callback_uri", "monitor_type", "padding"}
lock = threading.Lock()
states = {}


def verify(headers, body, fault):
    event_id, timestamp, signatures = (headers.get("webhook-" + name) for name in ("id", "timestamp", "signature"))
    if fault == "missing-signature" and signatures is None:
        return True
    if not event_id or not timestamp or not signatures:
        return False
    if fault != "old-signature" and abs(time.time() - int(timestamp)) > 300:
        return False
    if fault == "wrong-signature":
        return True
    signed = f"{event_id}.{timestamp}.".encode() + body
    expected = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    entries = [signatures] if fault == "rotated-secret" else signatures.split(" ")
    return any(hmac.compare_digest(entry.partition(",")[2], expected) for entry in entries)


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def handle_expect_100(self):
        if self.path == "/interim-responses":
            self.send_response(417)
            self.send_header("content-length", "0")
            self.end_headers()
            return False
        return super().handle_expect_100()

    def do_POST(self):
        status = self.respond(self.path[1:])
        if status is None:
            return
        self.send_response(status)
        if status != 204:
            self.send_header("content-length", "0")
        self.end_headers()

    def respond(self, fault):
        with lock:
            state = states.setdefault(fault, {"done": set(), "begun": set(), "newest": 0})
        event_id = self.headers.get("webhook-id")
        if fault == "retry":
            if event_id in state["begun"] and event_id not in state["done"]:
                return 409
            state["begun"].add(event_id)
        length = int(self.headers["content-length"])
        if fault == "slow":
            self.connection.settimeout(short_limit)
        try:
            body = self.rfile.read(min(length, 65536) if fault == "one-megabyte" else length)
        except TimeoutError:
            return 408
        if fault != "one-megabyte" and len(body) < length:
            return None
        if not verify(self.headers, body, fault):
            return 401
        if event_id in state["done"]:
            return 409 if fault == "same-id-twice" else 200
        timestamp = int(self.headers["webhook-timestamp"])
        if fault == "out-of-order" and timestamp < state["newest"]:
            return 400
        state["newest"] = max(state["newest"], timestamp)
        event = json.loads(body)
        if fault == "unknown-field" and not known.issuperset(event):
            return 422
        if fault == "gone" and event["id"] != "precipitation_1":
            return 500
        state["done"].add(event_id)
        return 204

    def log_message(self, *args):
        pass


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request, client_address):
        pass


server = Server(("127.0.0.1", 0), Handler)
print(server.server_port, flush=True)
server.serve_forever()
