/** Keys of a body that a search may have in its URL as well. */

/** How a value is written there; null: not this one. */
type InUrl = (value: unknown) => Readonly<Record<string, string>> | null

function plain(name: string): InUrl {
  return value => ({ [name]: String(value) })
}

function names(name: string): InUrl {
  return value => (isTexts(value) ? { [name]: value.join(',') } : null)
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every(each => typeof each === 'string')
}

/** Levels with at most an order. */
function sort(value: unknown): Readonly<Record<string, string>> | null {
  const levels = (value as readonly (string | object)[]).map(level => {
    if (typeof level === 'string') return level
    const [[field, options]] = Object.entries(level) as [[string, Record<string, unknown> | string]]
    if (typeof options === 'string') return `${field}:${options}`
    const { order, ...others } = options
    return Object.keys(others).length === 0 ? `${field}:${order}` : null
  })
  return levels.includes(null) ? null : { sort: levels.join(',') }
}

const IN_URL: Readonly<Record<string, InUrl>> = {
  ...Object.fromEntries(
    [
      'from',
      'size',
      'explain',
      'version',
      'seq_no_primary_term',
      'track_scores',
      'track_total_hits',
      'min_score',
      'terminate_after',
      'timeout',
      'include_named_queries_score',
      'verbose_pipeline',
    ].map(name => [name, plain(name)]),
  ),
  stored_fields: names('stored_fields'),
  docvalue_fields: names('docvalue_fields'),
  stats: names('stats'),
  _source: names('_source'),
  sort,
  search_pipeline: value => (typeof value === 'string' ? { search_pipeline: value } : null),
}

/** Moves what there is to the URL. */
export function moveToUrl(body: Record<string, unknown>, params: Record<string, string>): void {
  for (const [key, inUrl] of Object.entries(IN_URL)) {
    const moved = key in body ? inUrl(body[key]) : null
    if (moved === null) continue
    delete body[key]
    Object.assign(params, moved)
  }
}
