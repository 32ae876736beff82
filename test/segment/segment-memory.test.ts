import { afterAll, expect, it } from 'vitest'
import { FilterCache } from '../../src/segment/filter-cache.ts'
import { Segment } from '../../src/segment/segment.ts'
import { SegmentMemory } from '../../src/segment/segment-memory.ts'
import { Snapshot } from '../../src/segment/snapshot.ts'
import { ArenaPool } from '../../src/store/arena-pool.ts'
import { FsDirectory } from '../../src/store/fs-directory.ts'
import { EngineError } from '../../src/util/errors.ts'

const directory = new FsDirectory(`${import.meta.dirname}/../golden/segments/v1`)
const open: Segment[] = []
afterAll(() => {
  for (const segment of open) segment.release()
})

function segmentOf(memory: SegmentMemory, uid: number): Segment {
  const segment = new Segment(uid, directory, '_0', gone => memory.forget(gone))
  open.push(segment)
  return segment
}

/** Pins every section of a segment and returns how many bytes that took. */
function pinAll(
  memory: SegmentMemory,
  segment: Segment,
  pins: ReturnType<SegmentMemory['newPins']>,
): number {
  let bytes = 0
  for (const { kind, field } of segment.file.directory.sections)
    bytes += memory.pin(segment, kind, field, pins)!.length
  return bytes
}

it('loads a section once, however often it is pinned, and opens without loading any', () => {
  const memory = new SegmentMemory(new ArenaPool(), 1 << 30)
  const segment = segmentOf(memory, 1)
  expect(memory.loadedBytes).toBe(0)
  const first = memory.newPins()
  const second = memory.newPins()
  const bytes = pinAll(memory, segment, first)
  expect(pinAll(memory, segment, second)).toBe(bytes)
  expect(memory.loadedBytes).toBe(bytes)
  expect(memory.loadedBytesOf(segment)).toBe(bytes)
  expect(memory.pin(segment, 'termVectors', -1, first)).toBe(null)
  first.release()
  second.release()
})

it('lets go of what is not pinned when the budget is short, least recently used first', () => {
  const arenas = new ArenaPool()
  const probe = new SegmentMemory(arenas, 1 << 30)
  const bytes = pinAll(probe, segmentOf(probe, 2), probe.newPins())
  const memory = new SegmentMemory(arenas, bytes + 1000)
  const [a, b] = [segmentOf(memory, 3), segmentOf(memory, 4)]
  const pinsOfA = memory.newPins()
  pinAll(memory, a, pinsOfA)
  pinsOfA.release()
  const pinsOfB = memory.newPins()
  pinAll(memory, b, pinsOfB)
  expect(memory.loadedBytesOf(b)).toBe(bytes)
  expect(memory.loadedBytesOf(a)).toBeLessThanOrEqual(1000)
  const more = memory.newPins()
  const tooMuch = (): unknown => pinAll(memory, a, more)
  expect(tooMuch).toThrow(EngineError)
  try {
    tooMuch()
  } catch (error) {
    expect((error as EngineError).type).toBe('circuit_breaking_exception')
    expect((error as Error).message).toContain('raise memory.limit')
  }
  more.release()
  pinsOfB.release()
  pinAll(memory, a, memory.newPins())
})

it('keeps a segment open while a snapshot holds it, and forgets its bytes afterwards', () => {
  const memory = new SegmentMemory(new ArenaPool(), 1 << 30)
  const segment = new Segment(9, directory, '_0', gone => memory.forget(gone))
  const snapshot = new Snapshot(1, [{ segment, live: null }])
  segment.release()
  const pins = memory.newPins()
  pinAll(memory, segment, pins)
  pins.release()
  expect(memory.loadedBytesOf(segment)).toBeGreaterThan(0)
  snapshot.release()
  expect(memory.loadedBytes).toBe(0)
  expect(memory.arenas.usedBytes).toBe(0)
})

it('lets hot filters go before any section, and never for another filter', () => {
  const memory = new SegmentMemory(new ArenaPool(), 1 << 16, 1 << 15)
  const segment = segmentOf(memory, 11)
  const home = memory.homeOf(segment)
  const filters = new FilterCache(memory, 1 << 15, 0)
  expect(filters.of(segment)).not.toBe(null)
  expect(memory.allocateSpare(11, (1 << 16) + 1)).toBe(null)
  const kept = memory.allocateSpare(11, 1 << 15)!
  expect(memory.loadedBytes).toBe(1 << 15)
  expect(memory.allocateSpare(11, (1 << 15) + 1)).toBe(null)
  memory.free(kept)

  const small = new SegmentMemory(new ArenaPool(), 1 << 16, 1 << 15)
  const other = segmentOf(small, 12)
  expect(small.homeOf(other)).toBe(home)
  const { start } = small.allocateSpare(12, 256)!
  const large = { uid: 12, maxDoc: 20_000, directory }
  const sets = small.filters.of(large)!
  small.filters.beginSearch(true)
  for (let i = 0; i < 2; i++) sets.find('f')
  sets.offer('f', 2, start, 2560)
  expect(sets.find('f')).not.toBe(null)
  // The running search may still use it.
  expect(small.filters.dropOldest(null)).toBe(false)
  small.filters.endSearch()
  const loaded = pinAll(small, other, small.newPins())
  expect(small.filters.useOf(directory).kept).toBe(1)
  // With little left, a filter takes the room of the one that was used longest ago.
  const most = small.allocate(other, (1 << 16) - loaded - 256 - 2560 - 1000)
  small.filters.beginSearch(true)
  for (let i = 0; i < 2; i++) sets.find('g')
  sets.offer('g', 2, start, 2560)
  expect(sets.find('g')).not.toBe(null)
  expect(sets.find('f')).toBe(null)
  small.filters.endSearch()
  expect(small.filters.useOf(directory)).toMatchObject({ made: 2, kept: 1 })
  small.free(most)
  const rest = small.allocate(other, (1 << 16) - loaded - 256)
  expect(small.filters.useOf(directory).kept).toBe(0)
  small.free(rest)
})
