import type { BoxesReader } from '../../codec/boxes/reader.ts'
import type { DocIdIterator } from '../../codec/doc-id-iterator.ts'
import { BitSet } from '../../util/bit-set.ts'
import { BitSetIterator } from '../scorer/doc-set-iterators.ts'
import { areaTest } from '../scorer/geo-area.ts'
import { decodedPlace, PlaceValues } from '../scorer/place-values.ts'
import type { ScorerSupplier } from '../scorer/scorer.ts'
import { MASK_OF_STEPS } from './add-postings.ts'
import { explainConstant } from './explain-constant.ts'
import { missOfConstant } from './explain-miss.ts'
import { keyText, USES_OF_COSTLY } from './key-text.ts'
import { ON_ITERATORS } from './on-iterators.ts'
import { constantScorer, type ScorerContext, supplier } from './scorer-context.ts'
import { STEPS_OF_POINT } from './step-costs.ts'
import type { GeoAreaWeight } from './weight-node.ts'
import type { WeightType } from './weight-type.ts'

/** Sign bit: flipped in points, so that words compare as unsigned. */
const SIGN = 0x80000000

/** Documents with a place in an area of the Earth. */
export const geoAreaWeight: WeightType<GeoAreaWeight> = {
  ...ON_ITERATORS,
  supplier: areaSupplier,
  explainMiss: missOfConstant,
  explain: explainConstant,
  steps: (_node, _states, segment) => 4 * STEPS_OF_POINT * segment.maxDoc,
  setSteps: (_node, _states, segment) => 4 * STEPS_OF_POINT * segment.maxDoc,
  isDivisible: () => false,
  scoreEstimate: node => node.score,
  clause: (node, scored) => ({ kind: 'set', node, constant: scored ? node.score : 0 }),
  cacheKey: node => `g${keyText(node.field)}${JSON.stringify(node.area)};`,
  minUsesToCache: () => USES_OF_COSTLY,
}

function areaSupplier(node: GeoAreaWeight, context: ScorerContext): ScorerSupplier | null {
  const { leaf } = context
  const values = node.docValues ? leaf.numericValues(node.field) : null
  const boxes = node.indexed ? leaf.boxes(node.field) : null
  if (boxes === null && values === null) return null
  const cost = boxes === null ? values!.docCount : estimate(node, boxes)
  if (cost === 0) return null
  return supplier(cost, leadCost => {
    // With few candidates, reading each one's places beats collecting the whole area.
    if (values !== null && (boxes === null || leadCost * 8 < cost)) {
      const approximation = values.docs()
      const matches = placesMatch(node, new PlaceValues(values), approximation)
      const check = { approximation, matches, matchCost: () => 40 }
      return constantScorer(context, node.score, approximation, check)
    }
    const bits = collected(node, boxes!, context)
    return constantScorer(context, node.score, new BitSetIterator(bits, bits.count()))
  })
}

function estimate({ cover }: GeoAreaWeight, boxes: BoxesReader): number {
  return cover.reduce((sum, { lower, upper }) => sum + boxes.estimate(lower, upper), 0)
}

function collected(
  { area, cover }: GeoAreaWeight,
  boxes: BoxesReader,
  { leaf, watch }: ScorerContext,
): BitSet {
  const bits = new BitSet(leaf.maxDoc)
  const isIn = areaTest(area)
  let steps = 0
  const spend = (): void => {
    if ((++steps & MASK_OF_STEPS) === 0) watch.spend(MASK_OF_STEPS)
  }
  for (const { lower, upper } of cover)
    if (area.kind === 'boxes')
      boxes.intersect(lower, upper, doc => {
        bits.add(doc)
        spend()
      })
    else
      boxes.visitNear(lower, upper, (doc, words) => {
        spend()
        if (!liesIn(words[0]!, words[1]!, lower, upper)) return
        if (isIn(decodedPlace(words[0]! ^ SIGN, words[1]! ^ SIGN))) bits.add(doc)
      })
  return bits
}

function placesMatch(
  { area, cover }: GeoAreaWeight,
  places: PlaceValues,
  docs: DocIdIterator,
): () => boolean {
  const isIn = areaTest(area)
  return () => {
    const count = places.open(docs.docId())
    for (let i = 0; i < count; i++) {
      const [lat, lon] = places.words(i)
      const isCovered = cover.some(({ lower, upper }) => liesIn(lat, lon, lower, upper))
      if (isCovered && isIn(places.value(i))) return true
    }
    return false
  }
}

function liesIn(lat: number, lon: number, lower: Uint32Array, upper: Uint32Array): boolean {
  return lat >= lower[0]! && lat <= upper[0]! && lon >= lower[1]! && lon <= upper[1]!
}
