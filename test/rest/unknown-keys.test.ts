/** Keys that a parser does not know: declarative ones offer those that are alike, the others do not. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openRest, type Rest } from '../support/rest-calls.ts'

let rest: Rest
beforeAll(async () => {
  rest = await openRest()
  await rest.call('PUT /i', {
    mappings: {
      properties: {
        t: { type: 'text' },
        k: { type: 'keyword' },
        n: { type: 'nested', properties: { k: { type: 'keyword' } } },
      },
    },
  })
})
afterAll(() => rest.close())

/** The innermost error of a body's parser: its type, and what it says behind the place. */
async function refusal(body: object, line = 'POST /i/_search'): Promise<[string, string]> {
  const { status, json, text } = await rest.call(line, body)
  expect(status, text).toBe(400)
  const [{ type, reason }] = json.error.root_cause
  return [type, reason.replace(/^\[\d+:\d+\] /, '')]
}

const rule = (kind: string, options: object): object => ({
  query: { intervals: { t: { [kind]: options } } },
})

describe('a key that is none is told with those that are alike', () => {
  it.each<[object, string]>([
    [{ collapse: { feild: 'k' } }, '[collapse] unknown field [feild] did you mean [field]?'],
    [
      { collapse: { field: 'k', inner_hit: {} } },
      '[collapse] unknown field [inner_hit] did you mean [inner_hits]?',
    ],
    [
      { collapse: { field: 'k', inner_hits: { sizes: 1 } } },
      '[inner_hits] unknown field [sizes] did you mean [size]?',
    ],
    [
      { collapse: { field: 'k', inner_hits: { colapse: {} } } },
      '[inner_hits] unknown field [colapse] did you mean [collapse]?',
    ],
    [
      {
        query: { nested: { path: 'n', query: { match_all: {} }, inner_hits: { highlights: {} } } },
      },
      '[inner_hits] unknown field [highlights] did you mean [highlight]?',
    ],
    [
      { rescore: { query: { rescore_query: { match_all: {} }, query_wieght: 1 } } },
      '[query] unknown field [query_wieght] did you mean [query_weight]?',
    ],
    [{ rescore: { query: { weight: 1 } } }, '[query] unknown field [weight]'],
    [
      rule('match', { query: 'a', max_gap: 1 }),
      '[match] unknown field [max_gap] did you mean [max_gaps]?',
    ],
    [
      rule('all_of', { interval: [] }),
      '[all_of] unknown field [interval] did you mean [intervals]?',
    ],
    [rule('any_of', { filters: {} }), '[any_of] unknown field [filters] did you mean [filter]?'],
    [rule('prefix', { prefixes: 'a' }), '[prefix] unknown field [prefixes] did you mean [prefix]?'],
    [
      rule('fuzzy', { prefix_lenght: 1 }),
      '[fuzzy] unknown field [prefix_lenght] did you mean [prefix_length]?',
    ],
    [
      { highlight: { fragment_sizes: 1 } },
      '[highlight] unknown field [fragment_sizes] did you mean any of [fragment_size, fragmenter]?',
    ],
    [
      { highlight: { fields: { t: { matched_field: ['t'] } } } },
      '[highlight_field] unknown field [matched_field] did you mean [matched_fields]?',
    ],
    [
      { docvalue_fields: [{ field: 'k', formats: 'x' }] },
      '[docvalues_field] unknown field [formats] did you mean [format]?',
    ],
    [
      { fields: [{ fields: 'k' }] },
      '[docvalues_field] unknown field [fields] did you mean [field]?',
    ],
    [
      { query: { match_all: { name: 'x' } } },
      '[match_all] unknown field [name] did you mean [_name]?',
    ],
    [
      { query: { match_none: { boots: 1 } } },
      '[match_none] unknown field [boots] did you mean [boost]?',
    ],
    [{ query: { ids: { value: ['1'] } } }, '[ids] unknown field [value] did you mean [values]?'],
    [{ query: { bool: { name: 'x' } } }, '[bool] unknown field [name] did you mean [_name]?'],
    [
      { query: { bool: { mustnot: [] } } },
      '[bool] unknown field [mustnot] did you mean any of [must_not, mustNot, must]?',
    ],
    [
      { query: { rank_feature: { field: 'r', saturation: { pivots: 1 } } } },
      '[saturation] unknown field [pivots] did you mean [pivot]?',
    ],
    [
      { sort: [{ k: { orders: 'asc' } }] },
      '[field_sort] unknown field [orders] did you mean [order]?',
    ],
    [{ slice: { ids: 0, max: 2 } }, '[slice] unknown field [ids] did you mean [id]?'],
    [
      { pit: { keep_alives: '1m' } },
      '[pit] unknown field [keep_alives] did you mean [keep_alive]?',
    ],
    [
      { suggest: { s: { prefix: 'a', completion: { fields: 'k' } } } },
      '[completion] unknown field [fields] did you mean [field]?',
    ],
    [
      {
        suggest: { s: { text: 'a', phrase: { field: 't', direct_generator: [{ fields: 't' }] } } },
      },
      '[direct_generator] unknown field [fields] did you mean [field]?',
    ],
  ])('%j', async (body, reason) => {
    expect(await refusal(body)).toEqual(['x_content_parse_exception', reason])
  })

  it('of the filter of fields', async () => {
    expect(await refusal({ index_filters: {} }, 'POST /i/_field_caps?fields=*')).toEqual([
      'x_content_parse_exception',
      '[field_caps_request] unknown field [index_filters] did you mean [index_filter]?',
    ])
  })
})

