/** Emits the values of derived fields that aggregations read, in one shard ahead of its search. */
import type { Aggregation } from '../../aggregation/aggregation.ts'
import { bindJoins, type FoundJoins } from '../../search/query/bind-joins.ts'
import type { Query } from '../../search/query/query.ts'
import type {
  DerivedValues,
  EmittedDocs,
  EmittedSource,
} from '../../search/script/derived-values.ts'
import { emittedNumber, emittedText, isTextType } from '../fetch/derived/derived-json.ts'
import type { Node } from '../node/node.ts'
import { emitForEach } from './derived-candidates.ts'
import type { IndexSearch } from './index-search.ts'
import type { JoinCall } from './join-call.ts'
import { listMatches } from './list-matches.ts'

/** Memory of a value. */
const NUMBER_BYTES = 24
const TEXT_BYTES = 64

/**
 * The aggregations with the values that they read; the same objects where they read none of derived fields.
 * @throws {EngineError} as a search; a script fails, or emits what is no value of its field
 */
export async function emitDerived(
  node: Node,
  { aggregations, query, all }: Pick<IndexSearch, 'aggregations' | 'query' | 'all'>,
  joins: FoundJoins,
  call: JoinCall,
): Promise<readonly Aggregation[]> {
  const sources = new Map<string, EmittedSource>()
  for (const source of sourcesIn(aggregations)) sources.set(keyOf(source), source)
  if (sources.size === 0) return aggregations
  const seen = bindJoins(looksBeyond(aggregations) || query.kind === 'hybrid' ? all : query, joins)
  const found = new Map<string, readonly EmittedDocs[]>()
  for (const [key, { values }] of sources) found.set(key, await emittedBy(node, values, seen, call))
  return bound(aggregations, found) as readonly Aggregation[]
}

async function emittedBy(
  node: Node,
  values: DerivedValues,
  query: Query,
  call: JoinCall,
): Promise<readonly EmittedDocs[]> {
  const runs = await listMatches(node, query, call)
  const { type, path } = values
  const isMember = path !== null
  const columns = call.snapshot.leaves.map(() => new Column(isTextType(type)))
  await emitForEach(node, { values, runs, isNested: false }, call, (leafOrd, docId, emitted) => {
    const column = columns[leafOrd]!
    if (column.hasTexts) {
      const texts = emitted.map(value => emittedText(value, type, isMember))
      call.charge.add(texts.reduce((sum, text) => sum + 2 * text.length, TEXT_BYTES * texts.length))
      column.addTexts(docId, texts)
    } else {
      const numbers = emitted.map(value => emittedNumber(value, type, isMember))
      call.charge.add(NUMBER_BYTES * numbers.length)
      column.addNumbers(docId, numbers)
    }
  })
  return columns.map(column => column.end())
}

/** The values of a leaf while they are emitted. */
class Column {
  readonly hasTexts: boolean
  readonly #docs: number[] = []
  readonly #starts: number[] = [0]
  readonly #numbers: number[] = []
  readonly #texts: string[] = []

  constructor(hasTexts: boolean) {
    this.hasTexts = hasTexts
  }

  addNumbers(docId: number, numbers: number[]): void {
    this.#docs.push(docId)
    for (const number of numbers.sort((a, b) => a - b)) this.#numbers.push(number)
    this.#starts.push(this.#numbers.length)
  }

  addTexts(docId: number, texts: readonly string[]): void {
    this.#docs.push(docId)
    for (const text of texts) this.#texts.push(text)
    this.#starts.push(this.#texts.length)
  }

  end(): EmittedDocs {
    return {
      docs: Int32Array.from(this.#docs),
      starts: Int32Array.from(this.#starts),
      numbers: Float64Array.from(this.#numbers),
      texts: this.#texts,
    }
  }
}

/** Whether documents are seen that the query does not match. */
function looksBeyond(aggregations: readonly Aggregation[]): boolean {
  return aggregations.some(
    node =>
      node.kind === 'global' ||
      node.kind === 'joined' ||
      ('children' in node && looksBeyond(node.children as readonly Aggregation[])),
  )
}

/** Equal for sources that emit the same. */
function keyOf({ values }: EmittedSource): string {
  return JSON.stringify(values, (_key, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  )
}

/** The sources of derived fields in aggregations, which are plain data but for what earlier passes counted. */
function sourcesIn(value: unknown): readonly EmittedSource[] {
  if (!isPlain(value)) return []
  if (isEmitted(value)) return [value.derived]
  return Object.values(value).flatMap(sourcesIn)
}

function bound(value: unknown, found: ReadonlyMap<string, readonly EmittedDocs[]>): unknown {
  if (!isPlain(value)) return value
  if (Array.isArray(value)) return value.map(item => bound(item, found))
  if (isEmitted(value)) {
    const { derived } = value
    return { ...value, derived: { ...derived, found: found.get(keyOf(derived))! } }
  }
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, bound(each, found)]))
}

function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false
  return Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype
}

function isEmitted(value: object): value is { readonly derived: EmittedSource } {
  return 'derived' in value && 'plan' in value && isPlain(value.derived)
}
