import type { Paints } from './paint.ts'
import { cut, pad, widthOf } from './text.ts'

/** One column: its title, where its cells stand, and whether it gives way when space is short. */
export interface Column {
  readonly title: string
  readonly align?: 'left' | 'right'
  /** Takes what the others leave and is cut there; at most one column. */
  readonly isFlexible?: boolean
}

const GAP = '  '
const LEAST_FLEXIBLE = 12

/**
 * A table as lines, its head included.
 * @param rows  cells of plain text, as many as columns each
 * @param width columns of the terminal
 */
export function drawTable(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  width: number,
  paint: Paints,
): string[] {
  const widths = columns.map((column, i) =>
    Math.max(widthOf(column.title), ...rows.map(row => widthOf(row[i] ?? ''))),
  )
  const flexible = columns.findIndex(column => column.isFlexible === true)
  if (flexible >= 0) {
    const others = widths.reduce(
      (sum, own, i) => (i === flexible ? sum : sum + own + GAP.length),
      0,
    )
    widths[flexible] = Math.min(widths[flexible]!, Math.max(LEAST_FLEXIBLE, width - others))
  }
  const line = (cells: readonly string[]): string =>
    columns
      .map((column, i) => {
        const cell = cells[i] ?? ''
        const fitted = i === flexible ? cut(cell, widths[i]!) : cell
        return pad(fitted, widths[i]!, column.align === 'right' ? 'left' : 'right')
      })
      .join(GAP)
      .trimEnd()
  return [paint.bold(line(columns.map(({ title }) => title))), ...rows.map(line)]
}
