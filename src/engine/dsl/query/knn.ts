import { type KnnVectorField, numberOfNode } from '../../../schema/field-type/knn-vector.ts'
import { checkComponent, checkWhole, givenLength } from '../../../schema/knn-vector/read-vector.ts'
import type { VectorMethod } from '../../../schema/knn-vector/resolve-method.ts'
import type { VectorSpace } from '../../../schema/knn-vector/vector-space.ts'
import { matchNone, type Query, type VectorsQuery } from '../../../search/query/query.ts'
import { scoreOf } from '../../../search/vector/comparison.ts'
import { EngineError, IllegalArgumentError } from '../../../util/errors.ts'
import type { JsonEntry, JsonNode, JsonObjectNode } from '../../../util/json/json-tree.ts'
import { type DeclaredOption, FLAG, INTEGER, readDeclared } from '../declared-options.ts'
import { readBoolean, readInteger, readNumber } from '../json-scalars.ts'
import { parsingError } from '../parse-error.ts'
import type { ParsedQuery, QueryContext } from '../query-context.ts'
import type { QueryParser, QueryReader } from './query-parser.ts'

const NAME = 'knn'
const MAX_K = 10_000
const ONE_OF_THREE = '[knn] requires exactly one of k, distance or score to be set'
/** Parameters of methods, of which engines take some. */
const METHOD_PARAMETERS = ['ef_search', 'nprobes'] as const
const MIN_OVERSAMPLE = 1
const MAX_OVERSAMPLE = 100
/** How many times as many candidates, where none are said. */
const USUAL_OVERSAMPLE = 3
/** Max candidates: beyond these a scan of all takes less time. */
const MAX_CANDIDATES = 1_000_000

/** `knn`: the documents whose vectors are nearest to one, or near enough. */
export const knnParser: QueryParser = {
  mustBecomesFilter: 'never',
  parse(node, read) {
    let field: string | null = null
    let asked: AskedNeighbours = { ...NOTHING }
    for (const entry of node.entries) {
      const { key, value } = entry
      if (field !== null)
        throw parsingError(
          entry,
          `[knn] query doesn't support multiple fields, found [${field}] and [${key}]`,
        )
      field = key
      if (value.kind === 'object') asked = readAsked(value, read)
      else if (value.kind === 'array') asked = { ...asked, vector: value.items.map(bareComponent) }
      else
        throw new IllegalArgumentError("[knn] field 'vector' requires to be non-null and non-empty")
    }
    if (field === null)
      throw new IllegalArgumentError("[knn] field 'vector' requires to be non-null and non-empty")
    checkAsked(field, asked)
    const name = field
    return { field: name, build: context => build(name, asked, context) }
  },
}

/** The body of the query as it was given; null: not given. */
interface AskedNeighbours {
  readonly vector: readonly number[] | null
  readonly k: number | null
  readonly maxDistance: number | null
  readonly minScore: number | null
  readonly filter: ParsedQuery | null
  readonly ignoresUnmapped: boolean
  readonly methodParameters: ReadonlyMap<string, number> | null
  /** How many times as many candidates; `default` where it is only switched on. */
  readonly rescore: number | 'default' | 'off' | null
  readonly expandsNested: boolean
}

const NOTHING: AskedNeighbours = {
  vector: null,
  k: null,
  maxDistance: null,
  minScore: null,
  filter: null,
  ignoresUnmapped: false,
  methodParameters: null,
  rescore: null,
  expandsNested: false,
}

function bareComponent(node: JsonNode): number {
  if (node.kind === 'number') return Math.fround(node.value)
  throw new IllegalArgumentError("[knn] field 'vector' requires to be an array of numbers")
}

