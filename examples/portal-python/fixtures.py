"""The fixture provider: hands out what the suite may act on, POST /fixtures/{kind} with JSON."""

from __future__ import annotations

import time

from collaborations import Collaborations
from records import NORTH, RECEIVE_ITEMS, SOUTH, Collaboration, Federation, Item, Records, TaskRun, User
from refusal import unknown
from syncs import Syncs

TASK_OWNER = 'tess.tasks@north'
ITEM_OWNERS = {
    'itemOwner': 'olga.owner@north',
    'itemOwnerUnprivileged': 'paul.plain@north',
    'contentAdministrator': 'ada.admin@north',
    'customAdministrator': 'cleo.curator@north',
    'outsider': 'otto.outsider@north',
    'hostMember': 'mia.member@north',
}


class Fixtures:
    def __init__(self, records: Records, collaborations: Collaborations, syncs: Syncs) -> None:
        self.records = records
        self.collaborations = collaborations
        self.syncs = syncs
        self.made: list[tuple[str | None, dict, str]] = []
        """What was handed out: for which run, the table it stands in, and its id."""
        self.kinds = {
            'collaboration': self.collaboration,
            'workspace': self.workspace,
            'scheduledSync': self.scheduled_sync,
            'participant': self.participant,
            'group': self.group,
            'items': self.items,
            'eligibleUser': lambda _options: self.user(RECEIVE_ITEMS),
            'ineligibleUser': lambda _options: self.user(),
            'taskRun': self.task_run,
            'federation': self.federation,
        }

    def hand_out(self, kind: str, options: dict, run: str | None) -> dict:
        """A fixture for that run. Options that it does not know are left alone."""
        with self.records.lock:
            if kind == 'cleanup':
                return self.cleanup(options.get('runId', run))
            if kind not in self.kinds:
                raise unknown('kind of fixture')
            self.run = run
            return self.kinds[kind](options)

    def make(self, table: dict, id: str, record: object) -> None:
        table[id] = record
        self.made.append((self.run, table, id))

    def cleanup(self, run: str | None) -> dict:
        """Removes what was handed out for that run, and all of it where none is named."""
        for _, table, id in [made for made in self.made if run in (None, made[0])]:
            table.pop(id, None)
        self.made = [made for made in self.made if run not in (None, made[0])]
        return {}

    def wanted(self, options: dict) -> Collaboration:
        """The collaboration that the fixture shall be part of: the one asked for, or a new one."""
        id = options.get('collaborationId')
        if id is not None:
            return self.records.collaborations[id]
        made = Collaboration(self.records.new_id('collaboration'))
        self.make(self.records.collaborations, made.id, made)
        return made

    def collaboration(self, _options: dict) -> dict:
        return {'collaborationId': self.wanted({}).id}

    def workspace(self, options: dict) -> dict:
        collaboration = self.wanted(options)
        least = options.get('minimumSyncMs', 0)
        group = self.group({})['groupId']
        made = self.collaborations.create(collaboration, 'A fixture', 'Made to be synced.', group)
        made.sync_seconds = least / 1000 + 0.02
        return {
            'collaborationId': collaboration.id,
            'workspaceId': made.id,
            'minimumSyncMs': least,
            'maximumSyncMs': least + 500,
        }

    def scheduled_sync(self, options: dict) -> dict:
        made = self.workspace({})
        remaining = options['remainingMs']
        workspace = self.records.collaborations[made['collaborationId']].workspaces[made['workspaceId']]
        self.syncs.start(workspace, time.monotonic(), remaining / 1000)
        return {'collaborationId': made['collaborationId'], 'workspaceId': workspace.id, 'remainingMs': remaining}

    def participant(self, options: dict) -> dict:
        return {'collaborationId': self.wanted(options).id, 'participantPortalId': SOUTH}

    def group(self, _options: dict) -> dict:
        id = self.records.new_id('group')
        self.make(self.records.groups, id, None)
        return {'groupId': id, 'reusable': False}

    def items(self, options: dict) -> dict:
        owner = ITEM_OWNERS[options['owner']]
        ids = [self.records.new_id('item') for _ in range(options['count'])]
        for id in ids:
            self.make(self.records.items, id, Item(id, owner, 'Web Map', ('Map', 'Online')))
        return {'owner': owner, 'itemIds': ids}

    def user(self, *privileges: str) -> dict:
        made = User(f'{self.records.new_id("someone")}@north', NORTH, 'member', privileges)
        self.make(self.records.users, made.name, made)
        return {'username': made.name}

    def task_run(self, _options: dict) -> dict:
        made = TaskRun(TASK_OWNER, self.records.new_id('task'), self.records.new_id('run'))
        self.make(self.records.runs, made.id, made)
        return {'userName': made.user, 'taskId': made.task, 'runId': made.id}

    def federation(self, _options: dict) -> dict:
        made = Federation(self.records.new_id('federation'), NORTH)
        self.make(self.records.federations, made.id, made)
        return {'federationId': made.id}
