import fc from 'fast-check'
import { latLngToCell } from 'h3-js'
import { describe, expect, it } from 'vitest'
import { CELL_GRIDS, type CellGridName } from '../../../src/aggregation/geo/cells/cell-grids.ts'
import { geotileGrid, tileOf } from '../../../src/aggregation/geo/cells/geotile-grid.ts'
import { PlaceCells } from '../../../src/aggregation/geo/cells/place-cells.ts'
import { joinHalves } from '../../../src/search/query/point-value.ts'
import { decodedPlace } from '../../../src/search/scorer/place-values.ts'
import { geohashOf } from '../../../src/util/geohash.ts'

const MAX = 2 ** 31 - 1
const coordinate = fc.oneof(
  fc.integer(),
  fc.constantFrom(-(2 ** 31), -(2 ** 31) + 1, -1, 0, 1, MAX - 1, MAX),
)
const precisionOf = (grid: CellGridName): fc.Arbitrary<number> => {
  const { minPrecision, maxPrecision } = CELL_GRIDS[grid]
  return fc.integer({ min: minPrecision, max: maxPrecision })
}

function cellOf(grid: CellGridName, precision: number, lat: number, lon: number): bigint {
  const cells = new PlaceCells({ grid, precision, bounds: null })
  expect(cells.find(lat, lon)).toBe(true)
  return joinHalves(cells.high, cells.low)
}

describe('cells of places', () => {
  it('have the names that a plain search by halves gives geohashes', () => {
    fc.assert(
      fc.property(coordinate, coordinate, precisionOf('geohash'), (lat, lon, digits) => {
        const place = decodedPlace(lat, lon)
        const cell = cellOf('geohash', digits, lat, lon)
        expect(CELL_GRIDS.geohash.text(cell)).toBe(geohashOf(place.lat, place.lon, digits))
        expect(BigInt.asIntN(64, cell)).toBe(cell)
      }),
      { numRuns: 2000 },
    )
  })

  it('are the tiles of maps, also beyond the edges of these', () => {
    fc.assert(
      fc.property(coordinate, coordinate, precisionOf('geotile'), (lat, lon, zoom) => {
        const place = decodedPlace(lat, lon)
        const text = geotileGrid.text(cellOf('geotile', zoom, lat, lon))
        const [z, x, y] = text.split('/').map(Number) as [number, number, number]
        const tiles = 2 ** zoom
        expect(z).toBe(zoom)
        expect(x).toBe(Math.floor(((place.lon + 180) / 360) * tiles))
        const mercator = Math.atanh(Math.sin((place.lat / 180) * Math.PI)) / (2 * Math.PI)
        const row = Math.min(tiles - 1, Math.max(0, (0.5 - mercator) * tiles))
        // Two ways to the same logarithm differ in the last bits, which tell tiles apart on their edges alone.
        expect(Math.abs(y + 0.5 - row)).toBeLessThanOrEqual(0.5 + 1e-6)
      }),
      { numRuns: 2000 },
    )
  })

  it('are the hexagons of the library', () => {
    fc.assert(
      fc.property(coordinate, coordinate, precisionOf('geohex'), (lat, lon, resolution) => {
        const place = decodedPlace(lat, lon)
        const cell = cellOf('geohex', resolution, lat, lon)
        expect(CELL_GRIDS.geohex.text(cell)).toBe(latLngToCell(place.lat, place.lon, resolution))
      }),
      { numRuns: 500 },
    )
  })

  it('are found again by the names of tiles', () => {
    fc.assert(
      fc.property(coordinate, coordinate, precisionOf('geotile'), (lat, lon, zoom) => {
        const cell = cellOf('geotile', zoom, lat, lon)
        expect(tileOf(geotileGrid.text(cell))).toBe(cell)
      }),
    )
  })

  it('are none of places beyond the bounds, whose edges are within', () => {
    const bounds = [{ south: -45, north: 45, west: -90, east: 90 }]
    const cells = new PlaceCells({ grid: 'geotile', precision: 3, bounds })
    const quarter = 2 ** 30
    expect(cells.find(quarter, quarter)).toBe(true)
    expect(cells.find(-quarter, -quarter)).toBe(true)
    expect(cells.find(quarter + 1, 0)).toBe(false)
    expect(cells.find(0, -quarter - 1)).toBe(false)
  })
})
