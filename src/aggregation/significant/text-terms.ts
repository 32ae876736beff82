import { compareBytes, encodeUtf8 } from '../../util/bytes.ts'
import { Doubles, Ints } from '../columns.ts'
import { termFilter } from '../terms/term-filter.ts'
import type { TermKey, TermKeys } from '../terms/term-keys.ts'
import { SeenRuns } from './seen-runs.ts'
import type { SignificantText } from './significant-text.ts'

/** Memory of a term or a run of tokens that a shard's texts have, without its bytes. */
const ENTRY_BYTES = 96

/** The terms of the analysed texts of a shard, counted by owning bucket. */
export class TextTerms implements TermKeys<TermKey> {
  readonly #charge: (bytes: number) => void
  readonly #accepts: (term: Uint8Array) => boolean
  /** Buckets by term, by owning bucket; −1: the term has none. */
  readonly #byOwner: Map<string, number>[]
  readonly #runs: readonly SeenRuns[] | null
  readonly #terms: Uint8Array[] = []
  readonly #owners = new Ints()
  readonly #counts = new Doubles()
  readonly #sizes: Float64Array

  /** @param charge charges memory before it is taken */
  constructor(
    ownerCount: number,
    { dropsRepeated, filter }: Pick<SignificantText, 'dropsRepeated' | 'filter'>,
    charge: (bytes: number) => void,
  ) {
    this.#charge = charge
    this.#accepts = filter === null ? () => true : termFilter(filter)
    this.#byOwner = Array.from({ length: ownerCount }, () => new Map())
    this.#runs = dropsRepeated ? this.#byOwner.map(() => new SeenRuns()) : null
    this.#sizes = new Float64Array(ownerCount)
  }

  get size(): number {
    return this.#terms.length
  }

  /** The columns, as those of a slice. */
  columns(): { readonly counts: Float64Array; readonly sizes: Float64Array } {
    return { counts: this.#counts.values, sizes: this.#sizes }
  }

  /** Counts a document. @param texts the tokens of each of its texts */
  count(owner: number, weight: number, texts: readonly (readonly string[])[]): void {
    this.#sizes[owner]! += weight
    const runs = this.#runs?.[owner] ?? null
    const before = runs?.size ?? 0
    const tokens = runs === null ? texts : texts.map(each => runs.fresh(each))
    if (runs !== null) this.#charge((runs.size - before) * ENTRY_BYTES)
    for (const term of new Set(tokens.flat())) {
      const bucket = this.#bucketOf(owner, term)
      if (bucket < 0) continue
      const counts = this.#counts.ensure(bucket + 1)
      counts[bucket]! += weight
    }
  }

  #bucketOf(owner: number, term: string): number {
    const byTerm = this.#byOwner[owner]!
    const known = byTerm.get(term)
    if (known !== undefined) return known
    this.#charge(ENTRY_BYTES + 3 * term.length)
    const bytes = encodeUtf8(term)
    const bucket = this.#accepts(bytes) ? this.#terms.push(bytes) - 1 : -1
    if (bucket >= 0) this.#owners.push(owner)
    byTerm.set(term, bucket)
    return bucket
  }

  add(): Int32Array {
    return Int32Array.from(this.#terms.keys())
  }

  addAll(): void {}

  owner(bucket: number): number {
    return this.#owners.values[bucket]!
  }

  compare(a: number, b: number): number {
    return compareBytes(this.#terms[a]!, this.#terms[b]!)
  }

  key(bucket: number): Uint8Array {
    return this.#terms[bucket]!
  }
}
