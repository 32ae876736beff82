import type { SliceHit } from '../../search/collector/collect-spec.ts'
import type { FetchPartName, FetchPartValues, FetchSubject, HitReader } from './fetch-part.ts'
import { FETCH_PART_NAMES, FETCH_PARTS } from './fetch-parts.ts'

/** A part that a fetch runs. */
export interface PlannedPart {
  /** Its class in the fetch profile; null where it has none. */
  readonly subPhase: string | null
  readonly reader: HitReader
}

/** The readers of a request for one shard, valid for one snapshot, because readers cache its columns. */
export interface FetchPlan {
  readonly parts: readonly PlannedPart[]
  /** Whether hits carry scores. */
  readonly withScores: boolean
}

/** Plans the fetch of one shard's hits. */
export function fetchPlan(
  asked: FetchPartValues,
  subject: FetchSubject,
  hits: readonly SliceHit[],
): FetchPlan {
  const parts: PlannedPart[] = []
  for (const name of FETCH_PART_NAMES) {
    const reader = readerOf(name, asked, subject, hits)
    if (reader !== null) parts.push({ subPhase: FETCH_PARTS[name].subPhase, reader })
  }
  return { parts, withScores: subject.withScores }
}

function readerOf<N extends FetchPartName>(
  name: N,
  asked: FetchPartValues,
  subject: FetchSubject,
  hits: readonly SliceHit[],
): HitReader | null {
  return FETCH_PARTS[name].make(asked[name], subject, hits)
}
