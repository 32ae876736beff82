/** The title and the text of the message about an operation's end. */
import { durationText } from '../../util/units.ts'
import type { Operation, OperationEnd, OperationKind } from './operation.ts'

/** Names that are listed; more are counted. */
const MAX_NAMES = 10
/** Distinct errors that are told. */
const MAX_ERRORS = 2

const NAMES: Readonly<Record<Exclude<OperationKind, 'open'>, string>> = {
  reindex: 'Reindex',
  force_merge: 'Force merge',
  shrink: 'Shrink',
  split: 'Split',
  clone: 'Clone',
}

const ENDINGS: Readonly<Record<OperationEnd['result'], string>> = {
  complete: 'has completed',
  failed: 'has failed',
  timed_out: 'has timed out',
  cancelled: 'has been cancelled',
}

const OPEN_ENDINGS: Readonly<Record<OperationEnd['result'], string>> = {
  complete: 'has been opened',
  failed: 'failed to open',
  timed_out: 'timed out to open',
  cancelled: 'failed to open',
}

const SENTENCES: Readonly<Record<OperationEnd['result'], string>> = {
  complete: 'has been completed.',
  failed: 'has failed.',
  timed_out: 'has timed out.',
  cancelled: 'has been cancelled by the user.',
}

/** An operation with what its message tells. */
export interface EndedOperation {
  readonly operation: Operation
  readonly end: OperationEnd
  readonly clusterName: string
  readonly taskId: string
}

/** The title. */
export function endTitle({ operation, end, clusterName }: EndedOperation): string {
  const { kind, sources, remoteHost } = operation
  const places = placesOf(sources, remoteHost, clusterName)
  return kind === 'open'
    ? `${places} ${OPEN_ENDINGS[end.result]}`
    : `${NAMES[kind]} operation on ${places} ${ENDINGS[end.result]}`
}

/** The text, in paragraphs. */
export function endText({ operation, end, clusterName, taskId }: EndedOperation): string {
  const { kind, sources, remoteHost, target } = operation
  const from = placesOf(sources, remoteHost, clusterName)
  const to = target === null ? null : placesOf([target], null, clusterName)
  const name = kind === 'open' ? 'open' : NAMES[kind].toLowerCase()
  const places = to === null ? `on ${from}` : `from ${from} to ${to}`
  const parts = [`The ${name} operation ${places} ${SENTENCES[end.result]}`]
  if (end.counts.length > 0)
    parts.push(`Summary: ${end.counts.map(([what, count]) => `${what}: ${count}`).join(', ')}`)
  if (end.result === 'timed_out') parts.push(...lateText(operation))
  if (end.result === 'failed') parts.push(...failureText(kind, end, taskId))
  return parts.join('\n\n')
}

function lateText({ kind, sources, target, limitInMillis }: Operation): string[] {
  const limit = limitInMillis === null ? '' : ` after ${durationText(limitInMillis * 1e6)}`
  const index = target ?? sources.join(',')
  const what = kind === 'open' ? 'opening' : 'it'
  return [
    `Waiting for ${what} ended${limit}; it may go on. To see how far it is: GET /${index}/_recovery`,
  ]
}

function failureText(kind: OperationKind, { errors }: OperationEnd, taskId: string): string[] {
  const distinct = [...new Set(errors)].slice(0, MAX_ERRORS)
  const parts = []
  if (errors.length > 0) parts.push(`Errors: ${errors.length}\n${distinct.join('\n')}`)
  if (kind === 'shrink' || kind === 'split' || kind === 'clone')
    parts.push(
      'Check that writes to the source index are blocked (index.blocks.write), that one node has a copy of ' +
        'each of its shards, and that there is no index of the name of the target.',
    )
  parts.push(`For details: GET /_tasks/${taskId}`)
  return parts
}

/** `[cluster/index]`, `[a,b] from [cluster]`, `12 indexes from [cluster]`. */
function placesOf(names: readonly string[], remoteHost: string | null, cluster: string): string {
  const place = remoteHost === null ? cluster : `remote cluster ${remoteHost}`
  const [only] = names
  if (names.length === 1) return `[${place}/${only}]`
  return names.length > MAX_NAMES
    ? `${names.length} indexes from [${place}]`
    : `[${names.join(',')}] from [${place}]`
}
