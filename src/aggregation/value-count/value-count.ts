/** The number of matches with each value of a keyword field. */
import type { OrdinalsReader } from '../../codec/doc-values/reader.ts'
import type { TermsReader } from '../../codec/terms/reader.ts'
import type { GatherType, MatchBatch, SliceGather } from '../../search/collector/gather.ts'
import { sectionBit } from '../../search/weight/section-use.ts'
import { decodeUtf8 } from '../../util/bytes.ts'

const ORDINALS_WITH_TERMS = sectionBit('ordinals') | sectionBit('terms')

/** Counts by value of one field. */
export interface ValueCount {
  readonly kind: 'valueCount'
  /** A keyword field with doc values; one that a leaf does not know has no values there. */
  readonly field: string
}

/** Documents by value. */
type Counts = ReadonlyMap<string, number>

/** A value with its documents, most frequent first and of equal ones the lower in UTF-16 order. */
export interface CountedValue {
  readonly value: string
  readonly count: number
}

/** The gather of value counts; it reads ordinals and turns them into values once a leaf. */
export const valueCount: GatherType<ValueCount, ValueCount, Counts, Counts, CountedValue[]> = {
  demands: () => ({ scores: false }),
  prepare(gather, shard) {
    shard.use(gather.field, ORDINALS_WITH_TERMS)
    return gather
  },
  open: ready => new SliceCounts(ready.field),
  merge: (_ready, partials) => summed(partials),
  closeShard: (_ready, merged) => merged,
  finish(_gather, shards) {
    const values = [...summed(shards)].map(([value, count]) => ({ value, count }))
    return values.sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
  },
}

class SliceCounts implements SliceGather<Counts> {
  readonly #field: string
  readonly #counts = new Map<string, number>()
  /** Of the current leaf: its column, its dictionary, and documents by ordinal. */
  #leafOrd = -1
  #ordinals: OrdinalsReader | null = null
  #terms: TermsReader | null = null
  #byOrd = new Float64Array(0)

  constructor(field: string) {
    this.#field = field
  }

  collect(batch: MatchBatch): void {
    if (batch.leafOrd !== this.#leafOrd) this.#openLeaf(batch)
    const ordinals = this.#ordinals
    if (ordinals === null) return
    const docs = batch.docs()
    const byOrd = this.#byOrd
    for (let i = 0; i < batch.count; i++) {
      if (!ordinals.advanceExact(docs[i]!)) continue
      for (let k = 0; k < ordinals.valueCount(); k++) {
        const ord = ordinals.ord(k)
        byOrd[ord] = byOrd[ord]! + 1
      }
    }
  }

  finish(): Counts {
    this.#closeLeaf()
    return this.#counts
  }

  #openLeaf({ leaf, leafOrd }: MatchBatch): void {
    this.#closeLeaf()
    this.#leafOrd = leafOrd
    this.#ordinals = leaf.fieldInfo(this.#field) === null ? null : leaf.ordinals(this.#field)
    this.#terms = this.#ordinals === null ? null : leaf.terms(this.#field)
    this.#byOrd = new Float64Array(this.#terms?.termCount ?? 0)
  }

  #closeLeaf(): void {
    const terms = this.#terms
    if (terms === null) return
    this.#byOrd.forEach((count, ord) => {
      if (count === 0) return
      const value = decodeUtf8(terms.termOfOrd(ord))
      this.#counts.set(value, (this.#counts.get(value) ?? 0) + count)
    })
    this.#terms = null
  }
}

function summed(counts: readonly Counts[]): Counts {
  const sums = new Map<string, number>()
  for (const each of counts)
    for (const [value, count] of each) sums.set(value, (sums.get(value) ?? 0) + count)
  return sums
}
