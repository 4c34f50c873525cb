"""Syncs of workspaces (§4.4): one at a time, waited for or not."""

from __future__ import annotations

import secrets
import time
from dataclasses import dataclass

from collaborations import Collaborations
from records import Records, User, Workspace, now_ms
from refusal import forbidden, invalid, unknown

MODE_PARAMETER = 'wait'
WAIT, RETURN = 'yes', 'no'
"""The contract shows neither the name of the mode parameter nor its values: these are ours. Default: do not wait."""


@dataclass
class Job:
    id: str
    key: str
    starts: float
    ends: float


class Syncs:
    def __init__(self, records: Records, collaborations: Collaborations) -> None:
        self.records = records
        self.collaborations = collaborations

    def sync(self, user: User, form: dict, portal: str, collaboration: str, workspace: str) -> dict:
        waits = form.get(MODE_PARAMETER, RETURN)
        if waits not in (WAIT, RETURN):
            raise invalid(f'{MODE_PARAMETER} is neither {WAIT} nor {RETURN}.')
        with self.records.lock:
            found = self.collaborations.seen_by(portal, collaboration)
            if not self.may_sync(user, portal, found.initiator):
                raise forbidden('Only the participant that initiates syncs may do this.')
            if workspace not in found.workspaces:
                raise unknown('workspace')
            job = self.job_for(found.workspaces[workspace], waits == WAIT)
        if waits == WAIT:
            # The lock is free meanwhile, so waiting blocks no other request.
            time.sleep(max(0.0, job.ends - time.monotonic()))
            found.workspaces[workspace].last_sync = now_ms()
        return {'success': True, 'jobId': job.id, 'key': job.key}

    def may_sync(self, user: User, portal: str, initiator: str) -> bool:
        return portal == initiator and user.administers(initiator)

    def job_for(self, workspace: Workspace, waits: bool) -> Job:
        """Who waits gets a sync of their own, after those before it; others learn of the one that runs."""
        now = time.monotonic()
        workspace.jobs = [job for job in workspace.jobs if job.ends > now]
        if workspace.jobs and not waits:
            return workspace.jobs[0]
        return self.start(workspace, max([now, *(job.ends for job in workspace.jobs)]), workspace.sync_seconds)

    def start(self, workspace: Workspace, starts: float, seconds: float) -> Job:
        job = Job(self.records.new_id('job'), secrets.token_urlsafe(12), starts, starts + seconds)
        workspace.jobs.append(job)
        return job