function readAsked(node: JsonObjectNode, read: QueryReader): AskedNeighbours {
  const asked: { -readonly [K in keyof AskedNeighbours]: AskedNeighbours[K] } = { ...NOTHING }
  const own = new Map<string, DeclaredOption>([
    [
      'vector',
      {
        takes: ['array', 'number', 'string'],
        read(value) {
          const items = value.kind === 'array' ? value.items : [value]
          if (items.length === 0)
            throw new IllegalArgumentError(
              "[knn] field 'vector' requires to be non-null and non-empty",
            )
          asked.vector = items.map(numberOfNode)
        },
      },
    ],
    ['k', { takes: INTEGER, read: value => (asked.k = readInteger(value)) }],
    [
      'max_distance',
      { takes: INTEGER, read: value => (asked.maxDistance = Math.fround(readNumber(value))) },
    ],
    [
      'min_score',
      { takes: INTEGER, read: value => (asked.minScore = Math.fround(readNumber(value))) },
    ],
    ['filter', { takes: ['object'], read: value => (asked.filter = read.inner(value)) }],
    [
      'ignore_unmapped',
      { takes: FLAG, read: value => (asked.ignoresUnmapped = readBoolean(value)) },
    ],
    [
      'method_parameters',
      {
        takes: ['object'],
        read: value => (asked.methodParameters = readMethodParameters(value as JsonObjectNode)),
      },
    ],
    [
      'rescore',
      { takes: ['object', 'boolean'], read: value => (asked.rescore = readRescore(value)) },
    ],
    [
      'expand_nested_docs',
      { takes: FLAG, read: value => (asked.expandsNested = readBoolean(value)) },
    ],
  ])
  const entries = node.entries.filter(entry => !read.option(entry))
  readDeclared(NAME, { ...node, entries }, own)
  checkTogether(entries)
  return asked
}

/** @throws {IllegalArgumentError} `rescore` beside a radius */
function checkTogether(entries: readonly JsonEntry[]): void {
  const has = (key: string): boolean => entries.some(entry => entry.key === key)
  for (const radius of ['max_distance', 'min_score'])
    if (has('rescore') && has(radius))
      throw new IllegalArgumentError(
        `The following fields are not allowed together: [rescore, ${radius}]`,
      )
}

function readMethodParameters(node: JsonObjectNode): ReadonlyMap<string, number> {
  if (node.entries.length === 0) throw parsingError(node, 'method_parameters cannot be empty')
  const found = new Map<string, number>()
  for (const entry of node.entries) {
    const { key, value } = entry
    if (!(METHOD_PARAMETERS as readonly string[]).includes(key))
      throw parsingError(entry, `[knn] unknown method parameter found [${key}]`)
    const text = value.kind === 'number' ? value.text : value.kind === 'string' ? value.value : ''
    if (!/^[+-]?\d{1,10}$/.test(text) || Math.abs(Number(text)) > 2147483647)
      throw parsingError(entry, 'ef_search value must be an integer')
    found.set(key, Number(text))
  }
  return found
}

function readRescore(node: JsonNode): AskedNeighbours['rescore'] {
  if (node.kind === 'boolean') return node.value ? 'default' : 'off'
  let factor: number | 'default' = 'default'
  readDeclared(
    'rescore',
    node as JsonObjectNode,
    new Map([
      [
        'oversample_factor',
        { takes: INTEGER, read: value => (factor = Math.fround(readNumber(value))) },
      ],
    ]),
  )
  return factor
}

