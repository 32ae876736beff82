import { explain } from '../../../search/explain.ts'
import { createWeight } from '../../../search/query/create-weight.ts'
import type { Query } from '../../../search/query/query.ts'
import { onShard, rewrite } from '../../../search/query/query-ops.ts'
import type { Explanation } from '../../../search/weight/explanation.ts'
import type { Weight } from '../../../search/weight/weight.ts'
import { readBoolean } from '../../dsl/json-scalars.ts'
import { printExplanation } from '../../response/explanation.ts'
import type { PrintedHit } from '../../response/printed-hit.ts'
import type { FetchedDocument, FetchPart, HitReader } from '../fetch-part.ts'
import type { ShardReader } from '../shard-reader.ts'

/** Scratch of one explanation: a few iterators for each clause, rounded up generously. */
const SCRATCH_PER_ITERATOR = 8192
const SCRATCH_BASE = 65_536

/** `explain`: why the hit has its score, with the shard and node that it was scored on. */
export const explainPart: FetchPart<boolean> = {
  unasked: false,
  keys: { explain: readBoolean },
  subPhase: 'ExplainPhase',
  ofOptions: options => options.explain,
  make: (asked, { query }) => (asked ? new ExplanationReader(query) : null),
}

class ExplanationReader implements HitReader {
  readonly readsSource = false
  readonly extraUnits = 16
  readonly #query: Query
  /** Made with the first hit. */
  #weight: Weight | null = null

  constructor(query: Query) {
    this.#query = query
  }

  read(document: FetchedDocument, to: PrintedHit): void {
    const explanation = this.#explanation(document)
    if (explanation === null) return
    const { index, shard, nodeId } = document.shard.place
    to._shard = `[${index}][${shard}]`
    to._node = nodeId
    to._explanation = printExplanation(explanation)
  }

  #explanation({ shard, snapshotLeaf, docId }: FetchedDocument): Explanation | null {
    const { searcher, memory } = shard.place
    this.#weight ??= weightOf(this.#query, shard)
    const weight = this.#weight
    const bytes = SCRATCH_BASE + 2 * weight.openPostings * SCRATCH_PER_ITERATOR
    const range = memory.allocate(snapshotLeaf.segment, bytes)
    try {
      const leaf = searcher.openLeaf(snapshotLeaf, shard.pins, range)
      return explain(weight, leaf, snapshotLeaf.ord, docId)
    } finally {
      memory.free(range)
    }
  }
}

function weightOf(query: Query, shard: ShardReader): Weight {
  const leaves = shard.place.snapshot.leaves.map(each => shard.leaf(each))
  // Rewritten as the shard's search was, so that sums are grouped alike.
  const decided = onShard(rewrite(query, true), leaves)
  return createWeight(rewrite(decided, true), leaves, true)
}
