/** Tables as text: cells padded to the widest of their column, one blank between columns. */

/** One column of a table that is laid out. */
export interface LaidColumn {
  readonly header: string
  readonly isRight: boolean
}

/**
 * Rows as lines, each closed by a line break; no rows and no header give no text.
 * @param rows   cells as text, null for an empty one, in the order of the columns
 * @param header whether the names of the columns are the first line
 */
export function printTable(
  columns: readonly LaidColumn[],
  rows: readonly (readonly (string | null)[])[],
  header: boolean,
): string {
  const lines = rows.map(row => row.map(cell => cell ?? ''))
  if (header) lines.unshift(columns.map(column => column.header))
  const widths = columns.map((_, i) => Math.max(0, ...lines.map(line => line[i]!.length)))
  return lines
    .map(line => {
      const cells = line.map((cell, i) => pad(cell, widths[i]!, columns, i))
      return `${cells.join(' ')}\n`
    })
    .join('')
}

/** The last column gets no blanks behind it. */
function pad(cell: string, width: number, columns: readonly LaidColumn[], i: number): string {
  if (columns[i]!.isRight) return cell.padStart(width)
  return i === columns.length - 1 ? cell : cell.padEnd(width)
}

/** The names, aliases and descriptions of columns: a line each, all three padded. */
export function printHelp(
  columns: readonly {
    readonly name: string
    readonly aliases: readonly string[]
    readonly description: string
  }[],
): string {
  const lines = columns.map(({ name, aliases, description }) => [
    name,
    aliases.join(','),
    description,
  ])
  const widths = [0, 1, 2].map(i => Math.max(0, ...lines.map(line => line[i]!.length)))
  return lines
    .map(line => `${line.map((text, i) => text.padEnd(widths[i]!)).join(' | ')}\n`)
    .join('')
}
