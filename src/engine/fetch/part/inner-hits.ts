import { Float32, type JsonRecord, type JsonValue } from '../../../util/json/json-value.ts'
import type { PrintedHit } from '../../response/printed-hit.ts'
import type { FetchedDocument, FetchPart, FetchSubject, HitReader } from '../fetch-part.ts'
import { JoinedHits } from '../inner/joined-hits.ts'
import { type MadeInnerHits, makeInnerHits } from '../inner/made-inner-hits.ts'
import { NestedHits } from '../inner/nested-hits.ts'

/** `inner_hits` of nested queries and joins: the documents with the hit that they match. */
export const innerHitsPart: FetchPart<null> = {
  unasked: null,
  keys: {},
  subPhase: 'InnerHitsPhase',
  ofOptions: () => undefined,
  make(_asked, subject) {
    if (subject.innerHits.size === 0) return null
    const made = [...subject.innerHits].map(([name, noted]) => makeInnerHits(name, noted, subject))
    return () => new InnerHitsReader(made, subject)
  },
}

/** Inner hits of one name with what finds and reads them. */
interface Found {
  readonly made: MadeInnerHits
  readonly within: NestedHits | JoinedHits
}

class InnerHitsReader implements HitReader {
  readonly readsSource = true
  readonly extraUnits = 32
  readonly #found: readonly Found[]
  readonly #totalAsInt: boolean

  constructor(made: readonly MadeInnerHits[], subject: FetchSubject) {
    this.#found = made.map(each => ({ made: each, within: withinHits(each, subject) }))
    this.#totalAsInt = subject.totalAsInt
  }

  read(document: FetchedDocument, to: PrintedHit): void {
    to.inner_hits = new Map(
      this.#found.map((found): [string, JsonValue] => [
        found.made.name,
        { hits: this.#hits(found, document) },
      ]),
    )
  }

  #hits({ made: { request }, within }: Found, document: FetchedDocument): JsonRecord {
    const best = within.best(document)
    const { total, maxScore } = best
    const isScored = request.sort.length === 0 || request.trackScores
    return {
      total: this.#totalAsInt ? total : { value: total, relation: 'eq' },
      max_score: isScored && !Number.isNaN(maxScore) ? new Float32(maxScore) : null,
      hits: within.read(document, best),
    }
  }
}

function withinHits(
  made: MadeInnerHits,
  { context, innerFetch }: FetchSubject,
): NestedHits | JoinedHits {
  return made.of.kind === 'join'
    ? new JoinedHits(made, made.of, innerFetch)
    : new NestedHits(made, made.of, innerFetch, context.mapping)
}
