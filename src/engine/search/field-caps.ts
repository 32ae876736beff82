import type { Mapping } from '../../schema/mapping.ts'
import { rewrite } from '../../search/query/query-ops.ts'
import type { CallContext } from '../../task/call-context.ts'
import { validationFailed } from '../../util/errors.ts'
import type { JsonNode } from '../../util/json/json-tree.ts'
import { matchesWildcard } from '../../util/wildcard.ts'
import type { FieldCapsCall, FieldCapsOutcome, IndexFieldCaps } from '../api/searches.ts'
import {
  type Capabilities,
  capabilitiesOf,
  metadataCapabilities,
  objectCapabilities,
} from '../dsl/field/capabilities.ts'
import { METADATA_FIELD_NAMES } from '../dsl/field/metadata/metadata-field.ts'
import { queryContextOf } from '../dsl/index-query-context.ts'
import { fieldError, parsingError, tokenName, unknownField } from '../dsl/parse-error.ts'
import { parseQuery } from '../dsl/query/parse-query.ts'
import { buildQuery, type ParsedQuery, type QueryContext } from '../dsl/query-context.ts'
import { DamagedShard } from '../node/damaged-shard.ts'
import type { Node } from '../node/node.ts'
import { answersTo } from './lookup-calls.ts'
import { searchByItself } from './search-call.ts'
import { resolveSearch, type ViewedIndex } from './search-targets.ts'
import { lookInto, rewrittenOn } from './shard-leaves.ts'

/**
 * Capabilities of fields in the indices of a call that may match its filter.
 * @throws {EngineError} no fields; a filter that is none, or fits an index not; as `resolveOpen`
 */
export async function fieldCaps(
  node: Node,
  { target, fields, body }: FieldCapsCall,
  context: CallContext,
): Promise<FieldCapsOutcome> {
  node.ensureOpen()
  const filter = filterOf(body)
  if (fields.length === 0) throw validationFailed(['no fields specified'])
  const viewed = resolveSearch(node, target, context)
  const answers = await answersTo(node, [filter], viewed, context, searchByItself)
  const nowInMillis = Date.now()
  return await node.scripts.whenLoaded(() => {
    const indices: IndexFieldCaps[] = []
    for (const found of viewed) {
      const queries = queryContextOf(found.view, node, nowInMillis, answers)
      if (filter === null || mayMatch(node, found, filter, queries))
        indices.push({ index: found.index.name, fields: fieldsOf(found, fields, queries) })
    }
    return { indices }
  })
}

/** Whether a shard may have a document that matches, as far as the query's rewriting tells. */
function mayMatch(
  node: Node,
  { index, view }: ViewedIndex,
  filter: ParsedQuery,
  context: QueryContext,
): boolean {
  const query = buildQuery(filter, context)
  // Terms and bounds of a shard are those of hidden documents too.
  if (view.visible !== null) return rewrite(query, true).kind !== 'matchNone'
  return index.allShards.some(shard => {
    if (shard instanceof DamagedShard) return false
    const snapshot = shard.snapshot.acquire()
    try {
      const rewritten = lookInto(node, snapshot, ({ leaves }) => rewrittenOn(query, leaves))
      return rewritten.kind !== 'matchNone'
    } finally {
      snapshot.release()
    }
  })
}

/** The fields that names and patterns mean, and the objects around them. */
function fieldsOf(
  { view: { shown: mapping } }: ViewedIndex,
  asked: readonly string[],
  context: QueryContext,
): ReadonlyMap<string, Capabilities> {
  const found = new Map<string, Capabilities>()
  for (const name of namesLike(asked, mapping)) {
    const field = mapping.field(name)
    const own = field === null ? metadataCapabilities(name, context) : capabilitiesOf(field)
    if (own === null) continue
    found.set(name, own)
    if (field !== null) addObjects(field.name, mapping, found)
  }
  return found
}

function namesLike(asked: readonly string[], mapping: Mapping): Set<string> {
  const names = new Set<string>()
  for (const pattern of asked) {
    if (!pattern.includes('*')) names.add(pattern)
    else
      for (const name of [...mapping.names(), ...METADATA_FIELD_NAMES])
        if (matchesWildcard(pattern, name)) names.add(name)
  }
  return names
}

function addObjects(name: string, mapping: Mapping, to: Map<string, Capabilities>): void {
  for (let at = name.lastIndexOf('.'); at > 0; at = name.lastIndexOf('.', at - 1)) {
    const path = name.slice(0, at)
    if (to.has(path)) return
    const object = mapping.object(path)
    // A multi-field lies below a field.
    if (object !== null) to.set(path, objectCapabilities(object.nested !== null))
  }
}

function filterOf(body: JsonNode | null): ParsedQuery | null {
  if (body === null) return null
  if (body.kind !== 'object')
    throw parsingError(body, `Expected [START_OBJECT] but found [${tokenName(body.kind)}]`)
  let filter: ParsedQuery | null = null
  for (const entry of body.entries) {
    const { key, value } = entry
    if (key !== 'index_filter') throw unknownField(entry, 'field_caps_request', ['index_filter'])
    try {
      filter = parseQuery(value)
    } catch (error) {
      throw fieldError(value, 'field_caps_request', key, error)
    }
  }
  return filter
}