describe('a key that a hand-written parser does not know is told alone', () => {
  it.each<[object, string, string]>([
    [
      { rescore: { window_sizes: 1 } },
      'parsing_exception',
      "rescore doesn't support [window_sizes]",
    ],
    [{ rescore: { querry: {} } }, 'named_object_not_found_exception', 'unknown field [querry]'],
    [{ rescore: { window_size: 1 } }, 'parsing_exception', 'missing rescore type'],
    [
      { rescore: { window_size: null } },
      'parsing_exception',
      'unexpected token [VALUE_NULL] after [window_size]',
    ],
    [
      { rescore: { query: [] } },
      'parsing_exception',
      'unexpected token [START_ARRAY] after [query]',
    ],
    [
      { suggest: { s: { text: 'a', term: { field: 't', sizes: 1 } } } },
      'parsing_exception',
      "suggester[term] doesn't support field [sizes]",
    ],
    [
      { suggest: { s: { text: 'a', phrase: { field: 't', sizes: 1 } } } },
      'parsing_exception',
      "suggester[phrase] doesn't support field [sizes]",
    ],
    [
      { suggest: { s: { text: 'a', terms: { field: 't' } } } },
      'named_object_not_found_exception',
      'unknown field [terms]',
    ],
    [{ querry: {} }, 'parsing_exception', 'Unknown key for a START_OBJECT in [querry].'],
  ])('%j', async (body, type, reason) => {
    expect(await refusal(body)).toEqual([type, reason])
  })
})

