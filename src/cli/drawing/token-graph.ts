import type { Paints } from './paint.ts'
import { cut, printable, widthOf } from './text.ts'

/** A token as an arc: from its position to the one that it reaches. */
export interface GraphToken {
  readonly token: string
  readonly position: number
  /** Positions that it spans, 1 or more. */
  readonly positionLength: number
}

interface Arc {
  readonly text: string
  readonly start: number
  readonly end: number
}

/** Longer tokens are cut in the drawing; the table has them whole. */
const MOST_LABEL = 24
/** Positions further apart than this stand for a gap and are drawn apart. */
const MOST_STEP = 8

/**
 * Tokens as arcs over a line of positions; those that stack on others stand above them. A graph too
 * wide for the terminal goes on below.
 *
 *   ╭─ new ─┬─ york ─╮
 *   ├────── ny ──────┼─ hotel ─╮
 *   0       1        2         3
 */
export function drawTokenGraph(
  tokens: readonly GraphToken[],
  width: number,
  paint: Paints,
): string[] {
  const arcs = tokens.map(({ token, position, positionLength }) => ({
    text: ` ${cut(printable(token), MOST_LABEL)} `,
    start: Math.max(0, position),
    end: Math.max(0, position) + positionLength,
  }))
  const lines: string[] = []
  for (const part of parts(arcs, width)) {
    if (lines.length > 0) lines.push('')
    lines.push(...drawPart(part, paint))
  }
  return lines
}

/** The arcs in runs that fit the width, divided where no arc passes over if there is such a place. */
function parts(arcs: readonly Arc[], width: number): Arc[][] {
  const sorted = [...arcs].sort((a, b) => a.start - b.start || b.end - a.end)
  const whole: Arc[][] = []
  let part: Arc[] = []
  let reach = Number.NEGATIVE_INFINITY
  for (const arc of sorted) {
    const isApart = part.length > 0 && arc.start >= reach
    const isFar = isApart && arc.start - reach > MOST_STEP
    if (isFar || (isApart && lineWidth([...part, arc]) > width)) {
      whole.push(part)
      part = []
      reach = Number.NEGATIVE_INFINITY
    }
    part.push(arc)
    reach = Math.max(reach, arc.end)
  }
  if (part.length > 0) whole.push(part)
  return whole
}

/** Columns of each position that arcs start or end at. */
function columnsOf(arcs: readonly Arc[]): ReadonlyMap<number, number> {
  const stops = [...new Set(arcs.flatMap(arc => [arc.start, arc.end]))].sort((a, b) => a - b)
  const columns = new Map<number, number>()
  for (const [i, stop] of stops.entries()) {
    const before = stops[i - 1]
    let column = 0
    if (before !== undefined) column = columns.get(before)! + String(before).length + 1
    // The ends, a dash on either side, and the text.
    for (const arc of arcs)
      if (arc.end === stop)
        column = Math.max(column, columns.get(arc.start)! + widthOf(arc.text) + 3)
    columns.set(stop, column)
  }
  return columns
}

function lineWidth(arcs: readonly Arc[]): number {
  const columns = columnsOf(arcs)
  const last = Math.max(...columns.keys())
  return columns.get(last)! + String(last).length
}

function drawPart(arcs: readonly Arc[], paint: Paints): string[] {
  const columns = columnsOf(arcs)
  // The longest lie lowest; each goes into the first row that has room for it.
  const rows: Arc[][] = []
  for (const arc of [...arcs].sort((a, b) => b.end - b.start - (a.end - a.start))) {
    const row = rows.find(each =>
      each.every(other => arc.end <= other.start || arc.start >= other.end),
    )
    if (row === undefined) rows.push([arc])
    else row.push(arc)
  }
  rows.reverse()
  const lines = rows.map((row, i) => {
    const above = new Set(rows[i - 1]?.flatMap(arc => [arc.start, arc.end]))
    return drawRow(row, columns, above, paint)
  })
  let axis = ''
  for (const [stop, column] of columns) axis += ' '.repeat(column - widthOf(axis)) + String(stop)
  return [...lines, paint.dim(axis)]
}

/** @param above positions where an arc of the row above starts or ends */
function drawRow(
  arcs: readonly Arc[],
  columns: ReadonlyMap<number, number>,
  above: ReadonlySet<number>,
  paint: Paints,
): string {
  const sorted = [...arcs].sort((a, b) => a.start - b.start)
  let line = ''
  let at = 0
  for (const [i, arc] of sorted.entries()) {
    const start = columns.get(arc.start)!
    const end = columns.get(arc.end)!
    const joins = i > 0 && sorted[i - 1]!.end === arc.start
    if (!joins) {
      line += ' '.repeat(Math.max(0, start - at))
      line += above.has(arc.start) ? '├' : '╭'
      at = start + 1
    }
    const room = end - start - 1 - widthOf(arc.text)
    const left = room >> 1
    line += paint.dim('─'.repeat(left)) + arc.text + paint.dim('─'.repeat(room - left))
    const isJoined = sorted[i + 1]?.start === arc.end
    const isMet = above.has(arc.end)
    line += isJoined ? (isMet ? '┼' : '┬') : isMet ? '┤' : '╮'
    at = end + 1
  }
  return line
}
