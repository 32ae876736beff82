/** Queries of places, distances and features. */

import { highHalf, lowHalf } from '../../../src/search/query/point-value.ts'
import type { Query } from '../../../src/search/query/query.ts'
import type { FeatureFunction } from '../../../src/search/scorer/feature-value.ts'
import type { GeoArea } from '../../../src/search/scorer/geo-area.ts'
import type { Random } from '../../../src/util/random.ts'
import { plainFeature } from '../plain-features.ts'
import { DAY, EPOCH, type PlainPlace, randomTriangle } from './collection.ts'
import { boostedBy, boostKey, type Draw, type Made, NOTHING, oneOf } from './kind.ts'

/** A place that stands on none of the degrees that documents have. */
export function randomPlace(random: Random): PlainPlace {
  return { lat: random.next() * 26 - 13, lon: random.next() * 50 - 25 }
}

function areaQuery(area: GeoArea, boost: { readonly boost?: number }): Query {
  return boostedBy({ kind: 'geoArea', field: 'at', area, indexed: true, docValues: true }, boost)
}

export function geoBoundingBox({ random }: Draw): Made {
  const boost = boostKey(random)
  const [a, b] = [randomPlace(random), randomPlace(random)]
  const [south, north] = [Math.min(a.lat, b.lat), Math.max(a.lat, b.lat)]
  const [west, east] = [Math.min(a.lon, b.lon), Math.max(a.lon, b.lon)]
  const corners = { top_left: { lat: north, lon: west }, bottom_right: { lat: south, lon: east } }
  const area: GeoArea = { kind: 'boxes', boxes: [{ south, north, west, east }] }
  return {
    body: { at: corners, ...boost },
    mustBecomesFilter: true,
    on: () => areaQuery(area, boost),
  }
}

export function geoDistance({ random }: Draw): Made {
  const boost = boostKey(random)
  const [center, km] = [randomPlace(random), 50 + random.next() * 2000]
  const area: GeoArea = { kind: 'circle', center, meters: km * 1000 }
  return {
    body: { at: center, distance: `${km}km`, ...boost },
    on: () => areaQuery(area, boost),
  }
}

export function geoPolygon({ random }: Draw): Made {
  const boost = boostKey(random)
  const center = randomPlace(random)
  const count = 3 + random.below(4)
  const corners = Array.from({ length: count }, (_, i) => {
    const angle = ((i + random.next() * 0.8) / count) * 2 * Math.PI
    const reach = 3 + random.next() * 12
    return { lat: center.lat + reach * Math.sin(angle), lon: center.lon + reach * Math.cos(angle) }
  })
  return {
    body: { at: { points: corners }, ...boost },
    on: () => areaQuery({ kind: 'polygon', corners }, boost),
  }
}

export function geoShape({ random }: Draw): Made {
  const boost = boostKey(random)
  const relation = oneOf(random, ['intersects', 'disjoint', 'within', 'contains'] as const)
  const ring = randomTriangle(random, relation === 'contains' ? 0.5 : 4 + random.next() * 14)
  const rings = [{ lons: ring.map(([lon]) => lon), lats: ring.map(([, lat]) => lat) }]
  const shape = { type: 'Polygon', coordinates: [ring] }
  const query: Query = {
    kind: 'constantScore',
    query: { kind: 'geoShape', field: 'zone', relation, shapes: [{ kind: 'polygon', rings }] },
  }
  return { body: { zone: { shape, relation }, ...boost }, on: () => boostedBy(query, boost) }
}

export function distanceFeature({ random }: Draw): Made {
  const boost = boostKey(random)
  if (random.below(2) === 0) {
    const [place, km] = [randomPlace(random), 1 + random.below(3000)]
    const query: Query = {
      kind: 'distanceFeature',
      field: 'at',
      origin: { kind: 'place', place },
      pivot: km * 1000,
    }
    return {
      body: { field: 'at', origin: place, pivot: `${km}km`, ...boost },
      on: () => boostedBy(query, boost),
    }
  }
  const [millis, days] = [EPOCH + random.below(40 * 24) * (DAY / 24), 1 + random.below(20)]
  const value = BigInt(millis)
  const query: Query = {
    kind: 'distanceFeature',
    field: 'day',
    origin: { kind: 'long', hi: highHalf(value), lo: lowHalf(value), text: `${value}` },
    pivot: days * DAY,
  }
  return {
    body: { field: 'day', origin: new Date(millis).toISOString(), pivot: `${days}d`, ...boost },
    on: () => boostedBy(query, boost),
  }
}

export function rankFeature({ random }: Draw): Made {
  const boost = boostKey(random)
  const field = oneOf(random, ['pop', 'marks.a', 'marks.b'])
  const pivot = 1 + random.below(40) / 4
  const [dsl, fn] = oneOf<readonly [object, FeatureFunction]>(random, [
    [{}, { kind: 'saturation', pivot: null }],
    [{ saturation: { pivot } }, { kind: 'saturation', pivot }],
    [{ log: { scaling_factor: pivot } }, { kind: 'log', scalingFactor: pivot }],
    [{ sigmoid: { pivot, exponent: 0.5 } }, { kind: 'sigmoid', pivot, exponent: 0.5 }],
    [{ linear: {} }, { kind: 'linear' }],
  ])
  const [name, feature] = field === 'pop' ? ['_feature', 'pop'] : field.split('.')
  return {
    body: { field, ...dsl, ...boost },
    on({ documents }) {
      const freqs = documents.flatMap(({ source }) => {
        const value = field === 'pop' ? source.pop : source.marks?.[feature!]
        return value === undefined ? [] : [plainFeature.freqOf(value)]
      })
      if (freqs.length === 0) return NOTHING
      const sum = freqs.reduce((total, freq) => total + freq, 0)
      const mean = plainFeature.valueOf(Math.trunc(Math.fround(sum / freqs.length)))
      return boostedBy(
        {
          kind: 'feature',
          field: field === 'pop' ? 'pop' : 'marks',
          feature: feature!,
          shownField: name!,
          function: fn.kind === 'saturation' && fn.pivot === null ? { ...fn, pivot: mean } : fn,
        },
        boost,
      )
    },
  }
}
