import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { geohashCellSize, geohashCorner, geohashDigits, geohashOf } from '../../src/util/geohash.ts'

const DIGITS = '0123456789bcdefghjkmnpqrstuvwxyz'

/** The geohash of a place, by halving spans. */
function halved(lat: number, lon: number, length: number): string {
  const spans = [
    [-180, 180, lon],
    [-90, 90, lat],
  ] as [number, number, number][]
  let hash = ''
  for (let digit = 0, bit = 0; digit < length; digit++) {
    let value = 0
    for (let i = 0; i < 5; i++, bit++) {
      const span = spans[bit % 2]!
      const middle = (span[0] + span[1]) / 2
      value = 2 * value + (span[2] >= middle ? 1 : 0)
      span[span[2] >= middle ? 0 : 1] = middle
    }
    hash += DIGITS[value]
  }
  return hash
}

describe('geohashes', () => {
  it('name the cell that a place lies in', () => {
    fc.assert(
      fc.property(
        fc.double({ min: -90, max: 90, noNaN: true }),
        fc.double({ min: -180, max: 180, noNaN: true }),
        fc.integer({ min: 1, max: 12 }),
        (lat, lon, length) => {
          const corner = geohashCorner(halved(lat, lon, length))
          if (typeof corner === 'string') throw new Error(corner)
          const latSpan = 180 / 2 ** Math.floor((5 * length) / 2)
          const lonSpan = 360 / 2 ** Math.ceil((5 * length) / 2)
          expect(lat - corner.lat).toBeGreaterThanOrEqual(0)
          expect(lat - corner.lat).toBeLessThanOrEqual(latSpan)
          expect(lon - corner.lon).toBeGreaterThanOrEqual(0)
          expect(lon - corner.lon).toBeLessThanOrEqual(lonSpan)
        },
      ),
    )
  })

  it('say which symbol is no digit', () => {
    expect(geohashCorner('u4A')).toBe('A')
    expect(geohashCorner('ua')).toBe('a')
    expect(geohashCorner('u4pruydqqvj8ü')).not.toBe('ü')
  })

  it('are of places what halving spans gives', () => {
    fc.assert(
      fc.property(
        fc.double({ min: -90, max: 90, noNaN: true }),
        fc.double({ min: -180, max: 180, noNaN: true }),
        fc.integer({ min: 1, max: 12 }),
        (lat, lon, length) => {
          expect(geohashOf(lat, lon, length)).toBe(halved(lat, lon, length))
        },
      ),
    )
    expect(geohashOf(57.64911, 10.40744, 11)).toBe('u4pruydqqvj')
  })

  it('are as long as a distance wants', () => {
    expect([0, 1, 100, 5000, 40_000, 2e7].map(geohashDigits)).toEqual([12, 11, 8, 6, 5, 1])
    expect(geohashCellSize(5)).toBeCloseTo(6909, -1)
  })
})
