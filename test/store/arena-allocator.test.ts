import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ArenaAllocator } from '../../src/store/arena-allocator.ts'

const START = 65536
const END = START + (1 << 24)

describe('ArenaAllocator', () => {
  it('never hands out two ranges that overlap, and takes all back', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.record({
            bytes: fc.oneof(
              fc.integer({ min: 1, max: 4000 }),
              fc.integer({ min: 1, max: 200_000 }),
              fc.integer({ min: 1, max: 3_000_000 }),
            ),
            frees: fc.boolean(),
            pick: fc.nat(),
          }),
          { maxLength: 120 },
        ),
        steps => {
          const allocator = new ArenaAllocator(START, END)
          const held: { start: number; bytes: number }[] = []
          for (const { bytes, frees, pick } of steps) {
            if (frees && held.length > 0) {
              const [range] = held.splice(pick % held.length, 1)
              allocator.free(range!.start, range!.bytes)
              continue
            }
            const start = allocator.allocate(bytes)
            if (start < 0) continue
            expect(start % 256).toBe(0)
            expect(start).toBeGreaterThanOrEqual(START)
            expect(start + bytes).toBeLessThanOrEqual(END)
            for (const other of held)
              expect(start + bytes <= other.start || other.start + other.bytes <= start).toBe(true)
            held.push({ start, bytes })
          }
          for (const { start, bytes } of held) allocator.free(start, bytes)
          expect(allocator.isEmpty).toBe(true)
        },
      ),
      { seed: 20261121, numRuns: 300 },
    )
  })

  it('joins what is freed again, so that the whole can be taken once more', () => {
    const allocator = new ArenaAllocator(START, END)
    const ranges = Array.from({ length: 16 }, () => allocator.allocate(1 << 20))
    expect(allocator.allocate(1 << 20)).toBe(-1)
    for (const i of [3, 1, 2, 0, 15, 4, 14, 5, 13, 6, 12, 7, 11, 8, 10, 9])
      allocator.free(ranges[i]!, 1 << 20)
    expect(allocator.allocate(16 << 20)).toBe(START)
  })

  it('uses low ranges again before it touches new pages', () => {
    const allocator = new ArenaAllocator(START, END)
    for (let round = 0; round < 200; round++) {
      const a = allocator.allocate(500_000)
      const b = allocator.allocate(1000)
      allocator.free(a, 500_000)
      allocator.free(b, 1000)
    }
    expect(allocator.highWaterBytes).toBeLessThan(700_000)
  })
})
