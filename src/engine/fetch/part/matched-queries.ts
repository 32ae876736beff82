import type { SliceHit } from '../../../search/collector/collect-spec.ts'
import { openMatches } from '../../../search/matches-at.ts'
import type { SnapshotLeaf } from '../../../segment/snapshot.ts'
import { Float32 } from '../../../util/json/json-value.ts'
import { readBoolean } from '../../dsl/json-scalars.ts'
import type { NamedQuery } from '../../dsl/query-notes.ts'
import type { PrintedHit } from '../../response/printed-hit.ts'
import type { FetchedDocument, FetchPart, HitReader } from '../fetch-part.ts'
import { FetchQuery } from '../fetch-query.ts'
import type { ShardReader } from '../shard-reader.ts'

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

/** A named query on the hits of each leaf. */
class NameReader implements HitReader {
  readonly readsSource = false
  readonly extraUnits: number
  readonly #queries: readonly { readonly name: string; readonly query: FetchQuery }[]
  readonly #withScores: boolean
  readonly #docs: readonly number[]
  /** Scores of the queries by leaf and document: NaN where one does not match. */
  readonly #byLeaf = new Map<number, ReadonlyMap<number, Float32Array>>()

  constructor(named: readonly NamedQuery[], withScores: boolean, hits: readonly SliceHit[]) {
    this.extraUnits = named.length
    this.#queries = named.map(({ name, query }) => ({
      name,
      query: new FetchQuery(query, withScores),
    }))
    this.#withScores = withScores
    this.#docs = hits.map(({ globalDoc }) => globalDoc).sort((a, b) => a - b)
  }

  read({ shard, snapshotLeaf, docId }: FetchedDocument, to: PrintedHit): void {
    const { ord } = snapshotLeaf
    let found = this.#byLeaf.get(ord)
    if (found === undefined) {
      found = this.#scoresIn(shard, snapshotLeaf)
      this.#byLeaf.set(ord, found)
    }
    const scores = found.get(docId)
    const matched = this.#queries.flatMap(({ name }, i) => {
      const score = scores?.[i] ?? Number.NaN
      return Number.isNaN(score) ? [] : [{ name, score }]
    })
    if (matched.length === 0) return
    to.matched_queries = this.#withScores
      ? new Map(matched.map(({ name, score }) => [name, new Float32(score)]))
      : matched.map(({ name }) => name)
  }

  /** Each query passes once over the leaf's hits. */
  #scoresIn(shard: ShardReader, snapshotLeaf: SnapshotLeaf): ReadonlyMap<number, Float32Array> {
    const { docBase, ord } = snapshotLeaf
    const end = docBase + snapshotLeaf.segment.maxDoc
    const docs = this.#docs.filter(doc => doc >= docBase && doc < end).map(doc => doc - docBase)
    const count = this.#queries.length
    const scores = new Map(docs.map(doc => [doc, new Float32Array(count).fill(Number.NaN)]))
    this.#queries.forEach(({ query }, i) => {
      query.on(shard, snapshotLeaf, (weight, leaf) => {
        const matches = openMatches(weight, leaf, ord)
        if (matches === null) return
        const { iterator, scorer } = matches
        for (const doc of docs) {
          if (iterator.docId() < doc) iterator.advance(doc)
          if (iterator.docId() === doc) scores.get(doc)![i] = this.#withScores ? scorer.score() : 0
        }
      })
    })
    return scores
  }
}
