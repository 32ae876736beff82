import type { Shard } from '../ingest/shard.ts'
import type { VersionType, WriteOperation } from '../ingest/write-operation.ts'
import { didYouMean, findAlike } from '../util/did-you-mean.ts'
import { EngineError, IllegalArgumentError } from '../util/errors.ts'
import { parseJsonTree } from '../util/json/json-tree.ts'
import { newDocumentId } from './document-id.ts'
import {
  checkId,
  checkWrite,
  outcomeOf,
  refreshAfter,
  refuseAlias,
  shardForWrite,
} from './documents.ts'
import { tokenName } from './dsl/parse-error.ts'
import type { BulkAction, BulkCall, BulkItem, BulkOutcome } from './engine-api.ts'
import { ensureIndex } from './index-life.ts'
import type { IndexService } from './index-service.ts'
import type { Node } from './node.ts'

/** One action line with its document. */
interface BulkLine {
  readonly action: BulkAction
  readonly index: string
  readonly id: string | null
  readonly routing: string | null
  readonly ifSeqNo: number | null
  readonly ifPrimaryTerm: number | null
  readonly version: number | null
  readonly versionType: VersionType
  readonly pipeline: string | null
  readonly requireAlias: boolean
  /** Filled in once the next line is found; null for a delete. */
  source: Uint8Array | null
}

const ACTIONS: readonly BulkAction[] = ['create', 'delete', 'index', 'update']
const NEWLINE = 10

/**
 * Runs a bulk. Operations of one shard run in their order; a failing item leaves the others alone.
 * @throws {EngineError} when an action line is malformed: nothing was written then
 */
export async function runBulk(node: Node, call: BulkCall): Promise<BulkOutcome> {
  const started = performance.now()
  node.ensureOpen()
  const lines = readLines(call)
  return await node.indexingPressure.during(call.body.length, lines.length, () =>
    runLines(node, call, lines, started),
  )
}

async function runLines(
  node: Node,
  call: BulkCall,
  lines: readonly BulkLine[],
  started: number,
): Promise<BulkOutcome> {
  const items: BulkItem[] = new Array(lines.length)
  const groups = new Map<
    Shard,
    { readonly index: IndexService; readonly operations: WriteOperation[]; readonly at: number[] }
  >()
  const indices = new Map<string, IndexService | EngineError>()
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i]!
    const { action } = line
    const id = line.id ?? newDocumentId()
    try {
      let index = indices.get(line.index)
      if (index === undefined) {
        index = await indexOf(node, line.index)
        indices.set(line.index, index)
      }
      if (index instanceof EngineError) throw index
      const operation = operationOf(line, id)
      refuseAlias(line.index, line.requireAlias)
      checkWrite(index, operation)
      const shard = shardForWrite(index, operation, call)
      let group = groups.get(shard)
      if (group === undefined) {
        group = { index, operations: [], at: [] }
        groups.set(shard, group)
      }
      group.operations.push(operation)
      group.at.push(i)
    } catch (error) {
      if (!(error instanceof EngineError)) throw error
      items[i] = { action, index: line.index, id: line.id, error }
    }
  }
  await Promise.all(
    Array.from(groups, async ([shard, { index, operations, at }]) => {
      const outcomes = await shard.submit(operations).catch((error: unknown) => error)
      const forced = Array.isArray(outcomes)
        ? await refreshAfter(index, [shard], call.refresh)
        : false
      at.forEach((i, j) => {
        const outcome: unknown = Array.isArray(outcomes) ? outcomes[j] : outcomes
        const { id } = operations[j]!
        items[i] =
          outcome instanceof Error
            ? { action: lines[i]!.action, index: index.name, id, error: outcome }
            : { action: lines[i]!.action, outcome: outcomeOf(index, id, outcome as never, forced) }
      })
    }),
  )
  return { tookInMillis: Math.floor(performance.now() - started), items }
}

async function indexOf(node: Node, name: string): Promise<IndexService | EngineError> {
  try {
    return await ensureIndex(node, name)
  } catch (error) {
    if (error instanceof EngineError) return error
    throw error
  }
}

