"""Runs of scheduled tasks: update a run (§4.2)."""

from __future__ import annotations

from records import Records, TaskRun, User
from refusal import conflict, forbidden, invalid, unknown

STATUSES = ('queued', 'executing', 'done', 'broken')
FINAL = ('done', 'broken')
"""The contract shows only executing; the other statuses, and that some of them are final, are ours."""


class TaskRuns:
    def __init__(self, records: Records) -> None:
        self.records = records

    def update(self, user: User, form: dict, owner: str, task: str, run: str) -> dict:
        with self.records.lock:
            found = self.records.runs.get(run)
            if found is None or (found.user, found.task) != (owner, task):
                raise unknown('run of this task')
            if user.name != owner and not user.administers(self.records.users[owner].portal):
                raise forbidden('Only the owner of a task or an administrator may update its runs.')
            status = form.get('status', '')
            if status not in STATUSES:
                raise invalid(f'status is none of {", ".join(STATUSES)}.')
            if found.status in FINAL:
                raise conflict(f'The run has ended: it is {found.status}.')
            found.status = status
            found.result = form.get('result', found.result)
            return self.answer(found)

    def answer(self, run: TaskRun) -> dict:
        return {'success': True, 'taskId': run.task, 'runId': run.id}
