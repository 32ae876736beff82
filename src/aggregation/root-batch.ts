import type { ScriptRun } from '../script/script-run.ts'
import { BATCH_DOCS, type BitWindows, type MatchBatch } from '../search/collector/gather.ts'
import type { Leaf } from '../segment/leaf.ts'
import type { BucketBatch } from './bucket-batch.ts'
import type { DocCounts } from './doc-counts.ts'

/** Bytes of a list of documents; listing bits writes two integers past them. */
const LIST_BYTES = 4 * BATCH_DOCS + 8
/** Scratch of a root batch. */
export const ROOT_BATCH_BYTES: number = LIST_BYTES + 64

/** The matches of a search as a batch of one bucket. */
export class RootBatch implements BucketBatch {
  readonly owners = null
  readonly ownersAt = 0
  docsAt = 0
  scores: Float32Array | null = null
  weights: Float64Array | null = null
  readonly scripts: ScriptRun
  #batch: MatchBatch | null = null
  /** A list in the leaf's arena; null: there is no scratch for one. */
  #list: Int32Array | null = null
  #listAt = 0
  /** Null: the documents of a run are not listed yet. */
  #docs: Int32Array | null = null

  constructor(scripts: ScriptRun) {
    this.scripts = scripts
  }

  get leaf(): Leaf {
    return this.#batch!.leaf
  }

  get leafOrd(): number {
    return this.#batch!.leafOrd
  }

  get count(): number {
    return this.#batch!.count
  }

  get run(): number {
    return this.#batch!.run
  }

  get docs(): Int32Array {
    this.#docs ??= this.#batch!.docs()
    return this.#docs
  }

  openLeaf({ scratch, views }: Leaf): void {
    this.#listAt = Math.max(0, scratch.tryAllocate(LIST_BYTES))
    const start = this.#listAt >> 2
    this.#list = start === 0 ? null : views.i32.subarray(start, start + BATCH_DOCS)
  }

  wrap(batch: MatchBatch, counts: DocCounts | null): void {
    this.#batch = batch
    this.#docs = null
    this.docsAt = batch.docsAt
    if (batch.run < 0 && batch.windows !== null && this.#list !== null)
      this.#listBits(batch.leaf, batch.windows)
    this.scores = batch.scores
    this.weights = counts?.of(batch) ?? null
  }

  /** Lists the documents of windows where kernels read them. */
  #listBits({ kernels }: Leaf, { at, bytes, firstDoc }: BitWindows): void {
    kernels.listBits(at, bytes, firstDoc, this.#listAt)
    this.docsAt = this.#listAt
    this.#docs = this.#list
  }
}
