/** geo_bounds and geo_centroid. */
import { Near } from '../difference.ts'
import type { PlainKind } from '../kind.ts'
import { pointsOf } from '../row.ts'

interface BoundsBody {
  readonly field: 'at'
  readonly wrap_longitude: boolean
}

/** The sides of the narrowest box around longitudes, over the date line where that may be. */
function sidesOf(lons: readonly number[], wraps: boolean): readonly [left: number, right: number] {
  const least = Math.min(...lons)
  const most = Math.max(...lons)
  const east = lons.filter(lon => lon >= 0)
  const west = lons.filter(lon => lon < 0)
  if (!wraps || east.length === 0 || west.length === 0) return [least, most]
  const [left, right] = [Math.min(...east), Math.max(...west)]
  return right - left + 360 < most - least ? [left, right] : [least, most]
}

/** `geo_bounds`. */
export const geoBounds: PlainKind<BoundsBody> = {
  buckets: 'none',
  draw: ({ random }) => ({ field: 'at', wrap_longitude: random.below(2) === 0 }),
  answer({ wrap_longitude: wraps }, rows) {
    const points = rows.flatMap(pointsOf)
    if (points.length === 0) return {}
    const lats = points.map(({ lat }) => lat)
    const [left, right] = sidesOf(
      points.map(({ lon }) => lon),
      wraps,
    )
    return {
      bounds: {
        top_left: { lat: Math.max(...lats), lon: left },
        bottom_right: { lat: Math.min(...lats), lon: right },
      },
    }
  },
}

/** `geo_centroid`. */
export const geoCentroid: PlainKind<{ readonly field: 'at' }> = {
  buckets: 'none',
  draw: () => ({ field: 'at' }),
  answer(_body, rows) {
    const points = rows.flatMap(pointsOf)
    const count = points.length
    if (count === 0) return { count }
    const mean = (values: readonly number[]): Near =>
      new Near(values.reduce((sum, value) => sum + value, 0) / count)
    const [lat, lon] = [mean(points.map(each => each.lat)), mean(points.map(each => each.lon))]
    return { location: { lat, lon }, count }
  },
}
