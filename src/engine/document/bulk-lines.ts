/** Reads the action lines of a bulk; documents stay bytes. */
import type { VersionType } from '../../shard/write-operation.ts'
import { didYouMean, findAlike } from '../../util/did-you-mean.ts'
import { IllegalArgumentError, validationFailed } from '../../util/errors.ts'
import { parseJsonTree } from '../../util/json/json-tree.ts'
import { type Long, parseLong } from '../../util/long.ts'
import type { BulkAction, BulkCall, SourceFilter } from '../api/documents.ts'
import { tokenName } from '../dsl/parse-error.ts'
import { parseSourceSelection } from '../dsl/search-body/source-selection.ts'
import { parseVersionType } from '../dsl/version-type.ts'
import { idFault } from './documents.ts'
import { parseUpdateBody, type UpdateBody } from './update-body.ts'
import { versionFaults } from './version-checks.ts'

/** One action line with its document. */
export interface BulkLine {
  readonly action: BulkAction
  readonly index: string
  readonly id: string | null
  readonly routing: string | null
  readonly ifSeqNo: Long | null
  readonly ifPrimaryTerm: Long | null
  readonly version: Long | null
  readonly versionType: VersionType
  readonly pipeline: string | null
  readonly requireAlias: boolean
  /** Of an update: how often it begins anew. */
  readonly retryOnConflict: number
  /** Of an update: the part of the source that its answer carries; null: as the body says. */
  readonly sourceFilter: SourceFilter | null
  /** Filled in once the next line is found; null for a delete. */
  source: Uint8Array | null
  /** Read from the next line; null for all but an update. */
  update: UpdateBody | null
}

const ACTIONS: readonly BulkAction[] = ['create', 'delete', 'index', 'update']
const NEWLINE = 10
const CARRIAGE_RETURN = 13

/**
 * @throws {EngineError} when a line is malformed, or what it asks for is
 */
export function readBulkLines(call: BulkCall): BulkLine[] {
  const { body } = call
  if (body.length === 0 || body[body.length - 1] !== NEWLINE)
    throw new IllegalArgumentError('The bulk request must be terminated by a newline [\\n]')
  const usual = new UsualLines(call)
  const lines: BulkLine[] = []
  const faults: string[] = []
  let at = 0
  for (let number = 1; at < body.length; number++) {
    let line = usual.readLike(at)
    if (line !== null) at = usual.end
    else {
      const end = body.indexOf(NEWLINE, at)
      const start = at
      at = end + 1
      if (isBlank(body, start, end)) continue
      line = usual.read(start, end) ?? readLine(call, body.subarray(start, end), number, faults)
    }
    if (line.action !== 'delete') {
      const sourceEnd = at < body.length ? body.indexOf(NEWLINE, at) : -1
      if (sourceEnd < 0) faults.push('source is missing')
      else {
        const hasReturn = sourceEnd > at && body[sourceEnd - 1] === CARRIAGE_RETURN
        line.source = body.subarray(at, hasReturn ? sourceEnd - 1 : sourceEnd)
        at = sourceEnd + 1
        number++
        if (line.action === 'update') line.update = readUpdate(line, line.source, faults)
      }
    }
    lines.push(line)
  }
  if (lines.length === 0 && faults.length === 0) faults.push('no requests added')
  if (faults.length > 0) throw validationFailed(faults)
  return lines
}

function isBlank(bytes: Uint8Array, start: number, end: number): boolean {
  for (let i = start; i < end; i++) if (bytes[i]! > 0x20) return false
  return true
}

/** An action, `_index` and `_id` as plain strings: what nearly every client sends. */
const USUAL_LINE =
  /^\{ ?"(index|create|delete)" ?: ?\{ ?(?:"_index" ?: ?"([^"\\\p{Cc}]+)" ?,? ?)?(?:"_id" ?: ?"([^"\\\p{Cc}]+)" ?)?\} ?\}\r?$/u

/** Ids of at most this many UTF-16 units cannot be too long in bytes. */
const SURELY_SHORT = 512 / 3
const QUOTE = 34
const BACKSLASH = 92

/** Reads lines of the usual form without looking for anything else; of any other it reads none. */
class UsualLines {
  readonly #call: BulkCall
  readonly #bytes: Buffer
  #action: BulkAction = 'index'
  #index = ''
  // Of the last line with an id: where it begins, and how long it is before its id; where the id ends, and how
  // long the line is from there to the next one. −1: there was none.
  #start = 0
  #head = -1
  #idEnd = 0
  #tail = 0
  /** Behind the line that `readLike` has read. */
  end = 0

