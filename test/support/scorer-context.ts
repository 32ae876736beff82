import { wholeLeaf } from '../../src/search/matches-at.ts'
import type { ScorerContext } from '../../src/search/weight/scorer-context.ts'
import type { Weight } from '../../src/search/weight/weight.ts'
import type { Leaf } from '../../src/segment/leaf.ts'

/** What a weight's suppliers need on the first of its leaves: all matches, nobody listening. */
export function scorerContext(
  weight: Weight,
  leaf: Leaf,
  given: Partial<ScorerContext> = {},
): ScorerContext {
  const states = weight.leaves[0] ?? { terms: [], expansions: [] }
  return { ...wholeLeaf(leaf, states), ...given }
}
