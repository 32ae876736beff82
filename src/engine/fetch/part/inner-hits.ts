import { Float32, type JsonRecord, type JsonValue } from '../../../util/json/json-value.ts'
import type { Turn } from '../../../util/turns.ts'
import type { PrintedHit } from '../../response/printed-hit.ts'
import type { FetchedDocument, FetchPart, FetchSubject, HitReader, Reading } from '../fetch-part.ts'
import { JoinedHits } from '../inner/joined-hits.ts'
import { type MadeInnerHits, makeInnerHits } from '../inner/made-inner-hits.ts'
import { NestedHits } from '../inner/nested-hits.ts'

/** Work of a search within a hit, in units of about a microsecond. */
const UNITS_PER_SEARCH = 32

/** `inner_hits` of nested queries and joins: the documents with the hit that they match. */
export const innerHitsPart: FetchPart<null> = {
  unasked: null,
  keys: {},
  // Its fetches are entries of their own in profiles.
  subPhase: null,
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
  // Counted by the reader itself.
  readonly extraUnits = 0
  readonly #found: readonly Found[]
  readonly #totalAsInt: boolean

  constructor(made: readonly MadeInnerHits[], subject: FetchSubject) {
    this.#found = made.map(each => ({ made: each, within: withinHits(each, subject) }))
    this.#totalAsInt = subject.totalAsInt
  }

  *read(document: FetchedDocument, to: PrintedHit, turn: Turn): Reading<void> {
    const found = new Map<string, JsonValue>()
    for (const each of this.#found)
      found.set(each.made.name, { hits: yield* this.#hits(each, document, turn) })
    to.inner_hits = found
  }

  *#hits(
    { made: { request }, within }: Found,
    document: FetchedDocument,
    turn: Turn,
  ): Reading<JsonRecord> {
    const best = within.best(document)
    const { total, maxScore } = best
    if (turn.isOver(UNITS_PER_SEARCH + total)) yield
    const isScored = request.sort.length === 0 || request.trackScores
    return {
      total: this.#totalAsInt ? total : { value: total, relation: 'eq' },
      max_score: isScored && !Number.isNaN(maxScore) ? new Float32(maxScore) : null,
      hits: yield* within.read(document, best, turn),
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
