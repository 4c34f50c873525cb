"""Ways to break the portal, each by replacing one method: what a red gate looks like."""

from __future__ import annotations

import time

from portal import Portal
from records import PEOPLE, User, now_ms


def names_cut(portal: Portal) -> None:
    """names and descriptions of workspaces that are too long are cut, not refused (§8)"""
    portal.collaborations.text = lambda form, name, limit: form.get(name, '')[:limit] or 'untitled'


def guests_add(portal: Portal) -> None:
    """an administrator of any portal manages the collaborations of the host (§4.1, §5)"""
    portal.collaborations.may_manage = lambda user, _portal: user.role == 'administrator'


def ids_swapped(portal: Portal) -> None:
    """update task run answers with the ids of task and run swapped (§4.2)"""
    portal.task_runs.answer = lambda run: {'success': True, 'taskId': run.id, 'runId': run.task}


def items_unlimited(portal: Portal) -> None:
    """more than 100 items are reassigned at once (§8)"""
    portal.content.asked_items = lambda form: [item for item in form.get('items', '').split(',')]


def first_detail_only(portal: Portal) -> None:
    """the reassign error lists only the first item that could not be reassigned (§7)"""
    whole = portal.content.details
    portal.content.details = lambda items: whole(items)[:1]


def syncs_overlap(portal: Portal) -> None:
    """a sync starts although one is in progress (§4.4)"""
    start = portal.syncs.start
    portal.syncs.job_for = lambda workspace, _waits: start(workspace, time.monotonic(), workspace.sync_seconds)


def delete_for_anyone(portal: Portal) -> None:
    """delete collaboration needs no credentials (§4.6, §5)"""
    known = portal.caller
    administrator = PEOPLE[0]

    def caller(authorization: str | None, operation: str) -> User:
        return administrator if operation == 'delete_collaboration' else known(authorization, operation)

    portal.caller = caller


def delete_does_nothing(portal: Portal) -> None:
    """delete collaboration says success and deletes nothing (§4.6)"""
    hosted = portal.collaborations.hosted

    def delete(user: User, _form: dict, owner: str, collaboration: str) -> dict:
        hosted(user, owner, collaboration)
        return {'success': True}

    portal.delete_collaboration = delete


def seconds(portal: Portal) -> None:
    """workspaces are created and modified in seconds, not in milliseconds (§2)"""
    whole = portal.collaborations.shown
    portal.collaborations.shown = lambda workspace: {
        **whole(workspace),
        'created': workspace.created // 1000,
        'modified': workspace.created // 1000,
    }


def ids_by_clock(portal: Portal) -> None:
    """workspaces get the time as their id, so that those of the same moment share it (§2)"""
    whole = portal.collaborations.shown
    portal.collaborations.shown = lambda workspace: {**whole(workspace), 'id': str(now_ms() // 100)}


FAULTS = {
    fault.__name__.replace('_', '-'): fault
    for fault in (
        names_cut, guests_add, ids_swapped, items_unlimited, first_detail_only,
        syncs_overlap, delete_for_anyone, delete_does_nothing, seconds, ids_by_clock,
    )
}  # fmt: skip


def broken_portal(origin: str, names: list[str]) -> Portal:
    """The portal, with those faults; without any it keeps the contract."""
    portal = Portal(origin)
    for name in names:
        FAULTS[name](portal)
    return portal
