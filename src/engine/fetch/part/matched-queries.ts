import type { SliceHit } from '../../../search/collector/collect-spec.ts'
import { Float32 } from '../../../util/json/json-value.ts'
import type { Turn } from '../../../util/turns.ts'
import { readBoolean } from '../../dsl/json-scalars.ts'
import type { NamedQuery } from '../../dsl/query-notes.ts'
import type { PrintedHit } from '../../response/printed-hit.ts'
import type { FetchedDocument, FetchPart, HitReader, Reading } from '../fetch-part.ts'
import { FetchQuery } from '../fetch-query.ts'

/** `matched_queries`: the names of the queries that match the hit, or their scores by name. */
export const matchedQueriesPart: FetchPart<boolean> = {
  unasked: false,
  keys: { include_named_queries_score: readBoolean },
  subPhase: 'MatchedQueriesPhase',
  ofOptions: ({ includeNamedQueriesScore }) => includeNamedQueriesScore,
  make(withScores, { named }) {
    return named.length === 0 ? null : hits => new NameReader(named, withScores, hits)
  },
}

class NameReader implements HitReader {
  readonly readsSource = false
  readonly extraUnits: number
  readonly #queries: readonly { readonly name: string; readonly query: FetchQuery }[]
  readonly #withScores: boolean
  /** The hits' documents, each with its index. */
  readonly #docs: ReadonlyMap<number, number>
  /** Of each query, its scores of the hits; made with the first of them. */
  #scores: readonly Float32Array[] | null = null

  constructor(named: readonly NamedQuery[], withScores: boolean, hits: readonly SliceHit[]) {
    this.extraUnits = named.length
    this.#queries = named.map(({ name, query }) => ({
      name,
      query: new FetchQuery(query, withScores),
    }))
    this.#withScores = withScores
    this.#docs = new Map(hits.map(({ globalDoc }, i) => [globalDoc, i]))
  }

  read(document: FetchedDocument, to: PrintedHit, turn: Turn): Reading<void> | void {
    if (this.#scores === null) return this.#readFirst(document, to, turn)
    this.#name(document, this.#scores, to)
  }

  *#readFirst(document: FetchedDocument, to: PrintedHit, turn: Turn): Reading<void> {
    const scores: Float32Array[] = []
    const docs = [...this.#docs.keys()]
    for (const { query } of this.#queries)
      scores.push(yield* query.scoresInTurns(document.shard, docs, turn))
    this.#scores = scores
    this.#name(document, scores, to)
  }

  #name({ hit }: FetchedDocument, all: readonly Float32Array[], to: PrintedHit): void {
    const at = this.#docs.get(hit.globalDoc) ?? -1
    const matched: [string, Float32][] = []
    all.forEach((scores, i) => {
      const score = scores[at] ?? Number.NaN
      if (!Number.isNaN(score)) matched.push([this.#queries[i]!.name, new Float32(score)])
    })
    if (matched.length === 0) return
    to.matched_queries = this.#withScores ? new Map(matched) : matched.map(([name]) => name)
  }
}
