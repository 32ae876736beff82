import { UNWATCHED } from '../../src/search/scorer/watch.ts'
import { WindowPool } from '../../src/search/scorer/window-pool.ts'
import type { ScorerContext } from '../../src/search/weight/scorer-context.ts'
import type { Weight } from '../../src/search/weight/weight.ts'
import type { Leaf } from '../../src/segment/leaf.ts'

/** What a weight's suppliers need on the first of its leaves: all matches, nobody listening. */
export function scorerContext(
  weight: Weight,
  leaf: Leaf,
  given: Partial<ScorerContext> = {},
): ScorerContext {
  return {
    leaf,
    states: weight.leaves[0] ?? { terms: [], expansions: [] },
    prunes: false,
    wrap: null,
    inverses: new Map(),
    postings: [],
    skippers: [],
    endDoc: leaf.maxDoc,
    windows: new WindowPool(),
    watch: UNWATCHED,
    batches: null,
    ...given,
  }
}