/** @throws {IllegalArgumentError} what no index would take */
function checkAsked(field: string, asked: AskedNeighbours): void {
  const { vector, k, maxDistance, minScore, methodParameters, rescore } = asked
  if (field === '') throw new IllegalArgumentError('[knn] requires fieldName')
  if (vector === null) throw new IllegalArgumentError('[knn] requires query vector')
  if (vector.length === 0)
    throw new IllegalArgumentError("[knn] field 'vector' requires to be non-null and non-empty")
  const given = [k, maxDistance, minScore].filter(each => each !== null)
  if (given.length !== 1) throw new IllegalArgumentError(ONE_OF_THREE)
  if (k !== null && (k <= 0 || k > MAX_K))
    throw new IllegalArgumentError(`[knn] requires k to be in the range (0, ${MAX_K}]`)
  if (minScore !== null && minScore <= 0)
    throw new IllegalArgumentError('[knn] requires minScore to be greater than 0')
  const small = [...(methodParameters ?? [])].filter(([, value]) => value <= 0)
  if (small.length > 0) {
    const faults = small.map(
      ([name], i) => `${i + 1}: Validation Failed: 1: ${name} should be greater than 0;;`,
    )
    throw new IllegalArgumentError(
      `[knn] errors in method parameter [Validation Failed: ${faults.join('')}]`,
    )
  }
  if (typeof rescore !== 'number') return
  const bound = rescore < MIN_OVERSAMPLE ? MIN_OVERSAMPLE : MAX_OVERSAMPLE
  const words = rescore < MIN_OVERSAMPLE ? 'less' : rescore > MAX_OVERSAMPLE ? 'more' : null
  if (words !== null)
    throw new IllegalArgumentError(
      '[knn] errors in rescore parameter [Validation Failed: 1: Oversample factor ' +
        `[${rescore.toFixed(6)}] cannot be ${words} than [${bound.toFixed(6)}];]`,
    )
}

function build(name: string, asked: AskedNeighbours, context: QueryContext): Query {
  const { mapping, nested, notes } = context
  const field = mapping.field(name)
  if (field === null && asked.ignoresUnmapped) return matchNone('')
  if (field?.type !== 'knn_vector')
    throw new IllegalArgumentError(`Field '${name}' is not knn_vector type.`)
  const { space, method } = field
  if (space === null || method === null)
    throw new IllegalArgumentError(`Field '${name}' is not built for ANN search.`)
  const kind = asked.k !== null ? 'K' : asked.maxDistance !== null ? 'MAX_DISTANCE' : 'MIN_SCORE'
  countRequest(asked, context)
  checkMethodParameters(asked, method, kind)
  const minScore = radiusOf(asked, field, space, method)
  const vector = asked.vector!
  checkVector(vector, field, space)
  const filter = filterOf(asked.filter, context)
  const isNested = nested.path !== null
  const query: VectorsQuery = {
    kind: 'vectors',
    engine: method.engine,
    field: field.name,
    space,
    element: field.element,
    vector,
    limit: asked.k,
    candidates: candidatesOf(asked, method, context.efSearch),
    oversample: oversampleOf(asked, method),
    minScore,
    ...filter,
    bestOfWhole: isNested && asked.k !== null,
    within: null,
  }
  if (asked.k === null) return query
  const nearest = {
    kind: 'nearest' as const,
    field: field.name,
    query,
    k: asked.k,
    isNested,
    expandsNested: asked.expandsNested,
    found: null,
  }
  notes.joins.push(nearest)
  return nearest
}

function countRequest({ k, maxDistance, filter }: AskedNeighbours, context: QueryContext): void {
  const aim = k !== null ? 'k' : maxDistance !== null ? 'maxDistance' : 'minScore'
  const counts = context.vectorRequests.queries[aim]
  counts.all++
  if (filter !== null) counts.filtered++
}

/**
 * How many candidates of a graph are looked at, whose whole vectors are always compared; null: there is no graph,
 * or all documents that are near enough are asked for.
 */
function candidatesOf(asked: AskedNeighbours, method: VectorMethod, usual: number): number | null {
  const { k, methodParameters } = asked
  if (k === null || method.name !== 'hnsw') return null
  const ef = methodParameters?.get('ef_search') ?? method.efSearch ?? usual
  return Math.min(MAX_CANDIDATES, Math.max(ef, Math.ceil(k * (oversampleOf(asked, method) ?? 1))))
}

