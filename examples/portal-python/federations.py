"""Enterprise login through a federation: update SAML federation (§4.7)."""

from __future__ import annotations

import base64
import binascii
from urllib.parse import urlsplit

from records import Records, User
from refusal import forbidden, invalid, unknown

MARKERS = ('-----BEGIN CERTIFICATE-----', '-----END CERTIFICATE-----')
SIGN_UP_MODES = ('Automatic', 'OnInvitation')
USER_TYPES = ('platformonly', 'everything')
ROLES = ('reader', 'editor')
LICENCES = ('basic', 'full')
CONDITIONAL = ('signRequests', 'encryptAssertions', 'allowLogout', 'refreshProfile', 'assignGroups')
"""Open in the contract: the markers, all values but two, and the names of the five conditional parameters."""


class Federations:
    def __init__(self, records: Records) -> None:
        self.records = records

    def update(self, user: User, form: dict, portal: str, federation: str) -> dict:
        with self.records.lock:
            if not user.administers(portal):
                raise forbidden('Only an administrator of the organization may do this.')
            found = self.records.federations.get(federation)
            if found is None or found.portal != portal:
                raise unknown('federation')
            # All is read before anything is kept, so that a refusal changes nothing.
            found.settings.update({name: read(self, name, form) for name, read in READERS.items() if name in form})
            return {'success': True, 'federationId': found.id}

    def as_it_is(self, name: str, form: dict) -> str:
        if form[name].strip() == '':
            raise invalid(f'{name} is empty.')
        return form[name]

    def url(self, name: str, form: dict) -> str:
        try:
            parts = urlsplit(form[name])
        except ValueError:
            parts = urlsplit('')
        if parts.scheme not in ('http', 'https') or not parts.hostname:
            raise invalid(f'{name} is no URL.')
        return form[name]

    def credits(self, name: str, form: dict) -> int:
        """Credits of each joining member; -1: the default of the organization."""
        try:
            credits = int(form[name])
        except ValueError:
            raise invalid(f'{name} is no integer.') from None
        if credits < -1:
            raise invalid(f'{name} is less than -1.')
        return credits

    def certificate(self, name: str, form: dict) -> bytes:
        text = form[name].strip()
        begin, end = MARKERS
        if not (text.startswith(begin) and text.endswith(end)):
            raise invalid(f'{name} does not stand between {begin} and {end}.')
        try:
            return base64.b64decode(''.join(text[len(begin) : -len(end)].split()), validate=True)
        except binascii.Error:
            raise invalid(f'{name} is no Base64.') from None

    def groups(self, name: str, form: dict) -> list[str]:
        """The array of groups: the field once for each of them."""
        groups = form.all(name)
        if any(group not in self.records.groups for group in groups):
            raise unknown('group')
        return groups

    def flag(self, name: str, form: dict) -> bool:
        return self.one_of(('true', 'false'), name, form) == 'true'

    def one_of(self, values: tuple[str, ...], name: str, form: dict) -> str:
        if form[name] not in values:
            raise invalid(f'{name} is none of {", ".join(values)}.')
        return form[name]


def among(values: tuple[str, ...]):
    return lambda federations, name, form: federations.one_of(values, name, form)


READERS = {
    'name': Federations.as_it_is,
    'discoveryServiceUrl': Federations.url,
    'metadataServiceUrl': Federations.url,
    'certificate': Federations.certificate,
    'entityId': Federations.as_it_is,
    'userCreditAssignment': Federations.credits,
    'groups': Federations.groups,
    'signUpMode': among(SIGN_UP_MODES),
    'roleId': among(ROLES),
    'userLicenseType': among(LICENCES),
    'userType': among(USER_TYPES),
    **{name: Federations.flag for name in CONDITIONAL},
}
