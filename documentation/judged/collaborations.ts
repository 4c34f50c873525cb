/** How the requirements of participants, of deletes and of federations are judged. */
import { type JudgedTexts, refused } from './judged.ts'

const host = 'an administrator of the host'
const organization = 'an organization administrator'
const guest = 'an administrator of a guest'
const member = 'a member of the host'
const stranger = 'a caller without a credential or with an empty one'
const impostor = 'a caller with a made-up credential, also one that shares a half with a real one,'

const alsoOnUsedConnection = (permitted: string, who: string) => {
  const { control, probe } = refused(permitted, who)
  return {
    control: control as string,
    probe: `${probe}; also on a connection that a permitted caller has just used`,
  }
}

const unknown = (what: string) => ({
  control: 'the request with the known id',
  probe: `the same request with the id of a ${what} that is not there: refused`,
})

/** A delete uses its collaboration up: its control has one of its own. */
const refusedDelete = (who: string, more = '') => ({
  control: `a delete of another collaboration by ${host}`,
  probe: `a delete by ${who}: refused, and again the second time${more}`,
})

const contacts = 'generated first names, last names and e-mail addresses'

export const collaborationJudged: JudgedTexts = {
  'update-participant/updates': {
    probe: `a plain contact, then ${contacts}: accepted, with collaborationId and portalId as strings`,
  },
  'update-participant/identifiers': {
    probe: 'two participants at the same moment: collaborationId and portalId are those of the path',
  },
  'update-participant/contact-text': {
    probe: `${contacts} in any script, plus-addressing among them: accepted`,
  },
  'update-participant/refuses-guest': refused(host, guest),
  'update-participant/refuses-non-administrator': refused(host, member),
  'update-participant/refuses-anonymous': alsoOnUsedConnection(host, stranger),
  'update-participant/refuses-invalid-credential': alsoOnUsedConnection(host, impostor),
  'update-participant/unknown-participant': unknown('participant'),
  'update-participant/unknown-collaboration': unknown('collaboration'),
  'update-participant/bad-email': {
    control: 'the request with an ordinary address',
    probe: 'the same request with addresses that have no at sign, two of them, no domain or no name: refused',
  },
  'delete-collaboration/deletes': {
    control: 'for the simultaneous ones, a delete of another collaboration',
    probe: `three collaborations of the fixtures, deleted by ${host}: accepted; so are one with a workspace and one that was synced. Then several simultaneous deletes of one: at least one accepted`,
  },
  'delete-collaboration/refuses-guest': refusedDelete(
    guest,
    ', on its own path and on that of the host, also where a workspace has just been added',
  ),
  'delete-collaboration/refuses-non-administrator': refusedDelete(
    member,
    ', also where a workspace has just been added',
  ),
  'delete-collaboration/refuses-anonymous': refusedDelete(
    stranger,
    ', also where a workspace has just been added and on a connection that an administrator has just used',
  ),
  'delete-collaboration/refused-delete-has-no-effect': {
    control:
      'a workspace is added, a participant updated or a workspace synced before; and the delete is refused',
    probe: 'then the same again: accepted',
  },
  'delete-collaboration/gone-after-delete': {
    control: 'the later request, before the delete; and the delete',
    probe:
      'a new workspace, or an update of the participant, within run.settle after it: refused, and a workspace once more after that time',
  },
  'delete-collaboration/refuses-invalid-credential': refusedDelete(
    impostor,
    '; and then another workspace is added: accepted',
  ),
  'delete-collaboration/delete-twice': {
    control: 'a delete',
    probe: 'the same delete again, within run.settle after it: refused',
  },
  'delete-collaboration/sharing-stops': {
    control: 'a sync before the delete; and the delete',
    probe:
      'once run.guestRefresh, run.settle and a sync that still runs are over, syncs of both of its workspaces: refused. Where run.guestRefresh is not given and the profile names the page of a collaboration: once the guest does not show it there any more, and run.settle is over',
  },
  'delete-collaboration/others-unaffected': {
    control: 'a workspace of the same name in this collaboration and in another; and the delete',
    probe: 'a new workspace in the other: accepted',
  },
  'delete-collaboration/unknown-collaboration': {
    control: 'afterwards, the delete of the real one',
    probe: 'a delete of a collaboration that does not exist: refused',
  },
  'delete-collaboration/concurrent-once': {
    control: 'at least one of up to four deletes of one collaboration that are released together',
    probe: 'no other of them is accepted, in several rounds',
  },
  'update-federation/updates': {
    probe: `generated valid requests by ${organization}: accepted, with federationId as a string`,
  },
  'update-federation/identifier': {
    probe: 'two federations at the same moment: federationId is that of the path',
  },
  'update-federation/groups-array': {
    probe:
      'one, two and three ids of groups, in the notation of contract.federation.groupsNotation: accepted',
  },
  'update-federation/sign-up-mode': {
    probe: 'each value of contract.federation.signUpModes, or Automatic: accepted',
  },
  'update-federation/user-type': {
    probe: 'each value of contract.federation.userTypes, or platformonly: accepted',
  },
  'update-federation/certificate': {
    probe:
      'self-signed certificates of RSA keys of 2048, 3072 and 4096 bits, whose Base64 text in one line has plus signs, slashes and every padding: accepted. Line breaks and elliptic curves are open, and only observed',
  },
  'update-federation/idempotent': {
    control: 'an update',
    probe: 'the same update again, with none in between: accepted',
  },
  'update-federation/refuses-non-administrator': refused(organization, member),
  'update-federation/refuses-anonymous': alsoOnUsedConnection(organization, stranger),
  'update-federation/refuses-invalid-credential': alsoOnUsedConnection(organization, impostor),
  'update-federation/refuses-other-organization': refused(
    organization,
    'an administrator of another organization',
  ),
  'update-federation/unknown-federation': unknown('federation'),
  'update-federation/bad-input': {
    control: 'the request as it is',
    probe:
      'the same request with a text that is no URL, no number of credits or no Base64, each by itself: refused',
  },
}
