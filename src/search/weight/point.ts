import { explainConstant } from './explain-constant.ts'
import { missOfConstant } from './explain-miss.ts'
import { keyText, USES_OF_COSTLY } from './key-text.ts'
import { hasColumn, pointsOf, pointsWithin } from './point-estimates.ts'
import { pointSupplier } from './point-supplier.ts'
import { STEPS_OF_POINT } from './step-costs.ts'
import type { PointInterval, PointWeight } from './weight-node.ts'
import type { WeightType } from './weight-type.ts'

/** Documents that have a number in one of several intervals. */
export const pointWeight: WeightType<PointWeight> = {
  supplier: pointSupplier,
  explainMiss: missOfConstant,
  explain: explainConstant,
  count: () => -1,
  steps: (_node, _states, segment) => STEPS_OF_POINT * segment.maxDoc,
  setSteps: (_node, _states, segment) => STEPS_OF_POINT * segment.maxDoc,
  isOfAlternatives: () => true,
  matches(node, _states, leaf) {
    const points = pointsOf(leaf, node)
    return points === null || !hasColumn(leaf, node) ? Number.NaN : pointsWithin(points, node)
  },
  // Its bit set covers the whole leaf.
  isDivisible: () => false,
  scoreEstimate: node => node.score,
  clause: (node, scored) => ({ kind: 'set', node, constant: scored ? node.score : 0 }),
  documentSet: (node, _states, leaf) => ({
    kind: pointsOf(leaf, node) === null ? 'iterators' : 'points',
    node,
  }),
  countScratch(_node, counts) {
    counts.sets++
  },
  cacheKey: node => `p${keyText(node.field)}${node.intervals.map(intervalKey).join('')};`,
  minUsesToCache: () => USES_OF_COSTLY,
  record: {
    write(to, node) {
      to.number(node.id)
      to.text(node.field)
      to.number(node.score)
      to.list(node.intervals, (out, { lowerHi, lowerLo, upperHi, upperLo }) => {
        out.number(lowerHi)
        out.number(lowerLo)
        out.number(upperHi)
        out.number(upperLo)
      })
      to.flag(node.indexed)
      to.flag(node.docValues)
    },
    read: from => ({
      kind: 'point',
      id: from.number(),
      field: from.text(),
      score: from.number(),
      intervals: from.list(input => ({
        lowerHi: input.number(),
        lowerLo: input.number(),
        upperHi: input.number(),
        upperLo: input.number(),
      })),
      indexed: from.flag(),
      docValues: from.flag(),
    }),
  },
}

function intervalKey({ lowerHi, lowerLo, upperHi, upperLo }: PointInterval): string {
  return `${lowerHi},${lowerLo},${upperHi},${upperLo}/`
}
