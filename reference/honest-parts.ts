/** The parts of a conforming portal. */
import { randomBytes, randomUUID } from 'node:crypto'
import { refusals } from './answers.ts'
import { parseForm } from './form.ts'
import {
  addWorkspace,
  deleteCollaboration,
  reassignItems,
  syncWorkspace,
  updateFederation,
  updateParticipant,
  updateTaskRun,
} from './handlers.ts'
import type { IdKind, Parts } from './parts.ts'
import { renderAnswer, sendWhole } from './rendering.ts'
import { findCredential, honestMay, receivePrivilege, userOfToken } from './users.ts'

/** 16 letters and digits for portals, federations and roles, and 32 lower-case hex digits for all other kinds. */
function newId(kind: IdKind): string {
  return kind === 'portal' || kind === 'federation' || kind === 'role'
    ? randomBytes(12).toString('base64').replaceAll('+', 'p').replaceAll('/', 's')
    : randomUUID().replaceAll('-', '')
}

/** A new set of parts. Parts call each other through this object, so that they all use a replaced part. */
export function honestParts(): Parts {
  const parts: Parts = {
    basePath: '/sharing/rest',
    separatePortals: [],
    limits: { name: 100, description: 250, items: 100, bodyBytes: 5_000_000 },
    timings: { deletionShowsMs: 0, guestRefreshMs: 200, syncsLongerByMs: 0, itemMs: 80, everySyncMs: 0 },
    runStatuses: ['scheduled', 'executing', 'succeeded', 'skipped', 'failed', 'submitfailed'],
    sync: { parameter: 'async', synchronous: 'false', asynchronous: 'true' },
    signUpModes: ['Automatic', 'Invitation'],
    userTypes: ['platformonly', 'arcgisonly', 'both'],
    groupsReusable: true,
    runsOfTask: 1,
    administration: {
      createsUsers: true,
      hosted: false,
      release: '11.3',
      hasRecycleBin: false,
      hasLogin: false,
      runsTasks: true,
      minuteMs: 200,
      othersTakePart: false,
      longestTokenMs: 14 * 86_400_000,
      onKubernetes: false,
      filesInForms: false,
      rolesAlsoHold: [],
      usersOwnFromTheStart: false,
      guestsHear: 'at-once',
      importsGoOnMs: 0,
      takesMs: () => 0,
      ownAddress: (_name, used) => used,
      answered: (_route, answer) => answer,
      fails: () => undefined,
    },
    refusals: { ...refusals },

    admit: () => undefined,
    decodeForm: (body) => parseForm(body),
    credentialOf: findCredential,
    identify: (arrival, store) => userOfToken(store, parts.credentialOf(arrival) ?? '', arrival, parts.now()),
    may: { ...honestMay },
    handlers: {
      'add-workspace': addWorkspace,
      'update-task-run': updateTaskRun,
      'reassign-items': reassignItems,
      'sync-workspace': syncWorkspace,
      'update-participant': updateParticipant,
      'delete-collaboration': deleteCollaboration,
      'update-federation': updateFederation,
    },

    measure: countCodePoints,
    fits: (text, field) => parts.measure(text) <= parts.limits[field],
    keep: (text) => text,
    newId,
    participantId: (portalId) => portalId,
    now: () => Date.now(),
    viewWorkspace: ({ id, name, description, collaborationId, created, modified, lastSyncSuccess }) => ({
      id,
      name,
      description,
      collaborationId,
      config: { maxItemSizeInMB: 100, maxReplicationPackageSizeInMB: 500, bidirectionalSyncCapable: true },
      created,
      modified,
      lastSyncSuccess,
    }),
    errorDetails: (items) =>
      items.map(({ id, type, url, typeKeywords, owner }) => ({
        itemId: id,
        type,
        url,
        reservedTypeKeywords: typeKeywords,
        owner,
      })),
    visible({ deletedAt }, operation) {
      if (deletedAt === undefined) return true
      const { guestRefreshMs, deletionShowsMs } = parts.timings
      const lasts = operation === 'sync-workspace' ? guestRefreshMs : deletionShowsMs
      return performance.now() < deletedAt + lasts
    },
    remove(store, collaboration) {
      collaboration.deletedAt = performance.now()
      const lasts = Math.max(parts.timings.guestRefreshMs, parts.timings.deletionShowsMs)
      if (lasts === Number.POSITIVE_INFINITY) return
      setTimeout(() => store.collaborations.delete(collaboration.id), lasts).unref()
    },
    eligible: ({ role, privileges }) => role === 'administrator' || privileges.has(receivePrivilege),
    receivable: ({ receivers }, { username }) => receivers === undefined || receivers.has(username),
    syncGate: (_call, workspace) => (workspace.sync === undefined ? undefined : parts.refuse('sync-running')),
    blocks: (mode) => mode === 'synchronous',
    refuse(reason, details = []) {
      const error = { ...parts.refusals[reason], details }
      return { status: reason === 'post-only' ? 405 : 200, body: { error }, refused: reason }
    },
    render: renderAnswer,
    send: sendWhole,
  }
  return parts
}

/** The length of a text in code points. */
function countCodePoints(text: string): number {
  let count = 0
  for (const _character of text) count++
  return count
}
