/** The body of an update, of `_update` and of a bulk alike. */

import { parseBoolean } from '../../schema/field-type/field-parameter.ts'
import type { ScriptRequest } from '../../script/script-request.ts'
import type { JsonEntry, JsonNode, JsonObjectNode } from '../../util/json/json-tree.ts'
import { type Long, parseLong } from '../../util/long.ts'
import type { SourceFilter } from '../api/documents.ts'
import { contentError, tokenName, unknownField } from '../dsl/parse-error.ts'
import { parseScript } from '../dsl/parse-script.ts'
import { parseSourceSelection } from '../dsl/search-body/source-selection.ts'
import { checkSeqNo, seqNoFaults } from './version-checks.ts'

/** An update as its body asks for it. */
export interface UpdateBody {
  /** Laid over the source; null: a script changes it. */
  readonly doc: JsonObjectNode | null
  /** Null: `doc` is given. */
  readonly script: ScriptRequest | null
  /** Whether the script runs over `upsert` too where there is no document yet. */
  readonly scriptsUpsert: boolean
  /** The document where there is none yet; null: that is an error. */
  readonly upsert: JsonObjectNode | null
  /** Whether nothing is written where nothing would change. */
  readonly detectsNoop: boolean
  /** The part of the source that the answer carries; null: none. */
  readonly source: SourceFilter | null
  readonly ifSeqNo: Long | null
  readonly ifPrimaryTerm: Long | null
}

const KEYS = [
  'doc',
  'upsert',
  'doc_as_upsert',
  'detect_noop',
  'script',
  'scripted_upsert',
  '_source',
  'if_seq_no',
  'if_primary_term',
]

/** Parameters of an update that stand outside of its body. */
interface GivenUpdate {
  readonly ifSeqNo: Long | null
  readonly ifPrimaryTerm: Long | null
  readonly retryOnConflict: number
}

/**
 * Reads the body of an update. Its sequence number and primary term go before those that are given.
 * @returns the update, and the faults of parameters that do not go together
 * @throws {EngineError} `x_content_parse_exception`: an unknown key, a value of another type;
 *   `illegal_argument_exception`: a negative sequence number or primary term
 */
export function parseUpdateBody(
  node: JsonNode,
  given: GivenUpdate,
): { readonly body: UpdateBody; readonly faults: readonly string[] } {
  if (node.kind !== 'object')
    throw contentError(
      node,
      `[UpdateRequest] Expected START_OBJECT but was: ${tokenName(node.kind)}`,
    )
  let doc: JsonObjectNode | null = null
  let script: ScriptRequest | null = null
  let scriptsUpsert = false
  let upsert: JsonObjectNode | null = null
  let docAsUpsert = false
  let detectsNoop = true
  let source: SourceFilter | null = null
  let { ifSeqNo, ifPrimaryTerm } = given
  for (const entry of node.entries) {
    const { key, value } = entry
    if (key === 'doc') doc = objectOf(entry)
    else if (key === 'upsert') upsert = objectOf(entry)
    else if (key === 'doc_as_upsert') docAsUpsert = parseBoolean(value, key)
    else if (key === 'detect_noop') detectsNoop = parseBoolean(value, key)
    else if (key === '_source') source = parseSourceSelection(value)
    else if (key === 'if_seq_no') ifSeqNo = longOf(entry)
    else if (key === 'if_primary_term') ifPrimaryTerm = longOf(entry)
    else if (key === 'script') script = parseScript(value)
    else if (key === 'scripted_upsert') scriptsUpsert = parseBoolean(value, key)
    else throw unknownField(entry, 'UpdateRequest', KEYS)
  }
  checkSeqNo(ifSeqNo, ifPrimaryTerm)
  const faults = seqNoFaults(ifSeqNo, ifPrimaryTerm)
  if (ifSeqNo !== null) {
    if (given.retryOnConflict > 0) faults.push('compare and write operations can not be retried')
    if (docAsUpsert) faults.push('compare and write operations can not be used with upsert')
    if (upsert !== null)
      faults.push("upsert requests don't support `if_seq_no` and `if_primary_term`")
  }
  if (doc === null && script === null) faults.push('script or doc is missing')
  if (doc !== null && script !== null) faults.push("can't provide both script and doc")
  if (doc === null) {
    if (docAsUpsert) faults.push('doc must be specified if doc_as_upsert is enabled')
  }
  const body = {
    doc,
    script,
    scriptsUpsert,
    upsert: docAsUpsert ? doc : upsert,
    detectsNoop,
    source,
    ifSeqNo,
    ifPrimaryTerm,
  }
  return { body, faults }
}

function objectOf(entry: JsonEntry): JsonObjectNode {
  if (entry.value.kind === 'object') return entry.value
  throw contentError(
    entry.value,
    `[UpdateRequest] ${entry.key} doesn't support values of type: ${tokenName(entry.value.kind)}`,
  )
}

function longOf(entry: JsonEntry): Long {
  const { value } = entry
  const text = value.kind === 'number' ? value.text : value.kind === 'string' ? value.value : ''
  const number = parseLong(text)
  if (number !== null) return number
  throw contentError(value, `[UpdateRequest] failed to parse field [${entry.key}]`)
}
