/** A soak's samples as a table, a drawing and a page that holds both. */

/** One look at the process. */
export interface Sample {
  /** Since the start. */
  readonly minute: number
  /** Mebibytes. */
  readonly resident: number
  readonly heap: number
  readonly external: number
  readonly files: number
  readonly threads: number
  readonly timers: number
}

/** Figures, and their allowed rise from minute 5 to the end, as a share and at least. */
export const MEASURES = [
  { key: 'resident', label: 'resident MiB', share: 0.05, least: 64 },
  { key: 'heap', label: 'heap MiB', share: 0.25, least: 64 },
  { key: 'external', label: 'external MiB', share: 0.25, least: 64 },
  { key: 'files', label: 'open files', share: 0.1, least: 30 },
  { key: 'threads', label: 'threads', share: 0, least: 1 },
  { key: 'timers', label: 'timers', share: 0, least: 4 },
] as const

const WARM_MINUTES = 5
const WIDTH = 760
const ROW = 92
const LEFT = 110
const RIGHT = 90

interface Soak {
  readonly minutes: number
  readonly where: string
  readonly counts: Readonly<Record<string, number>>
}

/** The median of a part of the samples, so that one garbage collection more or less does not count. */
function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0
}

/** @returns `isFlat` when nothing rose by more than it may from minute 5 on */
export function soakPage(
  samples: readonly Sample[],
  { minutes, where, counts }: Soak,
): { text: string; table: string; drawing: string; isFlat: boolean } {
  const warm = Math.min(WARM_MINUTES, minutes / 3)
  const after = samples.filter(({ minute }) => minute >= warm)
  const part = Math.max(1, Math.floor(after.length / 5))
  let isFlat = true
  const lines = MEASURES.map(({ key, label, share, least }) => {
    const first = median(after.slice(0, part).map(sample => sample[key]))
    const last = median(after.slice(-part).map(sample => sample[key]))
    const allowed = Math.max(first * share, least)
    const fits = last - first <= allowed
    isFlat &&= fits
    const most = Math.max(...after.map(sample => sample[key]))
    const figures = [first, last, most, allowed].map(value => Math.round(value))
    return [label, ...figures.map(String), fits ? 'yes' : 'no']
  })
  const table = tableOf([
    ['measure', `minute ${warm} on`, 'at the end', 'most', 'may rise by', 'flat'],
    ...lines,
  ])
  const did = Object.entries(counts).map(([what, count]) => `${count} ${what}`)
  const text = [
    '# A soak',
    '',
    `${minutes} minutes of \`npm run soak\`: writers, searchers, refreshes, flushes, forced merges and`,
    'indices that come and go on one database in a folder. The first and the last fifth of the samples',
    `from minute ${warm} on are compared by their medians.`,
    '',
    `${where}.`,
    '',
    `${did.join(', ')}; every document that was`,
    'acknowledged was read back at the end.',
    '',
    table,
    '',
    '![Each measure over the minutes](soak.svg)',
    '',
  ].join('\n')
  return { text, table, drawing: drawingOf(samples), isFlat }
}

/** A table whose columns stand below each other. */
function tableOf(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map(row => row[column]!.length)))
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`
  const [head, ...body] = rows
  return [line(head!), line(widths.map(width => '-'.repeat(width))), ...body.map(line)].join('\n')
}

/** One band a measure, from 0 to its most. */
function drawingOf(samples: readonly Sample[]): string {
  const last = samples.at(-1)?.minute ?? 1
  const height = MEASURES.length * ROW + 24
  const bands = MEASURES.map(({ key, label }, i) => {
    const top = i * ROW + 12
    const most = Math.max(...samples.map(sample => sample[key]), 1)
    const points = samples.map(sample => {
      const x = LEFT + (sample.minute / last) * (WIDTH - LEFT - RIGHT)
      const y = top + (ROW - 24) * (1 - sample[key] / most)
      return `${x.toFixed(1)},${y.toFixed(1)}`
    })
    const bottom = top + ROW - 24
    return [
      `<text x="${LEFT - 8}" y="${top + 30}" text-anchor="end">${label}</text>`,
      `<line x1="${LEFT}" y1="${bottom}" x2="${WIDTH - RIGHT}" y2="${bottom}" stroke="#bbb"/>`,
      `<polyline fill="none" stroke="#2563eb" stroke-width="1.5" points="${points.join(' ')}"/>`,
      `<text x="${WIDTH - RIGHT + 6}" y="${top + 10}">${Math.round(most)}</text>`,
    ].join('\n')
  })
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="sans-serif" font-size="11">`,
    '<title>Memory, files, threads and timers over the minutes of a soak</title>',
    `<rect width="${WIDTH}" height="${height}" fill="#fff"/>`,
    ...bands,
    `<text x="${LEFT}" y="${height - 4}">minute 0</text>`,
    `<text x="${WIDTH - RIGHT}" y="${height - 4}" text-anchor="end">minute ${last.toFixed(0)}</text>`,
    '</svg>',
    '',
  ].join('\n')
}
