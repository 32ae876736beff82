import type { Leaf } from '../../segment/leaf.ts'
import { arcDistance } from '../../util/geo-distance.ts'
import { PlaceValues } from '../scorer/place-values.ts'
import { ValueScorer } from '../scorer/value-scorer.ts'
import { countOf, type Explanation, step } from './explanation.ts'
import { ON_ITERATORS } from './on-iterators.ts'
import { supplier } from './scorer-context.ts'
import { docCountOf } from './step-costs.ts'
import type { DistanceFeatureWeight } from './weight-node.ts'
import type { WeightType } from './weight-type.ts'

/** Documents with a value, by its distance from an origin; of several values the nearest counts. */
export const distanceFeatureWeight: WeightType<DistanceFeatureWeight> = {
  ...ON_ITERATORS,
  supplier(node, context) {
    const { leaf } = context
    const values = leaf.numericValues(node.field)
    if (values === null) return null
    return supplier(values.docCount, () => {
      const nearest = nearestOf(node, leaf)
      const scoreOf = (docId: number): number => scoreAt(node, nearest(docId).distance)
      return new ValueScorer(values.docs(), scoreOf, node.boost)
    })
  },
  explainMiss: ({ field }, { docId }) =>
    step(0, `Document ${docId} doesn't have a value for field ${field}`),
  explain(node, { score }, at) {
    const { boost, pivot, origin } = node
    if (!node.scored) return step(score, at.text(node))
    const found = nearestOf(node, at.leaf)(at.docId)
    const value = origin.kind === 'long' ? 'abs(value - origin)' : 'abs(distance)'
    const formula = `Distance score, computed as weight * pivotDistance / (pivotDistance + ${value}) from:`
    return step(score, formula, [
      step(boost, 'weight'),
      origin.kind === 'long' ? countOf(pivot, 'pivotDistance') : step(pivot, 'pivotDistance'),
      ...found.details(),
    ])
  },
  steps: (node, _states, segment) => 2 * docCountOf(segment, node.field),
  clause: () => 'distance_feature',
}

function scoreAt({ boost, pivot, scored }: DistanceFeatureWeight, distance: number): number {
  return scored ? Math.fround(boost * (pivot / (pivot + distance))) : 0
}

/** A document's nearest value. */
interface Nearest {
  readonly distance: number
  readonly details: () => readonly Explanation[]
}

function nearestOf(
  { field, origin }: DistanceFeatureWeight,
  leaf: Leaf,
): (docId: number) => Nearest {
  const reader = leaf.numericValues(field)
  if (origin.kind === 'place') {
    const values = new PlaceValues(reader)
    const { place } = origin
    return docId => {
      let nearest = { distance: Number.POSITIVE_INFINITY, place }
      for (let i = values.open(docId) - 1; i >= 0; i--) {
        const value = values.value(i)
        const distance = arcDistance(place, value)
        if (distance < nearest.distance) nearest = { distance, place: value }
      }
      const { distance } = nearest
      return {
        distance,
        details: () => [
          step(place.lat, 'originLat'),
          step(place.lon, 'originLon'),
          step(nearest.place.lat, 'currentLat'),
          step(nearest.place.lon, 'currentLon'),
          step(distance, 'distance'),
        ],
      }
    }
  }
  const { hi, lo } = origin
  return docId => {
    let nearest = { distance: Number.POSITIVE_INFINITY, value: 0 }
    const count = reader?.advanceExact(docId) === true ? reader.valueCount() : 0
    for (let i = 0; i < count; i++) {
      reader!.select(i)
      // By halves, so that nanoseconds keep their digits.
      const distance = Math.abs((reader!.hi() - hi) * 4294967296 + (reader!.lo() - lo))
      if (distance < nearest.distance) nearest = { distance, value: reader!.number() }
    }
    const { distance } = nearest
    return {
      distance,
      details: () => [
        countOf(hi * 4294967296 + lo, 'origin'),
        countOf(nearest.value, 'current value'),
      ],
    }
  }
}
