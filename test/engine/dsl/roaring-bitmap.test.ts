import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bitmapRuns } from '../../../src/engine/dsl/roaring-bitmap.ts'
import { EngineError } from '../../../src/util/errors.ts'

const SEED = 20261122

/** A bitmap with a container of the given kind for each upper half. */
function written(values: readonly number[], kindOf: (key: number) => 'run' | 'plain'): Uint8Array {
  const sorted = [...new Set(values.map(value => value >>> 0))].sort((a, b) => a - b)
  const keys = [...new Set(sorted.map(value => value >>> 16))]
  const lists = keys.map(key => sorted.filter(value => value >>> 16 === key).map(v => v & 0xffff))
  const hasRuns = keys.some(key => kindOf(key) === 'run')
  const bytes: number[] = []
  const put = (value: number, count: number): void => {
    for (let i = 0; i < count; i++) bytes.push((value >>> (8 * i)) & 255)
  }
  if (hasRuns) {
    put(12347, 2)
    put(keys.length - 1, 2)
    for (let i = 0; i < keys.length; i += 8) {
      const flags = keys.slice(i, i + 8).map((key, bit) => (kindOf(key) === 'run' ? 1 << bit : 0))
      put(
        flags.reduce((all, flag) => all | flag, 0),
        1,
      )
    }
  } else {
    put(12346, 4)
    put(keys.length, 4)
  }
  keys.forEach((key, i) => {
    put(key, 2)
    put(lists[i]!.length - 1, 2)
  })
  // Offsets are for random access: readers in order pass over them.
  if (!hasRuns || keys.length >= 4) for (const _ of keys) put(0, 4)
  keys.forEach((key, i) => {
    const list = lists[i]!
    if (kindOf(key) === 'run') {
      const runs = runsOf(list)
      put(runs.length, 2)
      for (const [start, end] of runs) {
        put(start, 2)
        put(end - start, 2)
      }
    } else if (list.length <= 4096) for (const value of list) put(value, 2)
    else {
      const bits = new Uint8Array(8192)
      for (const value of list) bits[value >> 3]! |= 1 << (value & 7)
      bytes.push(...bits)
    }
  })
  return Uint8Array.from(bytes)
}

function runsOf(sorted: readonly number[]): [number, number][] {
  const runs: [number, number][] = []
  for (const value of sorted) {
    const last = runs.at(-1)
    if (last !== undefined && last[1] + 1 === value) last[1] = value
    else runs.push([value, value])
  }
  return runs
}

const near = fc.integer({ min: -70, max: 200_000 })
const values = fc.oneof(
  fc.array(fc.oneof(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }), near), { maxLength: 60 }),
  // Enough for a container of bits.
  fc
    .tuple(near, fc.integer({ min: 4000, max: 9000 }), fc.integer({ min: 1, max: 7 }))
    .map(([start, count, step]) => Array.from({ length: count }, (_, i) => start + step * i)),
)

describe('bitmapRuns', () => {
  it('tells the values as runs, ascending', () => {
    fc.assert(
      fc.property(values, fc.integer({ min: 0, max: 3 }), (list, style) => {
        const kindOf = (key: number): 'run' | 'plain' =>
          style === 0 || (style === 1 && key % 2 === 0) ? 'run' : 'plain'
        const runs = bitmapRuns(written(list, kindOf), 32)
        const sorted = [...new Set(list)].sort((a, b) => a - b)
        expect(runs.map(({ lower, upper }) => [Number(lower), Number(upper)])).toEqual(
          runsOf(sorted),
        )
      }),
      { seed: SEED, numRuns: 150 },
    )
  })

  it('reads bitmaps of 64-bit integers, negative ones first', () => {
    const part = (high: number, ...lows: readonly number[]): number[] => {
      const key = [high & 255, (high >>> 8) & 255, (high >>> 16) & 255, high >>> 24]
      return [...key, ...written(lows, () => 'plain')]
    }
    const bytes = [2, 0, 0, 0, 0, 0, 0, 0, ...part(1, 5, 6), ...part(0xffffffff, 0xffffffff)]
    expect(bitmapRuns(Uint8Array.from(bytes), 64)).toEqual([
      { lower: -1n, upper: -1n },
      { lower: 4294967301n, upper: 4294967302n },
    ])
  })

  it('refuses whatever is no bitmap', () => {
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 60 }),
      fc.tuple(values, fc.nat(), fc.integer({ min: 0, max: 255 })).map(([list, at, byte]) => {
        const good = written(list.slice(0, 50), () => 'run')
        good[at % Math.max(1, good.length)] = byte
        return good
      }),
    )
    fc.assert(
      fc.property(bytes, fc.constantFrom(32 as const, 64 as const), (given, bits) => {
        try {
          const runs = bitmapRuns(given, bits)
          for (let i = 1; i < runs.length; i++)
            expect(runs[i]!.lower > runs[i - 1]!.upper).toBe(true)
        } catch (error) {
          if (!(error instanceof EngineError)) throw error
          expect(error.type).toBe('illegal_argument_exception')
        }
      }),
      { seed: SEED, numRuns: 500 },
    )
  })

  it('bounds what it makes of few bytes', () => {
    const alternate = Array.from({ length: 17 * 32768 * 2 }, (_, i) => 2 * i)
    expect(() =>
      bitmapRuns(
        written(alternate, () => 'plain'),
        32,
      ),
    ).toThrow('the bitmap has more than 1048576 runs of values')
  })
})
