/** The profile of deployments of the ArcGIS Portal ("Sharing") REST API, from its public documentation and clients. */
import { pemMarkers } from '../certificates.ts'
import type { Profile } from '../types/profile.ts'

const page = (name: string): string =>
  `developers.arcgis.com/rest/users-groups-and-items/${name} [documented]`
const titled = (title: string): string =>
  `the page "${title}" of developers.arcgis.com/rest/users-groups-and-items [documented]`
const client = 'arcgis-rest-js, the JavaScript client [client]'

export const arcgisProfile: Profile = {
  format: 'portal-conformance/profile',
  name: 'arcgis',
  title: 'ArcGIS Online (hosted) and ArcGIS Enterprise (self-hosted)',
  authentication: { in: 'form', name: 'token', check: '/community/self' },
  administration: 'sharing',
  durations: {
    synchronousSync: {
      upTo: '5m',
      source: 'samples of the documentation: syncs of 83 and 92 s [documented]',
    },
    trust: {
      upTo: '5m',
      source: 'public administration scripts: tens of seconds where portals are far apart [client]',
    },
  },
  reads: {
    workspaces: '/portals/{portalId}/collaborations/{collaborationId}/workspaces',
    collaboration: '/portals/{portalId}/collaborations/{collaborationId}',
    participant: '/portals/{portalId}/collaborations/{collaborationId}/participants/{participantPortalId}',
    run: '/community/users/{userName}/tasks/{taskId}/runs/{runId}',
    item: '/content/items/{itemId}',
    content: '/content/users/{userName}',
    syncs: '/portals/{portalId}/collaborations/{collaborationId}/workspaces/{workspaceId}/syncStatus',
    federation: '/portals/{portalId}/idp/federation',
  },
  jsonFormats: ['json', 'pjson'],
  shapes: [
    {
      operation: 'add-workspace',
      requirements: ['add-workspace/config-fields'],
      holds: ['workspace.config'],
      lacks: ['workspace.config.bidirectionalSyncCapable'],
      says: 'releases before 10.9 do not send bidirectionalSyncCapable',
      source: titled('Add workspace'),
    },
    {
      operation: 'add-workspace',
      requirements: ['add-workspace/creates'],
      holds: ['collaborationWorkspaceId'],
      lacks: ['workspace'],
      says: 'one property table names a flat collaborationWorkspaceId; the samples and the contract nest it in workspace',
      source: titled('Add workspace'),
    },
    {
      operation: 'update-participant',
      requirements: ['update-participant/updates'],
      holds: ['error'],
      // Other refusals have other reasons, such as a collaboration that is gone.
      mentions: 'contact',
      says: 'the parameter table writes contactFirstName and contactLastName; the samples and the contract write contactFirstname and contactLastname',
      source: titled('Update participant'),
    },
    {
      operation: 'reassign-items',
      holds: ['results'],
      lacks: ['success'],
      answeredWith: 'results[] in place of success and itemId',
      says: 'a script in public use reads results[] from a hosted deployment; the items had moved',
      source: 'a public administration script [client]',
    },
    {
      operation: 'update-federation',
      endsWith: ',}',
      says: 'some answers of identity-provider updates end with ",}", which is no JSON; a public client repairs them',
      source: 'arcgis, the Python client [client]',
    },
  ],
  contract: {
    sync: { parameter: 'async', synchronous: 'false', asynchronous: 'true' },
    run: { statuses: ['scheduled', 'executing', 'succeeded', 'skipped', 'failed', 'submitfailed'] },
    federation: {
      signUpModes: ['Automatic', 'Invitation'],
      userTypes: ['arcgisonly'],
      roleId: 'org_user',
      userLicenseType: 'creatorUT',
      certificateMarkers: pemMarkers,
    },
  },
  errors: {
    noCredential: { codes: [499], source: client },
    invalidCredential: { codes: [498], source: client },
    notPermitted: { codes: [403], source: client },
  },
  points: [
    {
      point: 'identity',
      effect: 'settles',
      says: 'form or query parameter token, or the header Authorization or X-Esri-Authorization with "Bearer "',
      source: `${page('generate-token')}; ${page('http-authorization-headers')}`,
    },
    {
      point: 'format-values',
      effect: 'settles',
      says: 'html, json, pjson; default html. json and pjson ask for JSON; clients send json',
      source: `every page of developers.arcgis.com/rest/users-groups-and-items [documented]; ${client}`,
    },
    {
      point: 'run-statuses',
      effect: 'settles',
      says: 'scheduled, executing, succeeded, skipped, failed, submitfailed',
      source: page('edit-run'),
    },
    {
      point: 'sync-mode',
      effect: 'settles',
      says: 'parameter async, true or false; its default is not documented',
      source: page('sync'),
    },
    {
      point: 'sign-up-modes',
      effect: 'settles',
      says: 'Automatic, Invitation',
      source: page('update-federation'),
    },
    {
      point: 'user-types',
      effect: 'settles',
      says: 'arcgisonly; on the hosted edition both as well',
      source: `${page('update-federation')}; ${client}`,
    },
    {
      point: 'roles-and-licences',
      effect: 'settles',
      says: 'roleId org_admin, org_publisher, org_user or a custom one; userLicenseType creatorUT, editorUT, viewerUT, fieldWorkerUT and others; with signUpMode=Automatic',
      source: `${page('update-user-role')}; ${client}`,
    },
    {
      point: 'conditional-parameters',
      effect: 'settles',
      says: 'groups, roleId and userLicenseType are used with signUpMode=Automatic',
      source: page('update-federation'),
    },
    {
      point: 'certificate-markers',
      effect: 'settles',
      says: '-----BEGIN CERTIFICATE----- and -----END CERTIFICATE-----',
      source: page('update-federation'),
    },
  ],
}
