import type { FetchPartName, FetchPartValues, FetchSubject, MakeReader } from './fetch-part.ts'
import { FETCH_PART_NAMES, FETCH_PARTS } from './fetch-parts.ts'

/** A part that a fetch runs. */
export interface PlannedPart {
  /** Its class in the fetch profile; null where it has none. */
  readonly subPhase: string | null
  readonly make: MakeReader
}

/** The parts of a request for the hits of one index. */
export interface FetchPlan {
  readonly parts: readonly PlannedPart[]
  /** Whether hits carry scores. */
  readonly withScores: boolean
  /** Whether hits carry ids and routing values. */
  readonly withIds: boolean
}

/**
 * Plans the fetch of an index's hits.
 * @throws {EngineError} a part does not fit the index
 */
export function fetchPlan(asked: FetchPartValues, subject: FetchSubject): FetchPlan {
  const parts: PlannedPart[] = []
  for (const name of FETCH_PART_NAMES) {
    const make = makerOf(name, asked, subject)
    if (make !== null) parts.push({ subPhase: FETCH_PARTS[name].subPhase, make })
  }
  return { parts, withScores: subject.withScores, withIds: asked.storedFields !== 'none' }
}

function makerOf<N extends FetchPartName>(
  name: N,
  asked: FetchPartValues,
  subject: FetchSubject,
): MakeReader | null {
  return FETCH_PARTS[name].make(asked[name], subject)
}
