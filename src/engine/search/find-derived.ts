/**
 * Finds the documents of a derived field's query in one shard, ahead of its search: the script runs on each
 * candidate, what it emits becomes documents of a leaf in memory, and the query runs over these.
 */
import { throwIfAborted } from '../../parallel/search-options.ts'
import { Mapping } from '../../schema/mapping.ts'
import { gatherPlan, NO_LIMITS } from '../../search/collector/gather-plan.ts'
import type { ListedMatches, MatchRun } from '../../search/collector/listed-matches.ts'
import { openMatches } from '../../search/matches-at.ts'
import { bindJoins, type FoundJoins } from '../../search/query/bind-joins.ts'
import { createWeight } from '../../search/query/create-weight.ts'
import { type DerivedQuery, MATCH_ALL, type Query } from '../../search/query/query.ts'
import { onShard, rewrite } from '../../search/query/query-ops.ts'
import { typeOf } from '../../search/query/query-types.ts'
import type { JoinedDocs } from '../../search/weight/weight.ts'
import type { Leaf } from '../../segment/leaf.ts'
import type { Pins } from '../../segment/pins.ts'
import { EngineError } from '../../util/errors.ts'
import { writeJson } from '../../util/json/json-writer.ts'
import { inTurns, type Turn } from '../../util/turns.ts'
import { derivedInner } from '../dsl/derived/derived-field.ts'
import { documentJson } from '../fetch/derived/derived-json.ts'
import { DerivedEmitter } from '../fetch/derived/emit-values.ts'
import { storedThrough } from '../fetch/visible-documents.ts'
import type { Node } from '../node/node.ts'
import { withDocuments } from '../script/document-leaf.ts'
import { NO_HITS } from './gather-only.ts'
import type { JoinCall } from './join-call.ts'

/** Memory of a candidate. */
const CANDIDATE_BYTES = 8

/** Candidates whose values become one leaf, and bytes of their values. */
const MAX_BATCH_DOCS = 128
const MAX_BATCH_BYTES = 65_536

/** More than a leaf of a batch has. */
const MAX_TERMS = 2_147_483_647

/** Work of running a script on a document, in units of about a microsecond. */
const UNITS_PER_DOCUMENT = 8

/**
 * Finds the documents in a held snapshot.
 * @throws {EngineError} as a search; the script fails, or emits what is no value of the field
 */
export async function findDerived(
  node: Node,
  derived: DerivedQuery,
  found: FoundJoins,
  call: JoinCall,
): Promise<readonly JoinedDocs[]> {
  const { snapshot, signal, charge } = call
  charge.add(CANDIDATE_BYTES * snapshot.maxDoc)
  const runs = await candidatesOf(node, derived, found, call)
  const check = (): void => {
    throwIfAborted(signal)
    node.ensureOpen()
  }
  const pins = node.memory.newPins()
  try {
    const pass = new DerivedPass(node, derived, call, pins)
    return await inTurns(turn => pass.run(runs, turn), check, signal)
  } finally {
    pins.release()
  }
}

/** The documents that the script runs on: those that the caller may see and that the prefilter matches. */
async function candidatesOf(
  node: Node,
  { prefilter }: DerivedQuery,
  found: FoundJoins,
  { snapshot, options, maxClauseCount, visible }: JoinCall,
): Promise<readonly MatchRun[]> {
  const clauses = [prefilter ?? MATCH_ALL, ...(visible === null ? [] : [visible])].map(query => ({
    occur: 'filter' as const,
    query: bindJoins(query, found),
  }))
  const list: ListedMatches = { kind: 'listedMatches', withScores: false }
  const { result } = await node.searcher.search(
    snapshot,
    {
      query: { kind: 'boolean', clauses, minimumShouldMatch: 0 },
      gather: gatherPlan(NO_HITS, [list], NO_LIMITS),
      maxClauseCount,
      statistics: null,
    },
    options,
  )
  return result.parts[0] as readonly MatchRun[]
}

/** Candidates with their values, which are not yet searched. */
interface Batch {
  readonly leafOrds: number[]
  readonly docIds: number[]
  readonly sources: Uint8Array[]
  bytes: number
}

const newBatch = (): Batch => ({ leafOrds: [], docIds: [], sources: [], bytes: 0 })

/** One pass over the candidates of a shard. */
class DerivedPass {
  readonly #node: Node
  readonly #derived: DerivedQuery
  readonly #call: JoinCall
  readonly #pins: Pins
  readonly #emitter: DerivedEmitter
  readonly #mapping: Mapping
  /** By ord of the leaf. */
  readonly #found: number[][]

