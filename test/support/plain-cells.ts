/** Cells of places computed place by place: the oracle of grids. */
import { latLngToCell } from 'h3-js'
import { geohashOf } from '../../src/util/geohash.ts'
import type { Random } from '../../src/util/random.ts'

/** Degrees. */
export interface PlainPlace {
  readonly lat: number
  readonly lon: number
}

/** The body of a grid. */
export interface GridBody {
  readonly field: string
  readonly precision: number
  readonly bounds?: Record<'top' | 'left' | 'bottom' | 'right', number>
  readonly size?: number
  readonly shard_size?: number
}

/** The kinds of grids. */
export type Grid = 'geohash_grid' | 'geotile_grid' | 'geohex_grid'

/** A place that doc values keep exactly, often one of a few. */
export function randomPlace(random: Random): PlainPlace {
  const isAnywhere = random.below(4) === 0
  const step = isAnywhere ? random.below(1024) - 512 : random.below(6) - 3
  const other = isAnywhere ? random.below(1024) - 512 : random.below(6) - 3
  return { lat: (step * 180) / 1024, lon: (other * 360) / 1024 }
}

/** The distinct cells of places within the bounds. */
export function cellsOf(kind: Grid, body: GridBody, places: readonly PlainPlace[]): Set<string> {
  const cells = places.filter(isWithin(body.bounds)).map(({ lat, lon }) => {
    if (kind === 'geohash_grid') return geohashOf(lat, lon, body.precision)
    if (kind === 'geohex_grid') return latLngToCell(lat, lon, body.precision)
    const tiles = 2 ** body.precision
    const clamp = (tile: number): number => Math.min(tiles - 1, Math.max(0, Math.floor(tile)))
    const mercator = Math.atanh(Math.sin((lat / 180) * Math.PI)) / (2 * Math.PI)
    return `${body.precision}/${clamp(((lon + 180) / 360) * tiles)}/${clamp((0.5 - mercator) * tiles)}`
  })
  return new Set(cells)
}

function isWithin(bounds: GridBody['bounds']): (place: PlainPlace) => boolean {
  if (bounds === undefined) return () => true
  const { top, left, bottom, right } = bounds
  return ({ lat, lon }) =>
    lat >= bottom &&
    lat <= top &&
    (left <= right ? lon >= left && lon <= right : lon >= left || lon <= right)
}

const BASE_32 = '0123456789bcdefghjkmnpqrstuvwxyz'

/** The number that cells of equal counts are sorted by, the highest first. */
export function cellOrder(kind: Grid, cell: string): bigint {
  if (kind === 'geohex_grid') return BigInt(`0x${cell}`)
  if (kind === 'geohash_grid') {
    const bits = [...cell].reduce((sum, digit) => sum * 32n + BigInt(BASE_32.indexOf(digit)), 0n)
    // As the server's signed integers of 64 bits.
    return BigInt.asIntN(64, bits << 4n)
  }
  const [, x, y] = cell.split('/').map(BigInt) as [bigint, bigint, bigint]
  return (x << 29n) | y
}
