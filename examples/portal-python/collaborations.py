"""Collaborations: add a workspace (§4.1), update a participant (§4.5), delete (§4.6)."""

from __future__ import annotations

import re
import time

from records import Collaboration, Records, User, Workspace, now_ms
from refusal import conflict, forbidden, invalid, unknown

NAME_LIMIT = 100
DESCRIPTION_LIMIT = 250
GUEST_REFRESH_SECONDS = 1.0
"""A guest loses a deleted collaboration when it refreshes its content next, so much later (§4.6)."""


class Collaborations:
    def __init__(self, records: Records) -> None:
        self.records = records

    def add_workspace(self, user: User, form: dict, portal: str, collaboration: str) -> dict:
        with self.records.lock:
            found = self.hosted(user, portal, collaboration)
            name = self.text(form, 'collaborationWorkspaceName', NAME_LIMIT)
            description = self.text(form, 'collaborationWorkspaceDescription', DESCRIPTION_LIMIT)
            workspace = self.create(found, name, description, form.get('portalGroupId', ''))
            return {'success': True, 'workspace': self.shown(workspace)}

    def update_participant(self, user: User, form: dict, portal: str, collaboration: str, participant: str) -> dict:
        with self.records.lock:
            found = self.hosted(user, portal, collaboration)
            if participant not in found.participants:
                raise unknown('participant')
            email = form.get('contactEmailAddress')
            if email is not None and not re.fullmatch(r'[^@\s]+@[^@\s.]+(\.[^@\s.]+)+', email):
                raise invalid('contactEmailAddress is no e-mail address.')
            for name in ('contactFirstname', 'contactLastname', 'contactEmailAddress'):
                if name in form:
                    found.participants[participant][name] = form[name]
            return {'success': True, 'collaborationId': found.id, 'portalId': participant}

    def delete(self, user: User, form: dict, portal: str, collaboration: str) -> dict:
        with self.records.lock:
            found = self.hosted(user, portal, collaboration)
            found.deleted = time.monotonic()
            for workspace in found.workspaces.values():
                self.records.groups[workspace.group] = None
            return {'success': True}

    def hosted(self, user: User, portal: str, collaboration: str) -> Collaboration:
        """The collaboration, for an administrator of the portal that hosts it (§4.1, §5)."""
        if not self.may_manage(user, portal):
            raise forbidden('Only an administrator of the host may do this.')
        found = self.records.collaborations.get(collaboration)
        if found is None or found.deleted is not None:
            raise unknown('collaboration')
        if found.host != portal:
            raise forbidden('Only the host of a collaboration may do this.')
        return found

    def may_manage(self, user: User, portal: str) -> bool:
        return user.administers(portal)

    def seen_by(self, portal: str, collaboration: str) -> Collaboration:
        """The collaboration, for a participant; a guest still has it for a moment after its deletion."""
        found = self.records.collaborations.get(collaboration)
        if found is None or portal not in found.participants:
            raise unknown('collaboration')
        if found.deleted is not None:
            still = 0 if portal == found.host else GUEST_REFRESH_SECONDS
            if time.monotonic() >= found.deleted + still:
                raise unknown('collaboration')
        return found

    def text(self, form: dict, name: str, limit: int) -> str:
        """A text of 1 to `limit` characters; Python counts Unicode code points."""
        value = form.get(name, '')
        if value == '':
            raise invalid(f'{name} is missing.')
        if len(value) > limit:
            raise invalid(f'{name} is longer than {limit} characters.')
        return value

    def create(self, collaboration: Collaboration, name: str, description: str, group: str) -> Workspace:
        """Links a workspace with a group; a group is linked with one workspace at most here."""
        if group not in self.records.groups:
            raise unknown('group')
        if self.records.groups[group] is not None:
            raise conflict('The group is linked with another workspace.')
        workspace = Workspace(self.records.new_id('workspace'), name, description, group, collaboration, now_ms())
        self.records.groups[group] = workspace.id
        collaboration.workspaces[workspace.id] = workspace
        return workspace

    def shown(self, workspace: Workspace) -> dict:
        """The workspace as answers hold it (§2)."""
        return {
            'id': workspace.id,
            'name': workspace.name,
            'description': workspace.description,
            'collaborationId': workspace.collaboration.id,
            'config': {
                'maxItemSizeInMB': 50,
                'maxReplicationPackageSizeInMB': 200,
                'bidirectionalSyncCapable': False,
            },
            'created': workspace.created,
            'modified': workspace.created,
            'lastSyncSuccess': workspace.last_sync,
        }
