import type { Paints } from './paint.ts'
import { type Column, drawTable } from './table.ts'
import { countText, printable } from './text.ts'

/** A bucket as an answer prints it. */
interface PrintedBucket {
  readonly key?: unknown
  readonly key_as_string?: string
  readonly doc_count: number
}

const COLUMNS: readonly Column[] = [
  { title: 'key' },
  { title: 'documents', align: 'right' },
  { title: '', isFlexible: true },
]
/** Cells of the longest bar. */
const BAR_CELLS = 40
const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉']

/** The answer of an aggregation: its buckets as a table with bars, or its values. */
export function drawAggregation(
  name: string,
  answer: Readonly<Record<string, unknown>>,
  width: number,
  paint: Paints,
): string[] {
  const { buckets, ...rest } = answer
  const lines = ['', paint.bold(printable(name))]
  if (!Array.isArray(buckets)) {
    for (const [key, value] of Object.entries(rest))
      lines.push(`  ${printable(key)} ${textOf(value)}`)
    return lines
  }
  const all = buckets as readonly PrintedBucket[]
  const longest = all.reduce((max, bucket) => Math.max(max, bucket.doc_count), 1)
  const rows = all.map(bucket => [
    printable(bucket.key_as_string ?? textOf(bucket.key)),
    countText(bucket.doc_count),
    barOf(bucket.doc_count / longest),
  ])
  return [...lines, ...drawTable(COLUMNS, rows, width, paint)]
}

/** @param part of the longest bar, 0 … 1 */
function barOf(part: number): string {
  const eighths = Math.round(part * BAR_CELLS * 8)
  return '█'.repeat(eighths >>> 3) + EIGHTHS[eighths & 7]!
}

function textOf(value: unknown): string {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value)
}
