import { explain } from '../../../search/explain.ts'
import type { Query } from '../../../search/query/query.ts'
import { type Explanation, step } from '../../../search/weight/explanation.ts'
import { readBoolean } from '../../dsl/json-scalars.ts'
import { printExplanation } from '../../response/explanation.ts'
import type { PrintedHit } from '../../response/printed-hit.ts'
import { combineScores } from '../combine-scores.ts'
import type { FetchedDocument, FetchPart, HitReader, RescoreQuery } from '../fetch-part.ts'
import { FetchQuery } from '../fetch-query.ts'

/** `explain`: why the hit has its score, with the shard and node that it was scored on. */
export const explainPart: FetchPart<boolean> = {
  unasked: false,
  keys: { explain: readBoolean },
  subPhase: 'ExplainPhase',
  ofOptions: options => options.explain,
  make: (asked, { query, rescores }) =>
    asked ? () => new ExplanationReader(query, rescores) : null,
}

class ExplanationReader implements HitReader {
  readonly readsSource = false
  readonly extraUnits = 16
  readonly #query: FetchQuery
  readonly #rescores: readonly ExplainedRescore[]

  constructor(query: Query, rescores: readonly RescoreQuery[]) {
    this.#query = new FetchQuery(query, true)
    this.#rescores = rescores.map(each => ({ ...each, second: new FetchQuery(each.query, true) }))
  }

  read(document: FetchedDocument, to: PrintedHit): void {
    const explanation = this.#explanation(document)
    if (explanation === null) return
    const { index, shard, nodeId } = document.shard.place
    to._shard = `[${index}][${shard}]`
    to._node = nodeId
    to._explanation = printExplanation(explanation)
  }

  #explanation(document: FetchedDocument): Explanation | null {
    const first = explanationBy(this.#query, document)
    if (first === null) return null
    const { rescored } = document.shard.place
    return this.#rescores.reduce((before, rescore, i) => {
      const isScored = rescored[i]?.has(document.hit.globalDoc) === true
      const second = isScored ? explanationBy(rescore.second, document) : null
      return rescoredStep(rescore, before, second)
    }, first)
  }
}

interface ExplainedRescore extends RescoreQuery {
  readonly second: FetchQuery
}

function explanationBy(
  query: FetchQuery,
  { shard, snapshotLeaf, docId }: FetchedDocument,
): Explanation | null {
  return query.on(shard, snapshotLeaf, (weight, leaf) =>
    explain(weight, leaf, snapshotLeaf.ord, docId),
  )
}

const MODE_NAMES = {
  total: 'sum',
  multiply: 'product',
  avg: 'avg',
  max: 'max',
  min: 'min',
} as const

/** @param second null: the rescoring's query does not match, or the hit was not scored anew */
function rescoredStep(
  rescore: RescoreQuery,
  first: Explanation,
  second: Explanation | null,
): Explanation {
  const { queryWeight, rescoreWeight, mode } = rescore
  const primary = product(first, queryWeight, 'primaryWeight')
  if (second === null) return primary
  const secondary = product(second, rescoreWeight, 'secondaryWeight')
  const score = combineScores(rescore, first.value, second.value)
  return step(score, `${MODE_NAMES[mode]} of:`, [primary, secondary])
}

function product(explained: Explanation, weight: number, name: string): Explanation {
  return step(explained.value * weight, 'product of:', [explained, step(weight, name)])
}
