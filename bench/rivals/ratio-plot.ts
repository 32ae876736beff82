/** Each line's ratio to one rival as a drawing: right of the middle Lamella is the faster one. */
import { type RunRecord, ratioTo } from './run-record.ts'
import { escapeHtml } from './strip-plot.ts'

const WIDTH = 760
const LABEL_WIDTH = 190
const RIGHT = 64
const ROW = 17
const TOP = 4
const BOTTOM = 22
const TICKS = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100]

/** The drawing, or nothing where no line has both. */
export function ratioPlot(record: RunRecord, rival: string): string {
  const rows = record.lines.flatMap(({ name }) => {
    const ratio = ratioTo(record, name, rival)
    return ratio === null ? [] : [{ name, ratio }]
  })
  if (rows.length === 0) return ''
  const ratios = [1, ...rows.map(({ ratio }) => ratio)]
  const start = TICKS.findLast(tick => tick <= Math.min(...ratios)) ?? TICKS[0]!
  const end = TICKS.find(tick => tick >= Math.max(...ratios)) ?? TICKS[TICKS.length - 1]!
  const x = (ratio: number): number => {
    const held = Math.min(end, Math.max(start, ratio))
    const share = Math.log(held / start) / Math.log(end / start || 2)
    return LABEL_WIDTH + share * (WIDTH - LABEL_WIDTH - RIGHT)
  }
  const bottom = TOP + rows.length * ROW
  const ticks = TICKS.filter(tick => tick >= start && tick <= end).map(tick => {
    const at = x(tick).toFixed(1)
    const kind = tick === 1 ? 'tick one' : 'tick'
    return (
      `<path class="${kind}" d="M${at} ${TOP}V${bottom}"/>` +
      `<text class="tick" x="${at}" y="${bottom + 15}">${tick} ×</text>`
    )
  })
  const bars = rows.map(({ name, ratio }, i) => {
    const y = TOP + i * ROW
    const [from, to] = [Math.min(x(1), x(ratio)), Math.max(x(1), x(ratio))]
    return (
      `<text class="label" x="${LABEL_WIDTH - 8}" y="${y + 12}">${escapeHtml(name)}</text>` +
      `<rect class="${ratio >= 1 ? 'ahead' : 'behind'}" x="${from.toFixed(1)}" y="${y + 3}" ` +
      `width="${(to - from).toFixed(1)}" height="${ROW - 6}"/>` +
      `<text class="value" x="${WIDTH - 2}" y="${y + 12}">${ratio.toFixed(2)} ×</text>`
    )
  })
  const title = `mean time of ${rival} divided by that of lamella`
  return [
    `<svg viewBox="0 0 ${WIDTH} ${bottom + BOTTOM}" role="img" aria-label="${title}">`,
    ...ticks,
    ...bars,
    '</svg>',
  ].join('\n')
}
