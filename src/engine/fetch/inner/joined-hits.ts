import type { Turn } from '../../../util/turns.ts'
import type { JoinedToHit } from '../../dsl/query-notes.ts'
import type { PrintedHit } from '../../response/printed-hit.ts'
import type { FetchedDocument, InnerFetch, Reading } from '../fetch-part.ts'
import { TiedDocs } from '../tied-docs.ts'
import { type BestInnerHits, InnerQueries } from './inner-queries.ts'
import type { MadeInnerHits } from './made-inner-hits.ts'

/** Inner hits of joins: whole documents that are tied to the hit, of its shard. */
export class JoinedHits {
  readonly #made: MadeInnerHits
  readonly #of: JoinedToHit
  readonly #queries: InnerQueries
  readonly #innerFetch: InnerFetch
  /** Made with the first hit. */
  #tied: TiedDocs | null = null

  constructor(made: MadeInnerHits, of: JoinedToHit, innerFetch: InnerFetch) {
    this.#made = made
    this.#of = of
    this.#queries = new InnerQueries(made)
    this.#innerFetch = innerFetch
  }

  /** The best of the documents that are tied to a hit. */
  best(document: FetchedDocument): BestInnerHits {
    const { shard } = document
    const { leaves } = shard.place.snapshot
    const byLeaf = this.#tiedTo(document)
    const most = byLeaf.reduce((sum, docs) => sum + docs.length, 0)
    const collector = this.#queries.collector(most)
    byLeaf.forEach((docs, leafOrd) => {
      if (docs.length === 0) return
      collector.collect(shard, leaves[leafOrd]!, ({ iterator }, collect) => {
        for (const doc of docs) {
          if (iterator.docId() < doc) iterator.advance(doc)
          if (iterator.docId() === doc) collect(doc)
        }
      })
    })
    return collector.best()
  }

  read(
    { shard }: FetchedDocument,
    { hits }: BestInnerHits,
    turn: Turn,
  ): Reading<readonly PrintedHit[]> {
    return this.#innerFetch.readWhole(shard, hits, this.#made.plan, turn)
  }

  /** By leaf. */
  #tiedTo({ shard, snapshotLeaf, docId, leaf }: FetchedDocument): readonly (readonly number[])[] {
    const { relationField, idField, relation, finds } = this.#of
    const { place, pins } = shard
    const tie = { relationField, idField, relations: [relation] }
    this.#tied ??= new TiedDocs(place, pins, tie)
    const tied = this.#tied
    const { leaves } = place.snapshot
    if (finds === 'parents') {
      const id = leaf.ids().id(docId)
      return leaves.map((_, leafOrd) => tied.tiedTo(leafOrd, id))
    }
    const ord = tied.idOrd(snapshotLeaf.ord, docId)
    const parent = ord < 0 ? null : tied.parentOf(tied.idOf(snapshotLeaf.ord, ord))
    return leaves.map((_, leafOrd) => (parent?.leafOrd === leafOrd ? [parent.docId] : NONE))
  }
}

const NONE: readonly number[] = []
