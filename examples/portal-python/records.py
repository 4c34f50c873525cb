"""What the portal keeps: plain records, in memory, behind one lock."""

from __future__ import annotations

import hashlib
import itertools
import threading
import time
from dataclasses import dataclass, field

NORTH, SOUTH = 'north', 'south'
"""The two organizations: north hosts the collaborations, south takes part in them."""

MANAGE_ALL_ITEMS = 'admin:items:manage'
GIVE_ITEMS = 'portal:items:give'
RECEIVE_ITEMS = 'portal:items:receive'


@dataclass
class User:
    name: str
    portal: str
    role: str = 'member'
    privileges: tuple[str, ...] = ()

    @property
    def token(self) -> str:
        """The same at every start, so that a configuration stays right. A portal in use hands out random ones."""
        return hashlib.sha256(f'portal-python {self.name}'.encode()).hexdigest()[:32]

    def administers(self, portal: str) -> bool:
        return self.role == 'administrator' and self.portal == portal


@dataclass
class Workspace:
    id: str
    name: str
    description: str
    group: str
    collaboration: Collaboration
    created: int
    sync_seconds: float = 0.03
    last_sync: int = 0
    jobs: list = field(default_factory=list)


@dataclass
class Collaboration:
    id: str
    host: str = NORTH
    initiator: str = SOUTH
    participants: dict[str, dict[str, str]] = field(default_factory=lambda: {NORTH: {}, SOUTH: {}})
    workspaces: dict[str, Workspace] = field(default_factory=dict)
    deleted: float | None = None


@dataclass
class Item:
    id: str
    owner: str
    type: str
    keywords: tuple[str, ...]
    folder: str = ''


@dataclass
class TaskRun:
    user: str
    task: str
    id: str
    status: str = 'queued'
    result: str = ''


@dataclass
class Federation:
    id: str
    portal: str
    settings: dict = field(default_factory=dict)


class Records:
    """Everything by its id. Hold `lock` to read and then write."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self.users: dict[str, User] = {}
        self.groups: dict[str, str | None] = {}
        """For each group, the id of the workspace that is linked with it."""
        self.collaborations: dict[str, Collaboration] = {}
        self.items: dict[str, Item] = {}
        self.runs: dict[str, TaskRun] = {}
        self.federations: dict[str, Federation] = {}
        self._numbers = itertools.count(1)

    def new_id(self, kind: str) -> str:
        """An id that says what it names. Ids are opaque to clients, so this is as good as any other."""
        return f'{kind}-{next(self._numbers):05d}'

    def add_user(self, user: User) -> User:
        self.users[user.name] = user
        return user

    def user_of(self, token: str) -> User | None:
        with self.lock:
            return next((user for user in self.users.values() if user.token == token), None)


def now_ms() -> int:
    """Unix time in milliseconds (§2)."""
    return int(time.time() * 1000)


PEOPLE = (
    User('ada.admin@north', NORTH, 'administrator', (RECEIVE_ITEMS,)),
    User('mia.member@north', NORTH),
    User('cleo.curator@north', NORTH, 'curator', (MANAGE_ALL_ITEMS, RECEIVE_ITEMS)),
    User('olga.owner@north', NORTH, 'member', (GIVE_ITEMS, RECEIVE_ITEMS)),
    User('paul.plain@north', NORTH, 'member', (RECEIVE_ITEMS,)),
    User('otto.outsider@north', NORTH, 'member', (GIVE_ITEMS, RECEIVE_ITEMS)),
    User('tess.tasks@north', NORTH),
    User('gus.guest@south', SOUTH, 'administrator'),
)