describe('a value of another kind', () => {
  it.each<[object, string, string]>([
    [
      { collapse: { field: 1 } },
      'x_content_parse_exception',
      "[collapse] field doesn't support values of type: VALUE_NUMBER",
    ],
    [
      { collapse: { field: 'k', inner_hits: 1 } },
      'x_content_parse_exception',
      "[collapse] inner_hits doesn't support values of type: VALUE_NUMBER",
    ],
    [
      { slice: { id: true, max: 2 } },
      'x_content_parse_exception',
      "[slice] id doesn't support values of type: VALUE_BOOLEAN",
    ],
    [
      { slice: { id: 0, max: 2, field: 5 } },
      'x_content_parse_exception',
      "[slice] field doesn't support values of type: VALUE_NUMBER",
    ],
    [
      { slice: { id: 'x', max: 2 } },
      'x_content_parse_exception',
      '[slice] failed to parse field [id]',
    ],
    [
      { pit: { id: 5 } },
      'x_content_parse_exception',
      "[pit] id doesn't support values of type: VALUE_NUMBER",
    ],
    [
      { pit: { id: 'a', keep_alive: 5 } },
      'x_content_parse_exception',
      "[pit] keep_alive doesn't support values of type: VALUE_NUMBER",
    ],
    [
      { docvalue_fields: [{ field: 1 }] },
      'x_content_parse_exception',
      "[docvalues_field] field doesn't support values of type: VALUE_NUMBER",
    ],
    [
      { fields: [{ field: 'k', format: 5 }] },
      'x_content_parse_exception',
      "[docvalues_field] format doesn't support values of type: VALUE_NUMBER",
    ],
    [{ docvalue_fields: [{}] }, 'illegal_argument_exception', 'Required [field]'],
    [{ from: 'x' }, 'number_format_exception', 'For input string: "x"'],
    [{ size: '' }, 'number_format_exception', 'empty String'],
    [{ min_score: 'x' }, 'number_format_exception', 'For input string: "x"'],
    [
      { collapse: { field: 'k', inner_hits: [1] } },
      'parsing_exception',
      'Invalid token in inner_hits array',
    ],
  ])('%j', async (body, type, reason) => {
    expect(await refusal(body)).toEqual([type, reason])
  })

  it.each<[object, string, string]>([
    [{ size: -1 }, 'size', 'illegal size value, at least 0 or higher'],
    [{ from: -1 }, 'from', 'illegal from value, at least 0 or higher'],
    [
      { track_scores: 'x' },
      'track_scores',
      'Failed to parse value [x] as only [true] or [false] are allowed.',
    ],
  ])('inner hits %j tell the cause, however deep', async (inner_hits, key, reason) => {
    const cause = { type: 'illegal_argument_exception', reason }
    const of = new RegExp(`\\[inner_hits\\] failed to parse field \\[${key}\\]$`)
    const query = { nested: { path: 'n', query: { match_all: {} }, inner_hits } }
    const nested = await rest.call('POST /i/_search', { query })
    expect(nested.json.error.reason).toMatch(of)
    expect(nested.json.error.caused_by).toEqual(cause)
    const collapse = { field: 'k', inner_hits }
    const groups = await rest.call('POST /i/_search', { collapse })
    expect(groups.json.error.caused_by.reason).toMatch(of)
    expect(groups.json.error.caused_by.caused_by).toEqual(cause)
  })

  it.each<[object, string, string]>([
    [
      { window_size: -1, query: {} },
      'illegal_argument_exception',
      '[window_size] parameter cannot be negative, found [-1]',
    ],
    [
      { query: { rescore_query: 1 } },
      'x_content_parse_exception',
      "[query] rescore_query doesn't support values of type: VALUE_NUMBER",
    ],
    [
      { query: { score_mode: 1 } },
      'x_content_parse_exception',
      "[query] score_mode doesn't support values of type: VALUE_NUMBER",
    ],
    [
      { query: { query_weight: 'x' } },
      'x_content_parse_exception',
      '[query] failed to parse field [query_weight]',
    ],
    [{ query: {} }, 'illegal_argument_exception', 'rescore_query cannot be null'],
  ])('rescore %j', async (rescore, type, reason) => {
    expect(await refusal({ rescore })).toEqual([type, reason])
  })

  it.each<[object, string, string]>([
    [{ field: '' }, 'field', 'field name is null or empty'],
    [
      { field: 'k', max_concurrent_group_searches: 0 },
      'max_concurrent_group_searches',
      'maxConcurrentGroupRequests` must be positive',
    ],
  ])('collapse %j tells the cause', async (collapse, key, reason) => {
    const { json } = await rest.call('POST /i/_search', { collapse })
    expect(json.error.reason).toMatch(
      new RegExp(`\\[collapse\\] failed to parse field \\[${key}\\]$`),
    )
    expect(json.error.caused_by).toEqual({ type: 'illegal_argument_exception', reason })
  })
})
