/**
 * One line of the bench as a drawing: a row an engine, a dot a query, on a logarithmic axis of time.
 * The box holds the middle half of the queries, its mark is the median, the diamond the mean.
 */
import type { Measured } from './measure.ts'

/** The ends of an axis, nanoseconds; whole powers of ten. */
export interface TimeAxis {
  readonly start: number
  readonly end: number
}

const WIDTH = 760
const LABEL_WIDTH = 96
const RIGHT = 72
const ROW = 22
const TOP = 6
const BOTTOM = 22

/** An axis that holds every time of several lines, so that their drawings compare. */
export function axisOf(measured: readonly Measured[]): TimeAxis {
  const times = measured.flatMap(({ least }) => least)
  if (times.length === 0) return { start: 1e3, end: 1e6 }
  const start = 10 ** Math.floor(Math.log10(Math.max(1, Math.min(...times))))
  const end = 10 ** Math.ceil(Math.log10(Math.max(...times)))
  return { start, end: Math.max(end, start * 10) }
}

/** The drawing of one line's engines, as SVG that stands in a page. */
export function stripPlot(
  title: string,
  rows: readonly Measured[],
  queries: readonly string[],
  axis: TimeAxis,
): string {
  const height = TOP + rows.length * ROW + BOTTOM
  const x = (nanos: number): number => {
    const share = Math.log10(nanos / axis.start) / Math.log10(axis.end / axis.start)
    return LABEL_WIDTH + share * (WIDTH - LABEL_WIDTH - RIGHT)
  }
  const body = rows.map((row, i) => engineRow(row, queries, TOP + i * ROW + ROW / 2, x))
  return [
    `<svg viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${escapeHtml(title)}">`,
    ...ticks(axis, x, height - BOTTOM),
    ...body,
    '</svg>',
  ].join('\n')
}

function engineRow(
  { engine, least, figures }: Measured,
  queries: readonly string[],
  y: number,
  x: (nanos: number) => number,
): string {
  const label = `<text class="label" x="${LABEL_WIDTH - 8}" y="${y + 4}">${engine}</text>`
  if (figures === null) return `${label}<text class="none" x="${LABEL_WIDTH}" y="${y + 4}">–</text>`
  const { lowerQuartile, median, upperQuartile, mean } = figures
  const dots = least.map((nanos, i) => {
    // Neighbours are moved apart, always the same way, so that equal times do not hide each other.
    const shift = (((i * 7) % 9) - 4) * 1.5
    return (
      `<circle cx="${x(nanos).toFixed(1)}" cy="${(y + shift).toFixed(1)}" r="2.4">` +
      `<title>${timeText(nanos)}: ${escapeHtml(queries[i] ?? '')}</title></circle>`
    )
  })
  const [from, to, middle, average] = [lowerQuartile, upperQuartile, median, mean].map(x)
  return [
    `<g class="engine ${engine}">`,
    label,
    `<rect x="${from!.toFixed(1)}" y="${y - 7}" width="${Math.max(1, to! - from!).toFixed(1)}" height="14"/>`,
    ...dots,
    `<path class="median" d="M${middle!.toFixed(1)} ${y - 8}v16"/>`,
    `<path class="mean" d="M${average!.toFixed(1)} ${y - 4}l4 4l-4 4l-4 -4z"/>`,
    `<text class="value" x="${WIDTH - 2}" y="${y + 4}">${timeText(mean)}</text>`,
    '</g>',
  ].join('')
}

function ticks(axis: TimeAxis, x: (nanos: number) => number, bottom: number): string[] {
  const drawn: string[] = []
  for (let nanos = axis.start; nanos <= axis.end * 1.001; nanos *= 10) {
    const at = x(nanos).toFixed(1)
    drawn.push(
      `<path class="tick" d="M${at} ${TOP}V${bottom}"/>`,
      `<text class="tick" x="${at}" y="${bottom + 15}">${timeText(nanos)}</text>`,
    )
  }
  return drawn
}

/** A time in the unit that reads best, three digits. */
export function timeText(nanos: number): string {
  if (nanos < 1e3) return `${digits(nanos)} ns`
  if (nanos < 1e6) return `${digits(nanos / 1e3)} µs`
  if (nanos < 1e9) return `${digits(nanos / 1e6)} ms`
  return `${digits(nanos / 1e9)} s`
}

function digits(value: number): string {
  if (value >= 100) return value.toFixed(0)
  return String(Number(value.toPrecision(3)))
}

export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
