import type { Mapping } from '../../../schema/mapping.ts'
import type { Turn } from '../../../util/turns.ts'
import type { NestedOfHit } from '../../dsl/query-notes.ts'
import type { PrintedHit } from '../../response/printed-hit.ts'
import type { FetchedDocument, InnerDocument, InnerFetch, Reading } from '../fetch-part.ts'
import { PlacesBelow, partAt } from '../nested-places.ts'
import { type BestInnerHits, InnerQueries } from './inner-queries.ts'
import type { MadeInnerHits } from './made-inner-hits.ts'

/** Inner hits of nested queries: nested documents of the hit's own block. */
export class NestedHits {
  readonly #made: MadeInnerHits
  readonly #places: PlacesBelow
  readonly #queries: InnerQueries
  readonly #innerFetch: InnerFetch

  constructor(
    made: MadeInnerHits,
    { path, parentPath }: NestedOfHit,
    innerFetch: InnerFetch,
    mapping: Mapping,
  ) {
    this.#made = made
    this.#places = new PlacesBelow(path, parentPath, mapping)
    this.#queries = new InnerQueries(made)
    this.#innerFetch = innerFetch
  }

  /** The best of the nested documents of a hit. */
  best(document: FetchedDocument): BestInnerHits {
    const { shard, snapshotLeaf, docId } = document
    const first = this.#places.firstOf(document)
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
    const { docBase } = document.snapshotLeaf
    const docIds = hits.map(({ globalDoc }) => globalDoc - docBase)
    const places = this.#places.of(document, docIds)
    const taken = document.nested?.steps.length ?? 0
    const inner = hits.map((hit, i): InnerDocument => {
      const place = places[i]!
      return { docId: docIds[i]!, hit, place, partOf: outer => partAt(outer, place, taken) }
    })
    return this.#innerFetch.read(document, inner, this.#made.plan, turn)
  }
}
