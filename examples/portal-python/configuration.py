"""The configuration that lets portal-conformance judge this portal, as YAML."""

from __future__ import annotations

import json

import federations
import syncs
import task_runs
from collaborations import GUEST_REFRESH_SECONDS
from portal import SCHEME
from records import NORTH, PEOPLE, SOUTH

ACTORS = {
    'hostAdministrator': 'ada.admin@north',
    'hostMember': 'mia.member@north',
    'guestAdministrator': 'gus.guest@south',
    'organizationAdministrator': 'ada.admin@north',
    'contentAdministrator': 'ada.admin@north',
    'customAdministrator': 'cleo.curator@north',
    'itemOwner': 'olga.owner@north',
    'itemOwnerUnprivileged': 'paul.plain@north',
    'outsider': 'otto.outsider@north',
    'taskOwner': 'tess.tasks@north',
    'syncInitiator': 'gus.guest@south',
    'syncNonInitiator': 'ada.admin@north',
}


def configuration(origin: str) -> str:
    """The whole file. What the contract leaves open is settled under `contract`."""
    users = {user.name: user for user in PEOPLE}
    actors = '\n'.join(
        f'  {actor}: {{ credential: {users[name].token}, username: {name}, '
        f'portal: {"host" if users[name].portal == NORTH else "guest"} }}'
        for actor, name in ACTORS.items()
    )
    # JSON is YAML: lists and texts with signs in them are written so.
    begin, end = map(json.dumps, federations.MARKERS)
    return f"""target:
  baseUrl: {origin}/api
  version: "11.0"
  edition: self-hosted
authentication: {{ in: header, name: Authorization, prefix: {json.dumps(SCHEME)} }}
portals:
  host: {{ id: {NORTH} }}
  guest: {{ id: {SOUTH} }}
actors:
{actors}
fixtures: {{ url: {origin}/fixtures }}
contract:
  sync: {{ parameter: {syncs.MODE_PARAMETER}, synchronous: "{syncs.WAIT}", asynchronous: "{syncs.RETURN}" }}
  run: {{ statuses: {json.dumps(task_runs.STATUSES)}, closed: true }}
  federation:
    groupsNotation: repeated
    signUpModes: {json.dumps(federations.SIGN_UP_MODES)}
    userTypes: {json.dumps(federations.USER_TYPES)}
    roleId: {federations.ROLES[0]}
    userLicenseType: {federations.LICENCES[0]}
    certificateMarkers: {{ begin: {begin}, end: {end} }}
    parameters: {json.dumps({name: 'true' for name in federations.CONDITIONAL})}
effects: all
run: {{ settle: 500ms, guestRefresh: {GUEST_REFRESH_SECONDS * 1000 + 200:.0f}ms }}
"""
