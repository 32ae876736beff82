import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { paintsFor } from '../../../src/cli/drawing/paint.ts'
import { drawQueries } from '../../../src/cli/drawing/profile-tree.ts'
import { drawTable } from '../../../src/cli/drawing/table.ts'
import { widthOf } from '../../../src/cli/drawing/text.ts'
import { drawTimeline, lanesOf } from '../../../src/cli/drawing/timeline.ts'
import type { QueryProfile, SliceReport } from '../../../src/embed/profile-report.ts'

const plain = paintsFor(false)

function slice(sliceId: number, worker: number, queue: number, start: number, time: number) {
  const report: SliceReport = {
    sliceId,
    worker,
    queueTimeInNanos: queue,
    startOffsetInNanos: start,
    timeInNanos: time,
    partitions: [{ segmentOrd: 0, minDoc: 0, maxDoc: 4096 }],
    breakdown: {},
  }
  return report
}

function query(slices: readonly SliceReport[], children: readonly QueryProfile[] = []) {
  const profile: QueryProfile = {
    type: 'TermQuery',
    description: 'text:peace',
    timeInNanos: 2_000_000,
    sliceTimes: { maxInNanos: 2_000_000, minInNanos: 1_000_000, avgInNanos: 1_500_000 },
    breakdown: {
      next_doc: 9,
      next_doc_count: 5,
      avg_next_doc: 700,
      avg_next_doc_count: 3,
      score: 1,
    },
    slices,
    children,
  }
  return profile
}

describe('a table', () => {
  it('aligns its columns and cuts the flexible one', () => {
    const columns = [
      { title: 'n', align: 'right' as const },
      { title: 'text', isFlexible: true },
      { title: 'end' },
    ]
    const rows = [
      ['1', 'a long text that does not fit', 'x'],
      ['200', 'short', 'y'],
    ]
    expect(drawTable(columns, rows, 30, plain)).toEqual([
      '  n  text                  end',
      '  1  a long text that do…  x',
      '200  short                 y',
    ])
  })
})

describe('a timeline', () => {
  it('draws waiting and searching on one scale', () => {
    const root = query([slice(0, 1, 100_000, 200_000, 800_000), slice(1, -1, 0, 500_000, 500_000)])
    expect(drawTimeline(lanesOf(root), 70, plain)).toEqual([
      '  slice 0  worker 1 │  ░░░████████████████████████│ 800 µs  4,096 docs',
      '  slice 1  main     │              ███████████████│ 500 µs  4,096 docs',
      '                     0                     1.00 ms',
    ])
  })

  it('draws nothing for a search that was not cut', () => {
    expect(drawTimeline(lanesOf({ ...query([]), slices: null }), 80, plain)).toEqual([])
  })

  it('keeps every lane as wide as the others, whatever the times', () => {
    const time = fc.integer({ min: 0, max: 10 ** 9 })
    const lane = fc.tuple(fc.integer({ min: -1, max: 99 }), time, time, time)
    fc.assert(
      fc.property(
        fc.array(lane, { minLength: 1, maxLength: 9 }),
        fc.integer({ min: 60, max: 160 }),
        (lanes, width) => {
          const slices = lanes.map(([worker, queue, start, length], i) =>
            slice(i, worker, queue, start, length),
          )
          const lines = drawTimeline(lanesOf(query(slices)), width, plain)
          const edges = lines.slice(0, -1).map(line => {
            expect(widthOf(line)).toBeLessThanOrEqual(width)
            const [, bar = ''] = line.split('│')
            expect(bar).toMatch(/^ *░*█*[▏▎▍▌▋▊▉]? *$/)
            expect(bar).toMatch(/[█▏▎▍▌▋▊▉]/)
            return widthOf(bar)
          })
          expect(new Set(edges).size).toBe(1)
        },
      ),
      { seed: 7, numRuns: 200 },
    )
  })
})

describe('a tree of queries', () => {
  it('indents children and names the costliest method of the average slice', () => {
    const lines = drawQueries([query([], [query([])])], 100, plain)
    expect(lines[1]).toBe(
      'TermQuery text:peace    2.00 ms        1.50 ms  2.00 ms  next_doc 700 ns (3×)',
    )
    expect(lines[2]).toContain('└ TermQuery text:peace')
  })

  it('ties every child to its parent, the last one with a corner', () => {
    const leaf = query([])
    const root = query([], [query([], [leaf, query([], [leaf])]), query([], [leaf])])
    const lines = drawQueries([root, leaf], 100, plain)
    expect(lines.slice(1).map(line => line.slice(0, line.indexOf('TermQuery')))).toEqual([
      '',
      '├ ',
      '│ ├ ',
      '│ └ ',
      '│   └ ',
      '└ ',
      '  └ ',
      '',
    ])
  })
})
