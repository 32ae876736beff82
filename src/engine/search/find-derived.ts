/**
 * Finds the documents of a derived field's query in one shard, ahead of its search: the script runs on each
 * candidate, what it emits becomes documents of a leaf in memory, and the query runs over these.
 */
import { Mapping } from '../../schema/mapping.ts'
import { openMatches } from '../../search/matches-at.ts'
import { bindJoins, type FoundJoins } from '../../search/query/bind-joins.ts'
import { createWeight } from '../../search/query/create-weight.ts'
import { type DerivedQuery, MATCH_ALL, type Query } from '../../search/query/query.ts'
import { onShard, rewrite } from '../../search/query/query-ops.ts'
import { typeOf } from '../../search/query/query-types.ts'
import type { JoinedDocs } from '../../search/weight/weight-node.ts'
import type { Leaf } from '../../segment/leaf.ts'
import { writeJson } from '../../util/json/json-writer.ts'
import { derivedInner } from '../dsl/derived/derived-field.ts'
import { documentJson } from '../fetch/derived/derived-json.ts'
import type { EmittedValue } from '../fetch/derived/emit-values.ts'
import type { Node } from '../node/node.ts'
import { withDocuments } from '../script/document-leaf.ts'
import { emitForEach } from './derived-candidates.ts'
import type { JoinCall } from './join-call.ts'
import { listMatches } from './list-matches.ts'
import { nestedCandidates } from './nested-candidates.ts'

/** Candidates whose values become one leaf, and bytes of their values. */
const MAX_BATCH_DOCS = 128
const MAX_BATCH_BYTES = 65_536

/** More than a leaf of a batch has. */
const MAX_TERMS = 2_147_483_647

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
  const { values, prefilter, nestedPath } = derived
  const narrowed = bindJoins(prefilter ?? MATCH_ALL, found)
  const visible = bindJoins(call.visible ?? MATCH_ALL, found)
  const runs =
    nestedPath === null
      ? await listMatches(node, both(narrowed, visible), call)
      : await nestedCandidates(node, both(narrowed, objectsOf(nestedPath)), visible, call)
  const batches = new Batches(derived, call)
  const emitting = { values, runs, isNested: nestedPath !== null }
  await emitForEach(node, emitting, call, (leafOrd, docId, emitted) =>
    batches.add(leafOrd, docId, emitted),
  )
  return batches.end()
}

function both(a: Query, b: Query): Query {
  const clauses = [a, b].map(query => ({ occur: 'filter' as const, query }))
  return { kind: 'boolean', clauses, minimumShouldMatch: 0 }
}

function objectsOf(path: string): Query {
  return { kind: 'term', field: '_nested_path', term: path }
}

/** Candidates with their values, searched batch by batch. */
class Batches {
  readonly #derived: DerivedQuery
  readonly #call: JoinCall
  readonly #mapping: Mapping
  /** By ord of the leaf. */
  readonly #found: number[][]
  /** Of the batch at hand. */
  #leafOrds: number[] = []
  #docIds: number[] = []
  #sources: Uint8Array[] = []
  #bytes = 0

  constructor(derived: DerivedQuery, call: JoinCall) {
    this.#derived = derived
    this.#call = call
    this.#mapping = mappingOf(derived)
    this.#found = call.snapshot.leaves.map(() => [])
  }

  /** @throws {EngineError} a value is none of the field's type */
  add(leafOrd: number, docId: number, values: readonly EmittedValue[]): void {
    const { name, type, path } = this.#derived.values
    const json = values.map(value => documentJson(value, type, path !== null))
    const source = writeJson(new Map([[name, json]]))
    this.#leafOrds.push(leafOrd)
    this.#docIds.push(docId)
    this.#sources.push(source)
    this.#bytes += source.length
    if (this.#sources.length >= MAX_BATCH_DOCS || this.#bytes >= MAX_BATCH_BYTES) this.#search()
  }

  /** The documents that were found. */
  end(): readonly JoinedDocs[] {
    this.#search()
    return this.#found.map(docs => ({ docs: Int32Array.from(docs), scores: null }))
  }

  #search(): void {
    if (this.#sources.length === 0) return
    const { settings, analysis } = this.#call.view.index
    withDocuments({ mapping: this.#mapping, settings, analysis }, this.#sources, leaf => {
      for (const doc of matchesIn(leaf, this.#derived.query))
        this.#found[this.#leafOrds[doc]!]!.push(this.#docIds[doc]!)
    })
    this.#leafOrds = []
    this.#docIds = []
    this.#sources = []
    this.#bytes = 0
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