  constructor(node: Node, derived: DerivedQuery, call: JoinCall, pins: Pins) {
    this.#node = node
    this.#derived = derived
    this.#call = call
    this.#pins = pins
    this.#emitter = new DerivedEmitter(derived.values)
    this.#mapping = mappingOf(derived)
    this.#found = call.snapshot.leaves.map(() => [])
  }

  *run(runs: readonly MatchRun[], turn: Turn): Generator<void, readonly JoinedDocs[], void> {
    const { searcher } = this.#node
    const leaves = new Map<number, Leaf>()
    let batch = newBatch()
    for (const { leafOrd, docs } of runs) {
      const snapshotLeaf = this.#call.snapshot.leaves[leafOrd]!
      let leaf = leaves.get(leafOrd)
      if (leaf === undefined) {
        leaf = searcher.openLeaf(snapshotLeaf, this.#pins, null)
        leaves.set(leafOrd, leaf)
      }
      const parents = leaf.parents()
      for (const docId of docs) {
        // Nested documents have no source of their own.
        if (parents !== null && !parents.has(docId)) continue
        this.#emit(batch, leaf, leafOrd, docId)
        if (batch.sources.length >= MAX_BATCH_DOCS || batch.bytes >= MAX_BATCH_BYTES) {
          this.#search(batch)
          batch = newBatch()
        }
        if (turn.isOver(UNITS_PER_DOCUMENT)) yield
      }
    }
    this.#search(batch)
    return this.#found.map(docs => ({ docs: Int32Array.from(docs), scores: null }))
  }

  /** Adds a candidate with its values, where it has any. */
  #emit(batch: Batch, leaf: Leaf, leafOrd: number, docId: number): void {
    const { name, type, path, ignoresMalformed } = this.#derived.values
    try {
      const values = this.#emitter.valuesOf(leaf, docId, () => this.#sourceOf(leafOrd, docId))
      if (values.length === 0) return
      const json = values.flatMap(value =>
        value === null ? [] : [documentJson(value, type, path !== null)],
      )
      const source = writeJson(new Map([[name, json]]))
      batch.leafOrds.push(leafOrd)
      batch.docIds.push(docId)
      batch.sources.push(source)
      batch.bytes += source.length
    } catch (error) {
      if (!ignoresMalformed || !(error instanceof EngineError)) throw error
    }
  }

  #sourceOf(leafOrd: number, docId: number): Uint8Array | null {
    const { snapshot, view } = this.#call
    const source = storedThrough(this.#node.stored, view.fields).read(
      snapshot.leaves[leafOrd]!.segment,
      docId,
    )
    return source.length === 0 ? null : source
  }

  #search({ leafOrds, docIds, sources }: Batch): void {
    if (sources.length === 0) return
    const { settings, analysis } = this.#call.view.index
    withDocuments({ mapping: this.#mapping, settings, analysis }, sources, leaf => {
      for (const doc of matchesIn(leaf, this.#derived.query))
        this.#found[leafOrds[doc]!]!.push(docIds[doc]!)
    })
  }
}

/** A mapping of the field alone, whose name is one whole name however many dots it has. */
function mappingOf({ values: { name, type, ignoresMalformed } }: DerivedQuery): Mapping {
  const children = new Map([[name, derivedInner(name, type, ignoresMalformed)]])
  const root = { ...Mapping.EMPTY.root, disableObjects: true, children }
  return new Mapping(root, Mapping.EMPTY.options)
}

/**
 * The query with as many terms as there are: how many documents stand in one leaf decides nothing, and no
 * score is read.
 */
function withAllTerms(query: Query): Query {
  if (query.kind === 'pattern' || query.kind === 'fuzzy')
    return { ...query, rewrite: { kind: 'constant' } }
  if (query.kind === 'phrasePrefix') return { ...query, maxExpansions: MAX_TERMS }
  return typeOf(query).mapInner?.(query, withAllTerms) ?? query
}

function* matchesIn(leaf: Leaf, query: Query): Generator<number, void, void> {
  const rewritten = rewrite(onShard(rewrite(withAllTerms(query), true), [leaf]), true)
  const matches = openMatches(createWeight(rewritten, [leaf], false), leaf, 0)
  if (matches === null) return
  const { iterator } = matches
  for (let doc = iterator.nextDoc(); doc < leaf.maxDoc; doc = iterator.nextDoc()) yield doc
}
