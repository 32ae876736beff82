import type { DocIdIterator } from '../../codec/doc-id-iterator.ts'
import type { Leaf } from '../../segment/leaf.ts'
import type { Segment } from '../../segment/segment.ts'
import { BitSet } from '../../util/bit-set.ts'
import { BitSetIterator } from '../scorer/doc-set-iterators.ts'
import type { ScorerSupplier } from '../scorer/scorer.ts'
import { MASK_OF_STEPS } from './add-postings.ts'
import { explainConstant } from './explain-constant.ts'
import { missOfConstant } from './explain-miss.ts'
import { keyText, USES_OF_COSTLY } from './key-text.ts'
import { constantScorer, type ScorerContext, supplier } from './scorer-context.ts'
import { STEPS_OF_POINT } from './step-costs.ts'
import type { LeafStates } from './weight.ts'
import type { BoxWeight } from './weight-node.ts'
import type { WeightType } from './weight-type.ts'

/** Sign bit: flipped in points, so that words compare as unsigned. */
const SIGN = 0x80000000

/** Documents that have a point in a box of the plane. */
export const boxWeight: WeightType<BoxWeight> = {
  supplier: boxSupplier,
  explainMiss: missOfConstant,
  explain: explainConstant,
  count: () => -1,
  steps: setSteps,
  setSteps,
  isOfAlternatives: () => true,
  matches: () => Number.NaN,
  // Its bit set covers the whole leaf.
  isDivisible: () => false,
  scoreEstimate: node => node.score,
  clause: (node, scored) => ({ kind: 'set', node, constant: scored ? node.score : 0 }),
  documentSet: node => ({ kind: 'boxes', node }),
  countScratch(_node, counts) {
    counts.sets++
  },
  cacheKey: node => `b${keyText(node.field)}${node.lower.join()},${node.upper.join()};`,
  minUsesToCache: () => USES_OF_COSTLY,
  record: 'serialised',
}

function setSteps(_node: BoxWeight, _states: LeafStates, segment: Segment): number {
  return STEPS_OF_POINT * segment.maxDoc
}

function boxSupplier(node: BoxWeight, context: ScorerContext): ScorerSupplier | null {
  const { leaf, watch } = context
  const { lower, upper } = node
  const boxes = leaf.boxes(node.field)
  if (boxes === null) return null
  const cost = boxes.estimate(lower, upper)
  if (cost === 0) return null
  return supplier(cost, leadCost => {
    // With few candidates, reading each one's points beats collecting the whole box.
    const candidates = leadCost * 8 < cost ? pointsByDocument(node, leaf) : null
    if (candidates !== null) {
      const { approximation, matches } = candidates
      const check = { approximation, matches, matchCost: () => 20 }
      return constantScorer(context, node.score, approximation, check)
    }
    const bits = new BitSet(leaf.maxDoc)
    let steps = 0
    boxes.intersect(lower, upper, doc => {
      bits.add(doc)
      if ((++steps & MASK_OF_STEPS) === 0) watch.spend(MASK_OF_STEPS)
    })
    return constantScorer(context, node.score, new BitSetIterator(bits, bits.count()))
  })
}

/** The documents that have points, and whether one of the current document's lies in the box. */
interface PointsByDocument {
  readonly approximation: DocIdIterator
  readonly matches: () => boolean
}

function pointsByDocument(node: BoxWeight, leaf: Leaf): PointsByDocument | null {
  switch (node.column) {
    case 'bytes':
      return pointsOfBytes(node, leaf)
    case 'numericValues':
      return pointsOfNumbers(node, leaf)
    case null:
      return null
  }
}

function pointsOfBytes({ field, lower, upper }: BoxWeight, leaf: Leaf): PointsByDocument | null {
  const values = leaf.bytes(field)
  if (values === null) return null
  const words = new Uint32Array(lower.length)
  const approximation = values.docs()
  const matches = (): boolean => {
    if (!values.advanceExact(approximation.docId())) return false
    for (let i = 0; i < values.valueCount(); i++) {
      const bytes = values.value(i)
      const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
      for (let word = 0; word < words.length; word++) words[word] = view.getUint32(4 * word)
      if (liesIn(words, lower, upper)) return true
    }
    return false
  }
  return { approximation, matches }
}

function pointsOfNumbers({ field, lower, upper }: BoxWeight, leaf: Leaf): PointsByDocument | null {
  const values = leaf.numericValues(field)
  if (values === null) return null
  const words = new Uint32Array(2)
  const approximation = values.docs()
  const matches = (): boolean => {
    if (!values.advanceExact(approximation.docId())) return false
    for (let i = 0; i < values.valueCount(); i++) {
      values.select(i)
      words[0] = values.hi() ^ SIGN
      words[1] = values.lo() ^ SIGN
      if (liesIn(words, lower, upper)) return true
    }
    return false
  }
  return { approximation, matches }
}

/** Compares two coordinates, each of half the words. */
function liesIn(words: Uint32Array, lower: Uint32Array, upper: Uint32Array): boolean {
  const count = words.length / 2
  for (let first = 0; first < words.length; first += count) {
    if (compareWords(words, lower, first, count) < 0) return false
    if (compareWords(words, upper, first, count) > 0) return false
  }
  return true
}

function compareWords(a: Uint32Array, b: Uint32Array, first: number, count: number): number {
  for (let i = first; i < first + count; i++) if (a[i] !== b[i]) return a[i]! - b[i]!
  return 0
}
