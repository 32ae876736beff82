/** Bodies of requests for vectors: of one document, and of several. */
import type { TermFilter, TermVectorsCall } from '../../../engine/api/term-vectors.ts'
import { isScalar, readBoolean, readInteger, readText } from '../../../engine/dsl/json-scalars.ts'
import { parseVersionType } from '../../../engine/dsl/version-type.ts'
import { EngineError, IllegalArgumentError } from '../../../util/errors.ts'
import type { JsonEntry, JsonNode, JsonObjectNode } from '../../../util/json/json-tree.ts'
import { parseLong } from '../../../util/long.ts'

type Changes = Partial<TermVectorsCall>

/** By key of a document's request: the part of the call that it changes. */
const KEYS: Readonly<Record<string, (entry: JsonEntry, call: TermVectorsCall) => Changes>> = {
  _index: ({ value }) => ({ index: readText(value) }),
  _id: ({ value }, { doc }) => {
    if (doc !== null) throw bothGiven()
    return { id: readText(value) }
  },
  doc: ({ value }, { id }) => {
    if (id !== null) throw bothGiven()
    return { doc: value }
  },
  routing: ({ value }) => ({ routing: readText(value) }),
  version: entry => ({ version: longOf(entry) }),
  version_type: ({ value }) => ({ versionType: parseVersionType(readText(value)) }),
  fields: ({ value }) => {
    if (value.kind !== 'array')
      throw parseError('failed to parse term vectors request. field [fields] must be an array')
    // An empty list changes nothing.
    return value.items.length === 0 ? {} : { fields: value.items.map(readText) }
  },
  offsets: ({ value }) => ({ offsets: readBoolean(value) }),
  positions: ({ value }) => ({ positions: readBoolean(value) }),
  payloads: ({ value }) => ({ payloads: readBoolean(value) }),
  term_statistics: ({ value }) => ({ termStatistics: readBoolean(value) }),
  termStatistics: ({ value }) => ({ termStatistics: readBoolean(value) }),
  field_statistics: ({ value }) => ({ fieldStatistics: readBoolean(value) }),
  fieldStatistics: ({ value }) => ({ fieldStatistics: readBoolean(value) }),
  per_field_analyzer: entry => ({ analyzers: analyzersOf(entry) }),
  filter: entry => ({ filter: filterOf(entry) }),
}

/** By key of a filter: the bound that it is. */
const FILTER_KEYS: Readonly<Record<string, keyof TermFilter>> = {
  max_num_terms: 'maxTerms',
  min_term_freq: 'minTermFreq',
  max_term_freq: 'maxTermFreq',
  min_doc_freq: 'minDocFreq',
  max_doc_freq: 'maxDocFreq',
  min_word_length: 'minWordLength',
  max_word_length: 'maxWordLength',
}

const INT_MAX = 2147483647

const NO_BOUNDS: TermFilter = {
  maxTerms: 25,
  minTermFreq: 0,
  maxTermFreq: INT_MAX,
  minDocFreq: 0,
  maxDocFreq: INT_MAX,
  minWordLength: 0,
  maxWordLength: 0,
}

/**
 * The request of one document.
 * @param call what holds where the body does not say otherwise
 * @throws {EngineError} 400: an unknown key, or a value that is none
 */
export function readVectorsBody(node: JsonObjectNode, call: TermVectorsCall): TermVectorsCall {
  let read = call
  for (const entry of node.entries) {
    const { key } = entry
    if (!Object.hasOwn(KEYS, key))
      throw parseError(`failed to parse term vectors request. unknown field [${key}]`)
    read = { ...read, ...KEYS[key]!(entry, read) }
  }
  return read
}

/**
 * The requests of several documents: those that the body spells out, then those of ids.
 * @param template what holds where a document does not say otherwise
 * @param ids      of the URL; those of the body take their place
 * @throws {EngineError} 400: an unknown key, or a value that is none
 */
export function readMultiVectorsBody(
  body: JsonObjectNode | null,
  template: TermVectorsCall,
  ids: readonly string[],
): TermVectorsCall[] {
  const calls: TermVectorsCall[] = []
  let shared = template
  let named = ids
  for (const { key, value } of body?.entries ?? []) {
    if (value.kind === 'array') {
      if (key === 'docs') calls.push(...value.items.map(item => readItem(item, shared)))
      else if (key === 'ids') named = value.items.map(readId)
      else throw parseError(`no parameter named [${key}] and type ARRAY`)
    } else if (value.kind === 'object') {
      if (key !== 'parameters') throw parseError(`no parameter named [${key}] and type OBJECT`)
      shared = readVectorsBody(value, shared)
    } else throw parseError(`_mtermvectors: Parameter [${key}] not supported`)
  }
  return [...calls, ...named.map(id => ({ ...shared, id }))]
}

function readItem(item: JsonNode, shared: TermVectorsCall): TermVectorsCall {
  if (item.kind === 'object') return readVectorsBody(item, shared)
  throw new IllegalArgumentError('docs array element should include an object')
}

function readId(item: JsonNode): string {
  if (isScalar(item)) return readText(item)
  throw new IllegalArgumentError('ids array element should only contain ids')
}

function analyzersOf({ key, value }: JsonEntry): ReadonlyMap<string, string> {
  if (value.kind !== 'object')
    throw parseError(`failed to parse term vectors request. field [${key}] must be an object`)
  return new Map(
    value.entries.map(({ key: field, value: name }) => {
      if (name.kind === 'string') return [field, name.value]
      throw parseError(
        `expecting the analyzer at [${field}] to be a String, but found [${name.kind}] instead`,
      )
    }),
  )
}

function filterOf({ key, value }: JsonEntry): TermFilter {
  if (value.kind !== 'object')
    throw parseError(`failed to parse term vectors request. field [${key}] must be an object`)
  const bounds: { -readonly [K in keyof TermFilter]: TermFilter[K] } = { ...NO_BOUNDS }
  for (const { key, value: bound } of value.entries) {
    if (!Object.hasOwn(FILTER_KEYS, key))
      throw parseError(
        `failed to parse term vectors request. the field [${key}] is not valid for filter ` +
          'parameter for term vector request',
      )
    bounds[FILTER_KEYS[key]!] = readInteger(bound)
  }
  return bounds
}

function longOf({ key, value }: JsonEntry): NonNullable<TermVectorsCall['version']> {
  const text = readText(value)
  const version = parseLong(text)
  if (version !== null) return version
  throw parseError(`Failed to parse value [${text}] for field [${key}]`)
}

function bothGiven(): EngineError {
  return parseError(
    'failed to parse term vectors request. either [id] or [doc] can be specified, but not both!',
  )
}

function parseError(reason: string): EngineError {
  return new EngineError({ type: 'parse_exception', reason })
}