function operationOf(line: BulkLine, id: string): WriteOperation {
  const { routing, ifSeqNo, ifPrimaryTerm, version, versionType, action } = line
  if (line.id === '') throw new IllegalArgumentError('if _id is specified it must not be empty')
  if (line.pipeline !== null && line.pipeline !== '_none')
    throw new IllegalArgumentError(`pipeline with id [${line.pipeline}] does not exist`)
  if (action === 'update') throw new IllegalArgumentError('[update] is not supported yet')
  if (action === 'delete')
    return { kind: 'delete', id, routing, ifSeqNo, ifPrimaryTerm, version, versionType }
  // Written out: to spread a common part would cost as much as all else here.
  return {
    kind: 'index',
    id,
    routing,
    ifSeqNo,
    ifPrimaryTerm,
    version,
    versionType,
    isCreate: action === 'create',
    isNewId: line.id === null,
    source: line.source!,
  }
}

/** Reads the action lines; documents stay bytes. */
function readLines(call: BulkCall): BulkLine[] {
  const { body } = call
  if (body.length === 0 || body[body.length - 1] !== NEWLINE)
    throw new IllegalArgumentError('The bulk request must be terminated by a newline [\\n]')
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  const lines: BulkLine[] = []
  const faults: string[] = []
  let at = 0
  for (let number = 1; at < body.length; number++) {
    const end = body.indexOf(NEWLINE, at)
    if (isBlank(body, at, end)) {
      at = end + 1
      continue
    }
    const line = quickLine(call, text, at, end) ?? readLine(call, text, at, end, number, faults)
    at = end + 1
    if (line.action !== 'delete') {
      const sourceEnd = at < body.length ? body.indexOf(NEWLINE, at) : -1
      if (sourceEnd < 0) faults.push('source is missing')
      else {
        const last = sourceEnd > at && body[sourceEnd - 1] === 13 ? sourceEnd - 1 : sourceEnd
        line.source = body.subarray(at, last)
        at = sourceEnd + 1
        number++
      }
    }
    lines.push(line)
  }
  if (lines.length === 0 && faults.length === 0) faults.push('no requests added')
  if (faults.length > 0)
    throw new EngineError({
      type: 'action_request_validation_exception',
      reason: `Validation Failed: ${faults.map((fault, i) => `${i + 1}: ${fault};`).join('')}`,
    })
  return lines
}

function isBlank(bytes: Uint8Array, start: number, end: number): boolean {
  for (let i = start; i < end; i++) if (bytes[i]! > 0x20) return false
  return true
}

/** An action's metadata: keys that were given, values checked to be scalars. */
type Metadata = ReadonlyMap<string, string | number | boolean | null>

/** Reads an action line of any form. */
function readLine(
  call: BulkCall,
  text: Buffer,
  start: number,
  end: number,
  number: number,
  faults: string[],
): BulkLine {
  const line = parseJsonTree(text.subarray(start, end))
  const malformed = (rest: string): IllegalArgumentError =>
    new IllegalArgumentError(`Malformed action/metadata line [${number}], ${rest}`)
  if (line.kind !== 'object')
    throw malformed(`expected START_OBJECT but found [${tokenName(line.kind)}]`)
  const first = line.entries[0]
  if (first === undefined) throw malformed('expected FIELD_NAME but found [END_OBJECT]')
  const action = ACTIONS.find(name => name === first.key)
  if (action === undefined)
    throw malformed(
      `expected field [create], [delete], [index] or [update] but found [${first.key}]`,
    )
  if (first.value.kind !== 'object')
    throw malformed(`expected START_OBJECT but found [${tokenName(first.value.kind)}]`)
  if (line.entries.length > 1) throw malformed('expected END_OBJECT but found [FIELD_NAME]')
  const meta = new Map<string, string | number | boolean | null>()
  for (const { key, value } of first.value.entries) {
    if (value.kind === 'object' || value.kind === 'array')
      throw malformed(
        `expected a simple value for field [${key}] but found [${tokenName(value.kind)}]`,
      )
    if (!METADATA_KEYS.has(key))
      throw new IllegalArgumentError(
        `Action/metadata line [${number}] contains an unknown parameter [${key}]${didYouMean(findAlike(key, METADATA_KEYS))}`,
      )
    meta.set(key, value.kind === 'null' ? null : value.kind === 'number' ? value.text : value.value)
  }
  return lineOf(call, action, meta, number, faults)
}

