import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  chooseMerge,
  type ForcedMerge,
  type MergeCandidate,
  type MergeSettings,
} from '../../src/shard/merge-choice.ts'

const MB = 2 ** 20
const settings: MergeSettings = {
  maxMergeAtOnce: 30,
  segmentsPerTier: 10,
  floorSegmentInBytes: 16 * MB,
  maxMergedSegmentInBytes: 5120 * MB,
  deletesPctAllowed: 20,
  expungeDeletesAllowed: 10,
}
const segment = fc
  .record({
    maxDoc: fc.integer({ min: 1, max: 1_000_000 }),
    bytesPerDoc: fc.integer({ min: 10, max: 2000 }),
    deleted: fc.double({ min: 0, max: 1, noNaN: true }),
  })
  .map(
    ({ maxDoc, bytesPerDoc, deleted }): MergeCandidate => ({
      maxDoc,
      bytes: maxDoc * bytesPerDoc,
      deletedCount: Math.floor(maxDoc * deleted * deleted),
    }),
  )

/** What merging the run makes of it; nothing when all its documents were deleted. */
function merged(run: readonly MergeCandidate[]): MergeCandidate[] {
  const sum = (of: (one: MergeCandidate) => number): number =>
    run.reduce((all, one) => all + of(one), 0)
  const maxDoc = sum(one => one.maxDoc - one.deletedCount)
  const bytes = sum(one => (one.bytes * (one.maxDoc - one.deletedCount)) / one.maxDoc)
  return maxDoc === 0 ? [] : [{ maxDoc, bytes: Math.round(bytes), deletedCount: 0 }]
}

/** Merges as long as anything is chosen. */
function settle(
  start: readonly MergeCandidate[],
  forced: ForcedMerge | null,
  check: (run: readonly MergeCandidate[], all: readonly MergeCandidate[]) => void,
): MergeCandidate[] {
  const segments = [...start]
  for (let round = 0; round < 500; round++) {
    const choice = chooseMerge(segments, settings, forced)
    if (choice === null) return segments
    expect(choice.start).toBeGreaterThanOrEqual(0)
    expect(choice.end).toBeGreaterThan(choice.start)
    expect(choice.end).toBeLessThanOrEqual(segments.length)
    const run = segments.slice(choice.start, choice.end)
    check(run, segments)
    segments.splice(choice.start, run.length, ...merged(run))
  }
  throw new Error('merging does not end')
}

describe('the choice of merges', () => {
  it('ends, with no more segments than the tiers hold and few deletes', () => {
    fc.assert(
      fc.property(fc.array(segment, { maxLength: 60 }), segments => {
        const rest = settle(segments, null, (run, all) => {
          const size = merged(run)[0]?.bytes ?? 0
          expect(run.length).toBeLessThanOrEqual(settings.maxMergeAtOnce)
          if (run.length > 1) {
            expect(size).toBeLessThanOrEqual(2 ** 30 + 1)
            expect(all.length).toBeGreaterThan(settings.segmentsPerTier)
          } else expect(run[0]!.deletedCount).toBeGreaterThan(0)
        })
        for (const { deletedCount, maxDoc } of rest)
          expect(deletedCount / maxDoc).toBeLessThanOrEqual(settings.deletesPctAllowed / 100)
      }),
      { seed: 1, numRuns: 300 },
    )
  })

  it('leaves a shard of few segments alone', () => {
    const small = { maxDoc: 1000, bytes: MB, deletedCount: 100 }
    expect(chooseMerge([], settings, null)).toBeNull()
    expect(chooseMerge([small], settings, null)).toBeNull()
    expect(chooseMerge(Array(10).fill(small), settings, null)).toBeNull()
    expect(chooseMerge(Array(11).fill(small), settings, null)).toEqual({ start: 0, end: 11 })
  })

  it('brings a shard down to the number that is asked for, as far as sizes allow', () => {
    fc.assert(
      fc.property(
        fc.array(segment, { maxLength: 20 }),
        fc.integer({ min: 1, max: 4 }),
        (segments, max) => {
          const rest = settle(segments, { maxSegments: max }, () => {})
          const total = rest.reduce((sum, one) => sum + one.bytes, 0)
          if (total <= 2 ** 30) expect(rest.length).toBeLessThanOrEqual(max)
          for (let i = 1; rest.length > max && i < rest.length; i++)
            expect(rest[i - 1]!.bytes + rest[i]!.bytes).toBeGreaterThan(2 ** 30 - 2)
        },
      ),
      { seed: 2, numRuns: 300 },
    )
  })

  it('expunges only where deletes are above the share that is allowed', () => {
    fc.assert(
      fc.property(fc.array(segment, { maxLength: 20 }), segments => {
        const rest = settle(segments, { onlyExpungeDeletes: true }, run => {
          expect(run).toHaveLength(1)
          expect(run[0]!.deletedCount / run[0]!.maxDoc).toBeGreaterThan(0.1)
        })
        for (const { deletedCount, maxDoc } of rest)
          expect(deletedCount / maxDoc).toBeLessThanOrEqual(0.1)
      }),
      { seed: 3, numRuns: 200 },
    )
  })
})
