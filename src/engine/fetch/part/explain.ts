import { explain } from '../../../search/explain.ts'
import type { Query } from '../../../search/query/query.ts'
import type { Explanation } from '../../../search/weight/explanation.ts'
import { readBoolean } from '../../dsl/json-scalars.ts'
import { printExplanation } from '../../response/explanation.ts'
import type { PrintedHit } from '../../response/printed-hit.ts'
import type { FetchedDocument, FetchPart, HitReader } from '../fetch-part.ts'
import { FetchQuery } from '../fetch-query.ts'

/** `explain`: why the hit has its score, with the shard and node that it was scored on. */
export const explainPart: FetchPart<boolean> = {
  unasked: false,
  keys: { explain: readBoolean },
  subPhase: 'ExplainPhase',
  ofOptions: options => options.explain,
  make: (asked, { query }) => (asked ? () => new ExplanationReader(query) : null),
}

class ExplanationReader implements HitReader {
  readonly readsSource = false
  readonly extraUnits = 16
  readonly #query: FetchQuery

  constructor(query: Query) {
    this.#query = new FetchQuery(query, true)
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
    return this.#query.on(shard, snapshotLeaf, (weight, leaf) =>
      explain(weight, leaf, snapshotLeaf.ord, docId),
    )
  }
}