const METADATA_KEYS = new Set([
  '_index',
  '_id',
  'routing',
  'op_type',
  'version',
  'version_type',
  'if_seq_no',
  'if_primary_term',
  'retry_on_conflict',
  'pipeline',
  '_source',
  'require_alias',
])

/** The line that nearly every client sends: one action with `_index` and `_id` as plain strings. */
const QUICK_LINE =
  /^\{ ?"(index|create|delete)" ?: ?\{ ?(?:"_index" ?: ?"([^"\\]+)" ?,? ?)?(?:"_id" ?: ?"([^"\\]+)" ?)?\} ?\}\r?$/

/** Ids of at most this many UTF-16 units cannot be too long in bytes. */
const SURELY_SHORT = 512 / 3

/** Reads a line of the usual form without looking for anything else; null for any other. */
function quickLine(call: BulkCall, text: Buffer, start: number, end: number): BulkLine | null {
  const match = QUICK_LINE.exec(text.toString('utf8', start, end))
  if (match === null) return null
  const id = match[3] ?? null
  const index = match[2] ?? call.index
  const action = match[1] as BulkAction
  if (index === null || (id === null ? action === 'delete' : id.length > SURELY_SHORT)) return null
  return {
    action,
    index,
    id,
    routing: call.routing,
    ifSeqNo: null,
    ifPrimaryTerm: null,
    version: null,
    versionType: 'internal',
    pipeline: null,
    requireAlias: call.requireAlias,
    source: null,
  }
}

function lineOf(
  call: BulkCall,
  given: BulkAction,
  meta: Metadata,
  number: number,
  faults: string[],
): BulkLine {
  const textOf = (key: string): string | null => {
    const value = meta.get(key)
    return value === undefined || value === null ? null : String(value)
  }
  const numberOf = (key: string): number | null => {
    const value = textOf(key)
    if (value === null) return null
    if (!/^-?\d{1,16}$/.test(value))
      throw new IllegalArgumentError(
        `Failed to parse value [${value}] for field [${key}] of line [${number}]`,
      )
    return Number(value)
  }
  const opType = textOf('op_type')
  const action = given === 'index' && opType === 'create' ? 'create' : given
  const index = textOf('_index') ?? call.index
  const id = textOf('_id')
  const version = numberOf('version')
  const ifSeqNo = numberOf('if_seq_no')
  const ifPrimaryTerm = numberOf('if_primary_term')
  if (index === null) faults.push('index is missing')
  if (id === null && (action === 'delete' || action === 'update')) faults.push('id is missing')
  if (id !== null) {
    try {
      checkId(id)
    } catch (error) {
      faults.push((error as Error).message.replace(/^Validation Failed: 1: |;$/g, ''))
    }
  }
  if (version !== null && ifSeqNo !== null)
    faults.push('compare and write operations can not use versioning')
  if (ifSeqNo !== null && ifPrimaryTerm === null)
    faults.push('ifSeqNo is set, but primary term is [0]')
  if (ifSeqNo === null && ifPrimaryTerm !== null)
    faults.push(`ifSeqNo is unassigned, but primary term is [${ifPrimaryTerm}]`)
  const requireAlias = textOf('require_alias')
  return {
    action,
    index: index ?? '',
    id,
    routing: textOf('routing') ?? call.routing,
    ifSeqNo,
    ifPrimaryTerm,
    version,
    versionType: versionTypeOf(textOf('version_type')),
    pipeline: textOf('pipeline'),
    requireAlias: requireAlias === null ? call.requireAlias : requireAlias === 'true',
    source: null,
  }
}

function versionTypeOf(text: string | null): VersionType {
  if (text === null || text === 'internal') return 'internal'
  if (text === 'external' || text === 'external_gt') return 'external'
  if (text === 'external_gte') return text
  throw new IllegalArgumentError(`No version type match [${text}]`)
}
