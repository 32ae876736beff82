import { Float32 } from '../../../util/json/json-value.ts'
import type { FetchPart, HitReader } from '../fetch-part.ts'

const READER: HitReader = {
  readsSource: false,
  extraUnits: 0,
  read({ hit }, to) {
    if (!Number.isNaN(hit.score)) to._score = new Float32(hit.score)
  },
}

/** The score of a hit that does not stand by it: `track_scores` of a search with a sort. */
export const scorePart: FetchPart<null> = {
  unasked: null,
  keys: {},
  subPhase: 'FetchScorePhase',
  ofOptions: () => undefined,
  make: (_asked, { sort, withScores }) => (withScores && sort !== null ? () => READER : null),
}
