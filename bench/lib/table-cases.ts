/**
 * Aggregations that are measured over the generated table, in a form that children in any language read:
 *
 *   case  := level, or several with a space between, the outer one first
 *   level := rows|kind|field|value…
 *   rows  := all | tenth (p below 10) | hundredth (p is 7); the same at all levels
 *   kind  := terms (the ten most frequent) | histogram (interval) | days | months | ranges (width, count)
 *          | cardinality | stats | avg | percentiles | top (the least so many of a number)
 *
 * An answer is a list of numbers, in `keys` of protocol.ts: of `terms` each bucket's key without its word
 * and its count, of histograms each bucket's start and count without the empty ones, of `ranges` their
 * counts, of `stats` count, least, greatest, mean and sum; a bucket's numbers are followed by those of
 * what stands below it.
 */
export interface TableCase {
  readonly name: string
  /** In the form above. */
  readonly text: string
  /** Milliseconds that Lucene 8.8.1's doc values take for a million rows, as quoted; null: it has none. */
  readonly ofLucene: number | null
  /** How many times as long Lucene must take; null: Lucene has none. */
  readonly times: number | null
  /** Milliseconds to stay below where Lucene has none. */
  readonly mark: number | null
  /** Whether engines estimate, so that answers differ a little. */
  readonly isEstimated: boolean
}

function tableCase(
  name: string,
  text: string,
  ofLucene: number | null,
  times: number | null,
  isEstimated = false,
): TableCase {
  return { name, text, ofLucene, times, mark: null, isEstimated }
}

function matching(
  name: string,
  rows: string,
  [few, many, days]: readonly [number, number, number],
  times: number,
): TableCase[] {
  return [
    tableCase(`${name}: terms, 10 keys`, `${rows}|terms|k10`, few, times),
    tableCase(`${name}: terms, 1,000 keys`, `${rows}|terms|k1000`, many, times),
    tableCase(`${name}: date_histogram, days`, `${rows}|days|t`, days, times),
  ]
}

/** The cases, with the figures and marks that they are held to. */
export const TABLE_CASES: readonly TableCase[] = [
  tableCase('terms, 10 keys', 'all|terms|k10', 8.8, 5),
  tableCase('terms, 1,000 keys', 'all|terms|k1000', 9.2, 5),
  tableCase('terms, 100,000 keys', 'all|terms|k100000', 11.5, 3),
  tableCase('terms, 2.4 values a row', 'all|terms|tags', 50, 10),
  tableCase('histogram', 'all|histogram|n|10000', 30, 10),
  tableCase('date_histogram, days', 'all|days|t', 29, 10),
  tableCase('date_histogram, months', 'all|months|t', 44, 10),
  tableCase('range of 5', 'all|ranges|n|200000|5', 37, 15),
  tableCase('cardinality, keyword 100,000', 'all|cardinality|k100000', 23.5, 8, true),
  tableCase('cardinality, integer', 'all|cardinality|n', 15.7, 3, true),
  tableCase('stats', 'all|stats|d', 15.8, 6),
  tableCase('terms 1,000 > avg', 'all|terms|k1000 all|avg|d', 20, 6),
  tableCase('months > terms 10 > stats', 'all|months|t all|terms|k10 all|stats|d', 74, 8),
  tableCase('terms 10 > days', 'all|terms|k10 all|days|t', 38, 8),
  tableCase('top_hits, 3 in 10 buckets', 'all|terms|k10 all|top|n|3', 30, 8),
  { ...tableCase('percentiles', 'all|percentiles|d', null, null, true), mark: 4 },
  ...matching('10 %', 'tenth', [1.2, 1.3, 3.4], 3),
  ...matching('1 %', 'hundredth', [0.19, 0.27, 0.54], 2),
]
