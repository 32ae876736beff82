import type { Leaf } from '../../segment/leaf.ts'
import type { Segment } from '../../segment/segment.ts'
import { explainConstant } from './explain-constant.ts'
import { missOfConstant } from './explain-miss.ts'
import { keyBytes, keyText, USES_OF_COSTLY } from './key-text.ts'
import { hasColumn, pointsOf, pointsWithin } from './point-estimates.ts'
import { pointSupplier } from './point-supplier.ts'
import { STEPS_OF_POINT } from './step-costs.ts'
import { ordsOf } from './term-walk.ts'
import type { LeafStates } from './weight.ts'
import type { PointInterval, PointWeight, TermPointWeight } from './weight-node.ts'
import type { WeightType } from './weight-type.ts'

/**
 * Documents that have a term of given ranges, in a field whose points are its terms' ordinals: the
 * ranges are looked up in a leaf's dictionary, and the rest is a search in numbers.
 */
export const termPointWeight: WeightType<TermPointWeight> = {
  supplier(node, context) {
    const inLeaf = pointsInLeaf(node, context.leaf)
    return inLeaf.intervals.length === 0 ? null : pointSupplier(inLeaf, context)
  },
  explainMiss: missOfConstant,
  explain: explainConstant,
  count: () => -1,
  steps: setSteps,
  setSteps,
  isOfAlternatives: () => true,
  matches(node, _states, leaf) {
    const inLeaf = pointsInLeaf(node, leaf)
    const points = pointsOf(leaf, inLeaf)
    return points === null || !hasColumn(leaf, inLeaf) ? Number.NaN : pointsWithin(points, inLeaf)
  },
  // Its bit set covers the whole leaf.
  isDivisible: () => false,
  scoreEstimate: node => node.score,
  clause: (node, scored) => ({ kind: 'set', node, constant: scored ? node.score : 0 }),
  documentSet(node, _states, leaf) {
    const inLeaf = pointsInLeaf(node, leaf)
    if (inLeaf.intervals.length === 0) return { kind: 'terms', field: node.field, states: [] }
    if (pointsOf(leaf, inLeaf) === null) return { kind: 'iterators', node }
    return { kind: 'points', node: inLeaf }
  },
  countScratch(_node, counts) {
    counts.sets++
  },
  cacheKey(node) {
    const runs = node.runs.map(
      ({ lower, upper }) => `${keyBytes(lower)}${upper === null ? '-' : keyBytes(upper)}`,
    )
    return `o${keyText(node.field)}${runs.join('')};`
  },
  minUsesToCache: () => USES_OF_COSTLY,
  record: 'serialised',
}

function setSteps(_node: TermPointWeight, _states: LeafStates, segment: Segment): number {
  return STEPS_OF_POINT * segment.maxDoc
}

/** The node's intervals of ordinals by the uid of a leaf; a search asks for them several times. */
const KNOWN = new WeakMap<TermPointWeight, Map<number, PointWeight>>()

function pointsInLeaf(node: TermPointWeight, leaf: Leaf): PointWeight {
  let byLeaf = KNOWN.get(node)
  if (byLeaf === undefined) {
    byLeaf = new Map()
    KNOWN.set(node, byLeaf)
  }
  let found = byLeaf.get(leaf.uid)
  if (found === undefined) {
    const { id, field, score, indexed, docValues } = node
    const intervals = intervalsIn(node, leaf)
    found = { kind: 'point', id, field, score, intervals, indexed, docValues }
    byLeaf.set(leaf.uid, found)
  }
  return found
}

/** Neighbouring ordinals make one interval. */
function intervalsIn({ field, runs }: TermPointWeight, leaf: Leaf): PointInterval[] {
  const terms = leaf.terms(field)
  const intervals: { -readonly [K in keyof PointInterval]: PointInterval[K] }[] = []
  if (terms === null) return intervals
  for (const run of runs) {
    const [from, to] = ordsOf(terms, run)
    const last = intervals.at(-1)
    if (from === to) continue
    if (last?.upperLo === from - 1) last.upperLo = to - 1
    else intervals.push({ lowerHi: 0, lowerLo: from, upperHi: 0, upperLo: to - 1 })
  }
  return intervals
}
