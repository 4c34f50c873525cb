"""HTTP: forms in, JSON out, and which path is which operation."""

from __future__ import annotations

import json
import re
import sys
import traceback
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, unquote, urlsplit

from portal import Portal
from refusal import Refusal, invalid, unknown

LARGEST_BODY = 1_000_000
SEGMENT = '([^/]+)'
ROUTES = [
    (re.compile(pattern.replace('{}', SEGMENT)), operation)
    for pattern, operation in (
        ('/portals/{}/collaborations/{}/addWorkspace', 'add_workspace'),
        ('/community/users/{}/tasks/{}/runs/{}/update', 'update_task_run'),
        ('/content/users/{}/reassignItems', 'reassign_items'),
        ('/portals/{}/collaborations/{}/workspaces/{}/sync', 'sync_workspace'),
        ('/portals/{}/collaborations/{}/participants/{}/updateInfo', 'update_participant'),
        ('/portals/{}/collaborations/{}/delete', 'delete_collaboration'),
        ('/portals/{}/idp/federation/{}/update', 'update_federation'),
    )
]


class Form(dict):
    """A decoded form: the first value of each field, and all of them where a field may come again."""

    def __init__(self, pairs: list[tuple[str, str]]) -> None:
        super().__init__(reversed(pairs))
        self.pairs = pairs

    def all(self, name: str) -> list[str]:
        return [value for key, value in self.pairs if key == name]


class Handler(BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'
    # Headers and body leave together and at once: anything else costs 40 ms an answer.
    wbufsize = -1
    disable_nagle_algorithm = True
    portal: Portal

    def do_POST(self) -> None:
        try:
            body = self.body()
            path = urlsplit(self.path).path
            if path.startswith('/fixtures/'):
                run = self.headers.get('X-Portal-Conformance-Run')
                fixtures = self.portal.fixtures
                status, answer = 200, fixtures.hand_out(path[len('/fixtures/') :], json.loads(body or b'{}'), run)
            else:
                status, answer = 200, self.operate(path, body)
        except Refusal as refusal:
            status, answer = refusal.status, {'error': refusal.error}
        except Exception:
            traceback.print_exc(file=sys.stderr)
            status, answer = 500, {'error': {'code': 500, 'message': 'The portal broke.', 'details': []}}
        self.answer(status, answer)

    def other_method(self) -> None:
        self.close_connection = True
        self.answer(405, {'error': {'code': 405, 'message': 'Operations are called by POST.', 'details': []}})

    do_GET = do_HEAD = do_PUT = do_DELETE = do_PATCH = do_OPTIONS = other_method

    def operate(self, path: str, body: bytes) -> dict:
        if not path.startswith('/api/'):
            raise unknown('page')
        for pattern, operation in ROUTES:
            match = pattern.fullmatch(path[len('/api') :])
            if match:
                form = self.form(body)
                user = self.portal.caller(self.headers.get('Authorization'), operation)
                return getattr(self.portal, operation)(user, form, *map(unquote, match.groups()))
        raise unknown('operation')

    def form(self, body: bytes) -> Form:
        if self.headers.get_content_type() != 'application/x-www-form-urlencoded':
            raise Refusal(415, 'A form is expected: application/x-www-form-urlencoded.')
        try:
            text = body.decode('utf-8')
            form = Form(parse_qsl(text, keep_blank_values=True, errors='strict', max_num_fields=1000))
        except ValueError:
            raise invalid('The form cannot be decoded.') from None
        if form.get('f', 'json') not in ('json', 'pjson'):
            raise invalid('f is neither json nor pjson.')
        return form

    def body(self) -> bytes:
        length = self.headers.get('Content-Length', '')
        if not length.isdigit() or int(length) > LARGEST_BODY:
            self.close_connection = True
            raise Refusal(413 if length.isdigit() else 411, 'A body of a known and smaller length is expected.')
        return self.rfile.read(int(length))

    def answer(self, status: int, answer: dict) -> None:
        body = json.dumps(answer, ensure_ascii=False, indent=2).encode('utf-8')
        self.send_response(status)
        self.send_header('Content-Type', 'application/json; charset=utf-8')
        self.send_header('Content-Length', str(len(body)))
        if self.close_connection:
            # Said aloud, or the client sends its next request into a closed connection.
            self.send_header('Connection', 'close')
        self.end_headers()
        if self.command != 'HEAD':
            self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Says nothing of each request."""


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128
