import type { SliceHit } from '../../search/collector/collect-spec.ts'
import { compareHits } from '../../search/collector/compare-hits.ts'
import type { SortKey } from '../../search/sort/sort-key.ts'
import { NO_BUCKETS, type ShardReducer, type SliceReducer } from '../aggregation-type.ts'
import { Doubles, ownerLimit } from '../columns.ts'
import type { FoundDocument, MetricResult, ShownDocuments } from '../result.ts'

/** The best documents of each bucket: plain data. */
export interface TopsPartial {
  /** Documents of each bucket. */
  readonly counts: Float64Array
  /** Null: documents carry no scores. */
  readonly maxScores: Float64Array | null
  /** In sort order. */
  readonly hits: readonly (readonly SliceHit[])[]
}

/** The best documents of a shard with their sort. */
interface ClosedTops extends TopsPartial {
  readonly sort: readonly SortKey[] | null
}

/** Numbers of documents and their best scores, which slices and shards merge alike. */
class TopFacts {
  readonly counts: Doubles = new Doubles()
  readonly maxScores: Doubles = new Doubles(Number.NEGATIVE_INFINITY)

  add({ counts, maxScores }: TopsPartial, owners: Int32Array): void {
    const limit = ownerLimit(owners, owners.length)
    const ownCounts = this.counts.ensure(limit)
    const ownScores = this.maxScores.ensure(limit)
    for (let i = 0; i < owners.length && i < counts.length; i++) {
      const owner = owners[i]!
      ownCounts[owner] = ownCounts[owner]! + counts[i]!
      if (maxScores !== null) ownScores[owner] = Math.max(ownScores[owner]!, maxScores[i]!)
    }
  }
}

/** Merges the best documents of slices. */
export class SliceTops implements SliceReducer {
  readonly #sort: readonly SortKey[] | null
  readonly #capacity: number
  readonly #facts = new TopFacts()
  readonly #hits: SliceHit[][] = []
  #hasScores = false

  constructor(sort: readonly SortKey[] | null, capacity: number) {
    this.#sort = sort
    this.#capacity = capacity
  }

  add(own: unknown, owners: Int32Array): Int32Array {
    const partial = own as TopsPartial
    this.#facts.add(partial, owners)
    this.#hasScores = partial.maxScores !== null
    for (let i = 0; i < owners.length && i < partial.hits.length; i++) {
      const owner = owners[i]!
      const known = this.#hits[owner]
      const found = partial.hits[i]!
      this.#hits[owner] =
        known === undefined
          ? [...found]
          : [...known, ...found]
              .sort(
                (a, b) => compareHits(this.#sort, a, this.#sort, b) || a.globalDoc - b.globalDoc,
              )
              .slice(0, this.#capacity)
    }
    return NO_BUCKETS
  }

  close(owners: Int32Array): { own: ClosedTops; buckets: Int32Array } {
    const { counts, maxScores } = this.#facts
    return {
      own: {
        sort: this.#sort,
        counts: Float64Array.from(owners, owner => counts.at(owner)),
        maxScores: this.#hasScores ? Float64Array.from(owners, owner => maxScores.at(owner)) : null,
        hits: Array.from(owners, owner => this.#hits[owner] ?? []),
      },
      buckets: NO_BUCKETS,
    }
  }

  value(): number {
    return Number.NaN
  }

  bucketOf(): number {
    return -1
  }
}

/** A document with the sort of its shard. */
interface SortedDocument extends FoundDocument {
  readonly sort: readonly SortKey[] | null
}

/** Merges the best documents of shards. */
export class ShardTops implements ShardReducer {
  readonly #from: number
  readonly #size: number
  readonly #facts = new TopFacts()
  readonly #documents: SortedDocument[][] = []

  constructor(from: number, size: number) {
    this.#from = from
    this.#size = size
  }

  add(own: unknown, owners: Int32Array, shard: number): Int32Array {
    const closed = own as ClosedTops
    const { sort, hits } = closed
    this.#facts.add(closed, owners)
    owners.forEach((owner, i) => {
      const documents = (this.#documents[owner] ??= [])
      for (const hit of hits[i]!) documents.push({ shard, hit, sort })
    })
    return NO_BUCKETS
  }

  value(): number {
    return Number.NaN
  }

  bucketOf(): number {
    return -1
  }

  /** @throws {IllegalArgumentError} indices sort by values that have no order in common */
  result(owner: number): MetricResult {
    const found = (this.#documents[owner] ?? [])
      .sort(
        (a, b) =>
          compareHits(a.sort, a.hit, b.sort, b.hit) ||
          a.shard - b.shard ||
          a.hit.globalDoc - b.hit.globalDoc,
      )
      .slice(this.#from, this.#from + this.#size)
    const maxScore = this.#facts.maxScores.at(owner)
    const documents: ShownDocuments = {
      total: this.#facts.counts.at(owner),
      maxScore: Number.isFinite(maxScore) ? maxScore : null,
      found,
      printed: {},
    }
    return {
      kind: 'metric',
      typedName: 'top_hits',
      value: () => undefined,
      documents,
      print: () => documents.printed,
    }
  }
}
