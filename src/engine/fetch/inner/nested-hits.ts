/** Inner hits of nested queries: documents of the hit's own block. */

import type { Mapping } from '../../../schema/mapping.ts'
import { openMatches } from '../../../search/matches-at.ts'
import type { Turn } from '../../../util/turns.ts'
import type { NestedOfHit } from '../../dsl/query-notes.ts'
import type { PrintedHit } from '../../response/printed-hit.ts'
import type {
  FetchedDocument,
  InnerDocument,
  InnerFetch,
  NestedPlace,
  Reading,
} from '../fetch-part.ts'
import { FetchQuery } from '../fetch-query.ts'
import { partAt } from '../nested-places.ts'
import { type BestInnerHits, InnerQueries } from './inner-queries.ts'
import type { MadeInnerHits } from './made-inner-hits.ts'

/** Documents of a block by level, ascending. */
type Levels = readonly (readonly number[])[]

/** Inner hits of nested queries: nested documents of the hit. */
export class NestedHits {
  readonly #made: MadeInnerHits
  readonly #of: NestedOfHit
  /** Nested paths from the documents that they come with to their own, outer ones first. */
  readonly #levels: readonly string[]
  readonly #queries: InnerQueries
  readonly #innerFetch: InnerFetch
  /** Of nested documents, by their path. */
  readonly #paths = new Map<string, FetchQuery>()

  constructor(made: MadeInnerHits, of: NestedOfHit, innerFetch: InnerFetch, mapping: Mapping) {
    const { path, parentPath } = of
    this.#made = made
    this.#of = of
    this.#levels = mapping.nestedPaths.filter(
      each =>
        `${path}.`.startsWith(`${each}.`) &&
        (parentPath === null || each.startsWith(`${parentPath}.`)),
    )
    this.#queries = new InnerQueries(made)
    this.#innerFetch = innerFetch
  }

  /** The best of the nested documents of a hit. */
  best(document: FetchedDocument): BestInnerHits {
    const { shard, snapshotLeaf, docId } = document
    const first = this.#firstOf(document)
    const collector = this.#queries.collector(docId - first)
    if (first < docId)
      collector.collect(shard, snapshotLeaf, ({ iterator }, collect) => {
        for (let doc = iterator.advance(first); doc < docId; doc = iterator.nextDoc()) collect(doc)
      })
    return collector.best()
  }

  read(
    document: FetchedDocument,
    { hits }: BestInnerHits,
    turn: Turn,
  ): Reading<readonly PrintedHit[]> {
    const first = this.#firstOf(document)
    const levels = this.#levels.map(path => this.#docsOf(path, document, first))
    const inner = hits.map((hit): InnerDocument => {
      const docId = hit.globalDoc - document.snapshotLeaf.docBase
      const place = placeOf(this.#of, this.#levels, levels, docId, document)
      const taken = document.nested?.steps.length ?? 0
      return { docId, hit, place, partOf: outer => partAt(outer, place, taken) }
    })
    return this.#innerFetch.read(document, inner, this.#made.plan, turn)
  }

  /** The first document of a hit's own nested ones: those of a nested hit begin behind the one before it. */
  #firstOf(document: FetchedDocument): number {
    const { parentPath } = this.#of
    const { leaf, docId, rootDoc } = document
    const first = (leaf.parents()?.previous(rootDoc - 1) ?? rootDoc - 1) + 1
    if (parentPath === null) return first
    const before = this.#docsOf(parentPath, document, first).at(-1) ?? first - 1
    return before >= docId ? first : before + 1
  }

  /** The nested documents of a path, from one on and ahead of the hit. */
  #docsOf(path: string, document: FetchedDocument, first: number): readonly number[] {
    let query = this.#paths.get(path)
    if (query === undefined) {
      query = new FetchQuery({ kind: 'term', field: '_nested_path', term: path }, false)
      this.#paths.set(path, query)
    }
    const docs: number[] = []
    visit(query, document, first, doc => docs.push(doc))
    return docs
  }
}

/** Visits the matches of a query from one document on and ahead of the hit. */
function visit(
  query: FetchQuery,
  { shard, snapshotLeaf, docId }: FetchedDocument,
  first: number,
  visitor: (doc: number) => void,
): void {
  query.on(shard, snapshotLeaf, (weight, leaf) => {
    const matches = openMatches(weight, leaf, snapshotLeaf.ord)
    if (matches === null || first >= docId) return
    const { iterator } = matches
    for (let doc = iterator.advance(first); doc < docId; doc = iterator.nextDoc()) visitor(doc)
  })
}

/** Where a nested document stands: at each level, how many are ahead of it in the same object. */
function placeOf(
  { parentPath }: NestedOfHit,
  paths: readonly string[],
  levels: Levels,
  docId: number,
  { nested }: FetchedDocument,
): NestedPlace {
  const steps = paths.map((path, i) => {
    const outer = levels[i - 1]
    // Nested documents precede the one that they stand in.
    const behind = outer === undefined ? -1 : (outer.findLast(doc => doc < docId) ?? -1)
    const own = i === paths.length - 1 ? docId : levels[i]!.find(doc => doc > docId)!
    const offset = levels[i]!.filter(doc => doc > behind && doc < own).length
    const around = i === 0 ? parentPath : paths[i - 1]!
    return { field: around === null ? path : path.slice(around.length + 1), offset }
  })
  return { steps: [...(nested?.steps ?? []), ...steps] }
}