  constructor(call: BulkCall) {
    const { body } = call
    this.#call = call
    this.#bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  }

  /** Reads a line that is the last one but for its id, as clients write them; null where it is not. */
  readLike(at: number): BulkLine | null {
    if (this.#head < 0) return null
    const bytes = this.#bytes
    const start = this.#start
    for (let i = 0; i < this.#head; i++) if (bytes[at + i] !== bytes[start + i]) return null
    const idAt = at + this.#head
    const most = Math.min(idAt + SURELY_SHORT, bytes.length)
    let idEnd = idAt
    for (; idEnd < most; idEnd++) {
      const byte = bytes[idEnd]!
      if (byte === QUOTE) break
      if (byte === BACKSLASH || byte < 0x20 || byte > 0x7e) return null
    }
    if (idEnd === idAt) return null
    for (let i = 0; i < this.#tail; i++)
      if (bytes[idEnd + i] !== bytes[this.#idEnd + i]) return null
    this.end = idEnd + this.#tail
    return this.#line(this.#action, this.#index, bytes.toString('latin1', idAt, idEnd))
  }

  read(start: number, end: number): BulkLine | null {
    const match = USUAL_LINE.exec(this.#bytes.toString('utf8', start, end))
    if (match === null) return null
    const id = match[3] ?? null
    if (match[2] !== undefined && this.#call.refusesOwnIndices === true) return null
    const index = match[2] ?? this.#call.index
    const action = match[1] as BulkAction
    if (index === null || (id === null ? action === 'delete' : id.length > SURELY_SHORT))
      return null
    if (id !== null) this.#learn(start, end, action, index)
    return this.#line(action, index, id)
  }

  #learn(start: number, end: number, action: BulkAction, index: string): void {
    const bytes = this.#bytes
    const idEnd = bytes.lastIndexOf(QUOTE, end)
    this.#action = action
    this.#index = index
    this.#start = start
    this.#head = bytes.lastIndexOf(QUOTE, idEnd - 1) + 1 - start
    this.#idEnd = idEnd
    this.#tail = end + 1 - idEnd
  }

  #line(action: BulkAction, index: string, id: string | null): BulkLine {
    return {
      action,
      index,
      id,
      routing: this.#call.routing,
      ifSeqNo: null,
      ifPrimaryTerm: null,
      version: null,
      versionType: 'internal',
      pipeline: this.#call.pipeline ?? null,
      requireAlias: this.#call.requireAlias,
      retryOnConflict: 0,
      sourceFilter: null,
      source: null,
      update: null,
    }
  }
}

/** The update of a line, with its action line's word on the source before its own. */
function readUpdate(line: BulkLine, source: Uint8Array, faults: string[]): UpdateBody {
  const { body, faults: own } = parseUpdateBody(parseJsonTree(source), line)
  faults.push(...own)
  return { ...body, source: line.sourceFilter ?? body.source }
}

/** An action's metadata: keys that were given, values checked to be scalars. */
type Metadata = ReadonlyMap<string, string | number | boolean>

/** Reads an action line of any form. */
function readLine(call: BulkCall, text: Uint8Array, number: number, faults: string[]): BulkLine {
  const line = parseJsonTree(text)
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
    throw malformed(
      `expected START_OBJECT or END_OBJECT but found [${tokenName(first.value.kind)}]`,
    )
  // Keys behind the action are ignored, as in the reference server: some clients count their retries there.
  const meta = new Map<string, string | number | boolean>()
  let sourceFilter: SourceFilter | null = null
  for (const { key, value } of first.value.entries) {
    // Null is as if the key were not there, whatever its name.
    if (value.kind === 'null') continue
    if (key === '_source') {
      sourceFilter = parseSourceSelection(value)
      continue
    }
    if (value.kind === 'object' || value.kind === 'array')
      throw malformed(
        `expected a simple value for field [${key}] but found [${tokenName(value.kind)}]`,
      )
    if (!METADATA_KEYS.has(key))
      throw new IllegalArgumentError(
        `Action/metadata line [${number}] contains an unknown parameter [${key}]${didYouMean(findAlike(key, METADATA_KEYS))}`,
      )
    meta.set(key, value.kind === 'number' ? value.text : value.value)
  }
  const read = lineOf(call, action, meta, number, faults)
  return action === 'update' && sourceFilter !== null ? { ...read, sourceFilter } : read
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

function lineOf(
  call: BulkCall,
  given: BulkAction,
  meta: Metadata,
  number: number,
  faults: string[],
): BulkLine {
  const textOf = (key: string): string | null => {
    const value = meta.get(key)
    return value === undefined ? null : String(value)
  }
  const longOf = (key: string): Long | null => {
    const value = textOf(key)
    if (value === null) return null
    const long = parseLong(value)
    if (long !== null) return long
    throw new IllegalArgumentError(
      `Failed to parse value [${value}] for field [${key}] of line [${number}]`,
    )
  }
  const opType = textOf('op_type')
  const action = given === 'index' && opType === 'create' ? 'create' : given
  const own = textOf('_index')
  if (own !== null && call.refusesOwnIndices === true)
    throw new IllegalArgumentError('explicit index in bulk is not allowed')
  const index = own ?? call.index
  const id = textOf('_id')
  const version = longOf('version')
  const ifSeqNo = longOf('if_seq_no')
  const ifPrimaryTerm = longOf('if_primary_term')
  const retryOnConflict = Number(longOf('retry_on_conflict') ?? 0)
  if (index === null) faults.push('index is missing')
  if (id === null && (action === 'delete' || action === 'update')) faults.push('id is missing')
  if (id !== null) {
    const fault = idFault(id)
    if (fault !== null) faults.push(fault)
  }
  if (action === 'update' && (version !== null || textOf('version_type') !== null))
    throw new IllegalArgumentError(
      'Update requests do not support versioning. Please use `if_seq_no` and `if_primary_term` instead',
    )
  const versionType = parseVersionType(textOf('version_type') ?? 'internal')
  const versioned = { version, versionType, ifSeqNo, ifPrimaryTerm }
  if (action !== 'update') faults.push(...versionFaults(versioned, action, id !== null))
  const requireAlias = textOf('require_alias')
  return {
    action,
    index: index ?? '',
    id,
    routing: textOf('routing') ?? call.routing,
    ifSeqNo,
    ifPrimaryTerm,
    version,
    versionType,
    pipeline: textOf('pipeline') ?? call.pipeline ?? null,
    requireAlias: requireAlias === null ? call.requireAlias : requireAlias === 'true',
    retryOnConflict,
    sourceFilter: action === 'update' ? call.source : null,
    source: null,
    update: null,
  }
}