/** How many times as many candidates are asked for as hits; null: as many. */
function oversampleOf(
  { k, rescore }: AskedNeighbours,
  { name, compression, isOnDisk }: VectorMethod,
): number | null {
  if (k === null || name !== 'hnsw') return null
  if (typeof rescore === 'number') return rescore
  const isSqueezed = isOnDisk && compression > 1
  return rescore === 'default' || (rescore === null && isSqueezed) ? USUAL_OVERSAMPLE : null
}

/** @throws {IllegalArgumentError} parameters that the field's engine does not take for such a search */
function checkMethodParameters(
  { methodParameters }: AskedNeighbours,
  { engine, name }: VectorMethod,
  kind: 'K' | 'MAX_DISTANCE' | 'MIN_SCORE',
): void {
  const taken = name === 'hnsw' && (engine === 'faiss' || kind === 'K') ? ['ef_search'] : []
  const unknown = [...(methodParameters?.keys() ?? [])].filter(each => !taken.includes(each))
  if (unknown.length === 0) return
  const faults = unknown.map((each, i) => `${i + 1}: Unknown parameter '${each}' found;`)
  const type = { K: 'k', MAX_DISTANCE: 'max_distance', MIN_SCORE: 'min_score' }[kind]
  throw new IllegalArgumentError(
    `Parameters not valid for [${engine.toUpperCase()}]:[${name}]:[${type}] combination: ` +
      `[Validation Failed: ${faults.join('')}]`,
  )
}

/** The least score of a search by radius; null: there is no radius. */
function radiusOf(
  { maxDistance, minScore }: AskedNeighbours,
  { element }: KnnVectorField,
  space: VectorSpace,
  { compression }: VectorMethod,
): number | null {
  if (maxDistance === null && minScore === null) return null
  if (element === 'binary') throw unsupported('Binary data type does not support radial search')
  if (compression >= 8)
    throw unsupported('Radial search is not supported for indices which have quantization enabled')
  const isProduct = space === 'innerproduct'
  if (maxDistance !== null) {
    if (maxDistance < 0 && !isProduct)
      throw new IllegalArgumentError(
        `[knn] requires distance to be non-negative for space type: ${enumName(space)}`,
      )
    // The distance of directions is 1 less their cosine; that of products is the product.
    return scoreOf(space, space === 'cosinesimil' ? Math.fround(1 - maxDistance) : maxDistance)
  }
  if (minScore! > 1 && !isProduct)
    throw new IllegalArgumentError(
      `[knn] requires score to be in the range [0, 1] for space type: ${enumName(space)}`,
    )
  return minScore
}

function enumName(space: VectorSpace): string {
  return space === 'innerproduct' ? 'INNER_PRODUCT' : space.toUpperCase()
}

function unsupported(reason: string): EngineError {
  return new EngineError({ type: 'unsupported_operation_exception', reason })
}

function checkVector(vector: readonly number[], field: KnnVectorField, space: VectorSpace): void {
  const { element, dimension } = field
  if (vector.length !== givenLength(field))
    throw new IllegalArgumentError(
      `Query vector has invalid dimension: ${element === 'binary' ? 8 * vector.length : vector.length}. ` +
        `Dimension should be: ${dimension}`,
    )
  for (const value of vector) checkComponent(value, element)
  checkWhole(vector, space)
}

/** The filter, which is asked of whole documents unless it names nested ones itself. */
function filterOf(
  filter: ParsedQuery | null,
  context: QueryContext,
): Pick<VectorsQuery, 'filter' | 'filtersWhole'> {
  if (filter === null) return { filter: null, filtersWhole: false }
  const { nested } = context
  const made = filter.build({ ...context, nested: { ...nested, path: null } })
  if (nested.path === null) return { filter: made, filtersWhole: false }
  if (made.kind === 'blockJoin' && made.parentPath === null)
    return { filter: made.query, filtersWhole: false }
  return { filter: made, filtersWhole: true }
}
