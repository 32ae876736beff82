import { explain } from '../../../search/explain.ts'
import type { HybridQuery, Query } from '../../../search/query/query.ts'
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
    asked
      ? () =>
          query.kind === 'hybrid'
            ? new CombinedReader(query, rescores)
            : new ExplanationReader(new ScoreSteps(query, rescores))
      : null,
}

/** Work of a hit, in units of about a microsecond. */
const EXPLAIN_UNITS = 16

class ExplanationReader implements HitReader {
  readonly readsSource = false
  readonly extraUnits = EXPLAIN_UNITS
  readonly #steps: ScoreSteps

  constructor(steps: ScoreSteps) {
    this.#steps = steps
  }

  read(document: FetchedDocument, to: PrintedHit): void {
    print(this.#steps.of(document, 0), document, to)
  }
}

/** Hits of a hybrid query: how the score of each sub-query became a part of theirs. */
class CombinedReader implements HitReader {
  readonly readsSource = false
  readonly extraUnits: number
  readonly #whole: ScoreSteps
  readonly #lists: readonly ScoreSteps[]

  constructor(query: HybridQuery, rescores: readonly RescoreQuery[]) {
    this.extraUnits = EXPLAIN_UNITS * query.queries.length
    this.#whole = new ScoreSteps(query, [])
    this.#lists = query.queries.map(each => new ScoreSteps(each, rescores))
  }

  read(document: FetchedDocument, to: PrintedHit): void {
    const { hit, shard } = document
    const { combined } = shard.place
    const parts = combined?.parts.get(hit.globalDoc)
    // Hits that are sorted by fields have no score that could be explained.
    if (combined === null || parts === undefined) {
      print(this.#whole.of(document, 0), document, to)
      return
    }
    const details = this.#lists.flatMap((list, i) => {
      const explained = list.of(document, i)
      const counts = explained !== null && explained.value > 0
      return counts ? [step(parts[i]!, combined.normalization, [explained])] : []
    })
    print(step(hit.score, combined.combination, details), document, to)
  }
}

function print(
  explanation: Explanation | null,
  { shard: { place } }: FetchedDocument,
  to: PrintedHit,
): void {
  if (explanation === null) return
  to._shard = `[${place.index}][${place.shard}]`
  to._node = place.nodeId
  to._explanation = printExplanation(explanation)
}

/** The steps of a score, those of rescorings included. */
class ScoreSteps {
  readonly #query: FetchQuery
  readonly #rescores: readonly ExplainedRescore[]

  constructor(query: Query, rescores: readonly RescoreQuery[]) {
    this.#query = new FetchQuery(query, true)
    this.#rescores = rescores.map(each => ({ ...each, second: new FetchQuery(each.query, true) }))
  }

  /**
   * @param list in which the hit stands
   * @returns null where the query does not match
   */
  of(document: FetchedDocument, list: number): Explanation | null {
    const first = explanationBy(this.#query, document)
    if (first === null) return null
    const rescored = document.shard.place.rescored[list] ?? []
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
