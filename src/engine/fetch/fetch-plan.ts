import type {
  FetchPartName,
  FetchPartValues,
  FetchPlan,
  FetchSubject,
  MakeReader,
  PlannedPart,
} from './fetch-part.ts'
import { FETCH_PART_NAMES, FETCH_PARTS } from './fetch-parts.ts'

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
  const byScore = subject.withScores && subject.sort === null
  return { parts, byScore, withIds: asked.storedFields !== 'none' }
}

function makerOf<N extends FetchPartName>(
  name: N,
  asked: FetchPartValues,
  subject: FetchSubject,
): MakeReader | null {
  return FETCH_PARTS[name].make(asked[name], subject)
}
