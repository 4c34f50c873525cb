"""The portal as a whole: who calls, and the seven operations by name."""

from __future__ import annotations

from collaborations import Collaborations
from content import Content
from federations import Federations
from fixtures import Fixtures
from records import PEOPLE, Records, User
from refusal import Refusal
from syncs import Syncs
from task_runs import TaskRuns

SCHEME = 'Bearer '


class Portal:
    def __init__(self, origin: str) -> None:
        self.records = Records()
        for user in PEOPLE:
            self.records.add_user(user)
        self.collaborations = Collaborations(self.records)
        self.syncs = Syncs(self.records, self.collaborations)
        self.content = Content(self.records, f'{origin}/items')
        self.task_runs = TaskRuns(self.records)
        self.federations = Federations(self.records)
        self.fixtures = Fixtures(self.records, self.collaborations, self.syncs)

        self.add_workspace = self.collaborations.add_workspace
        self.update_task_run = self.task_runs.update
        self.reassign_items = self.content.reassign
        self.sync_workspace = self.syncs.sync
        self.update_participant = self.collaborations.update_participant
        self.delete_collaboration = self.collaborations.delete
        self.update_federation = self.federations.update

    def caller(self, authorization: str | None, operation: str) -> User:
        """Who calls. The contract leaves open how a request proves it (§5): a bearer token here, on every request."""
        if authorization is None or not authorization.startswith(SCHEME):
            raise Refusal(401, 'A token is required.', 'PORTAL_0401')
        user = self.records.user_of(authorization[len(SCHEME) :])
        if user is None:
            raise Refusal(401, 'The token is not valid.', 'PORTAL_0498')
        return user
