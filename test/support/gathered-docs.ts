import { prepareSearch, rewriteSearch } from '../../src/parallel/prepare.ts'
import { bulkSearch } from '../../src/search/bulk/bulk-search.ts'
import { bulkShape } from '../../src/search/bulk/bulk-shape.ts'
import type { LeafPart } from '../../src/search/collector/collect-spec.ts'
import type { MatchBatch, SliceGather } from '../../src/search/collector/gather.ts'
import { demandsOf } from '../../src/search/collector/gather-plan.ts'
import { SearchControl } from '../../src/search/collector/search-control.ts'
import type { Query } from '../../src/search/query/query.ts'
import { searchSlice } from '../../src/search/search-slice.ts'
import type { Leaf } from '../../src/segment/leaf.ts'
import { searchPlan } from './search-plan.ts'

/** What a gather was handed of a part of a leaf. */
export interface GatheredDocs {
  readonly docs: readonly number[]
  /** Batches that are lists in the arena. */
  readonly lists: number
  /** Matches that the slice counted. */
  readonly hitCount: number
}

/** @param kernels false: by the iterators */
export function gatheredDocs(
  leaf: Leaf,
  query: Query,
  part: LeafPart,
  kernels: boolean,
): GatheredDocs {
  const plan = searchPlan(query, { topCount: 0 })
  const { weight, spec } = prepareSearch(rewriteSearch(plan), [leaf])
  const recorder = new Recorder()
  const demands = demandsOf(plan.gather, [{ scores: false, parts: 1 }])
  const others = [{ gather: { kind: 'recorder' }, ready: null }]
  const input = {
    weight,
    spec: { ...spec, others, demands, knownTotal: null },
    parts: [part],
    leafOf: () => leaf,
    control: new SearchControl(),
    listener: null,
    report: null,
    gathers: [recorder],
  }
  const shape = bulkShape(weight, input.spec)
  if (typeof shape === 'string') throw new Error(shape)
  const { hitCount } = kernels ? bulkSearch(input, shape) : searchSlice(input)
  return { docs: recorder.finish(), lists: recorder.lists, hitCount }
}

class Recorder implements SliceGather<readonly number[]> {
  readonly #docs: number[] = []
  lists = 0

  openLeaf(): void {}

  closeLeaf(): void {}

  collect(batch: MatchBatch): void {
    const docs = batch.docs()
    if (batch.docsAt !== 0) this.lists++
    if (batch.run >= 0 && docs[0] !== batch.run)
      throw new Error('a run begins with another document')
    for (let i = 0; i < batch.count; i++) this.#docs.push(docs[i]!)
  }

  finish(): readonly number[] {
    return this.#docs
  }
}
