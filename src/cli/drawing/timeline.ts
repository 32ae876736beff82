/**
 * When each slice of a search waited and ran, a lane per slice on one common scale:
 *
 *   slice 0  worker 1  │░░██████████▌          │ 1.02 ms  9,216 docs
 *   slice 1  worker 0  │░█████████████████████ │ 1.61 ms  9,006 docs
 *                       0                1.7 ms
 */
import type { QueryProfile, SliceReport } from '../../embed/profile-report.ts'
import type { Paints } from './paint.ts'
import { countText, nanosText, pad, widthOf } from './text.ts'

/** One lane; times in nanoseconds from the start of the search. */
export interface Lane {
  readonly label: string
  /** When it was handed over; before `start`, it waited. */
  readonly queued: number
  readonly start: number
  readonly end: number
  readonly note: string
}

/** Eighths of a cell, filled from the left. */
const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉']
const FULL = '█'
const WAITING = '░'
const LEAST_CELLS = 10

/** The lanes of a query's slices; none when it was not cut, or slices were not asked for. */
export function lanesOf(root: QueryProfile): readonly Lane[] {
  return (root.slices ?? []).map(slice => ({
    label: `slice ${slice.sliceId}  ${slice.worker < 0 ? 'main' : `worker ${slice.worker}`}`,
    queued: slice.startOffsetInNanos - slice.queueTimeInNanos,
    start: slice.startOffsetInNanos,
    end: slice.startOffsetInNanos + slice.timeInNanos,
    note: `${nanosText(slice.timeInNanos)}  ${countText(docsOf(slice))} docs`,
  }))
}

/** Documents that a slice covers. */
function docsOf(slice: SliceReport): number {
  return slice.partitions.reduce((sum, { minDoc, maxDoc }) => sum + maxDoc - minDoc, 0)
}

/**
 * Draws lanes on one scale, with the scale below them; nothing for no lanes.
 * @param width columns of the terminal
 */
export function drawTimeline(lanes: readonly Lane[], width: number, paint: Paints): string[] {
  if (lanes.length === 0) return []
  const labelWidth = Math.max(...lanes.map(lane => widthOf(lane.label)))
  const noteWidth = Math.max(...lanes.map(lane => widthOf(lane.note)))
  const cells = Math.max(LEAST_CELLS, width - labelWidth - noteWidth - 6)
  const from = Math.min(0, ...lanes.map(lane => lane.queued))
  const to = Math.max(from + 1, ...lanes.map(lane => lane.end))
  const scale = (cells * 8) / (to - from)
  const eighthsOf = (time: number): number => Math.round((time - from) * scale)
  // A slice that starts at the very end still gets the last cell.
  const startOf = (time: number): number => Math.min(eighthsOf(time), (cells - 1) * 8)
  const lines = lanes.map(lane => {
    const bar = drawBar(eighthsOf(lane.queued), startOf(lane.start), eighthsOf(lane.end), paint)
    return `  ${pad(lane.label, labelWidth)} │${pad(bar, cells)}│ ${lane.note}`
  })
  const end = nanosText(to - from)
  const scaleLine = `0${' '.repeat(Math.max(1, cells - 1 - widthOf(end)))}${end}`
  return [...lines, paint.dim(`  ${' '.repeat(labelWidth)}  ${scaleLine}`)]
}

/** One bar; places are eighths of cells. A bar starts with a whole cell and is never empty. */
function drawBar(queued: number, start: number, end: number, paint: Paints): string {
  const firstCell = Math.floor(start / 8)
  const waitingFrom = Math.min(firstCell, Math.floor(queued / 8))
  const eighths = Math.max(1, end - firstCell * 8)
  const bar = FULL.repeat(Math.floor(eighths / 8)) + EIGHTHS[eighths % 8]
  return (
    ' '.repeat(waitingFrom) +
    paint.waiting(WAITING.repeat(firstCell - waitingFrom)) +
    paint.busy(bar)
  )
}
