import { UsageError } from './exit-code.ts'

/** Types whose buckets need an interval, with its key in requests. */
const INTERVALS: Readonly<Record<string, string>> = {
  histogram: 'interval',
  date_histogram: 'calendar_interval',
}

/** Types whose cells may be given a size. */
const GRIDS: readonly string[] = ['geohash_grid', 'geotile_grid', 'geohex_grid']

/**
 * The aggregations of `--agg TYPE:FIELD`, `--agg TYPE:FIELD:INTERVAL` for histograms, or
 * `--agg TYPE:FIELD:PRECISION` for grids.
 * @throws {UsageError} one is not of that form
 */
export function aggregationsOf(
  texts: readonly string[],
): Readonly<Record<string, Readonly<Record<string, object>>>> {
  return Object.fromEntries(texts.map(text => [text, aggregationOf(text)]))
}

function aggregationOf(text: string): Readonly<Record<string, object>> {
  const [type = '', field = '', ...rest] = text.split(':')
  const interval = rest.join(':')
  if (GRIDS.includes(type) && field !== '' && interval !== '')
    return { [type]: { field, precision: interval } }
  const key = Object.hasOwn(INTERVALS, type) ? INTERVALS[type]! : null
  if (type === '' || field === '' || (key === null) !== (interval === ''))
    throw new UsageError(
      key === null
        ? `--agg takes TYPE:FIELD, as in terms:tags, found [${text}]`
        : `--agg ${type} takes ${type}:FIELD:INTERVAL, found [${text}]`,
    )
  if (key === null) return { [type]: { field } }
  return { [type]: { field, [key]: key === 'interval' ? Number(interval) : interval } }
}
