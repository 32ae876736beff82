import { describe, expect, it } from 'vitest'
import { COUPLED_KEYS } from '../../../src/engine/dsl/search-body/coupled-keys.ts'
import { FETCH_PARTS } from '../../../src/engine/fetch/fetch-parts.ts'
import { SEARCH_PARTS } from '../../../src/engine/search/search-parts.ts'
import { parseSearchRequest, SEARCH_KEYS } from '../../../src/engine/search/search-request.ts'
import { encodeUtf8 } from '../../../src/util/bytes.ts'
import { EngineError } from '../../../src/util/errors.ts'
import { type JsonNode, parseJsonTree } from '../../../src/util/json/json-tree.ts'

function tree(json: string): JsonNode {
  return parseJsonTree(encodeUtf8(json))
}

function failure(json: string): [string, string] {
  try {
    parseSearchRequest(tree(json), {})
  } catch (error) {
    if (error instanceof EngineError) return [error.type, error.message]
    throw error
  }
  throw new Error('did not fail')
}

describe('parseSearchRequest', () => {
  it('has the documented defaults', () => {
    expect(parseSearchRequest(null, {})).toMatchObject({
      coupled: {
        from: 0,
        size: 10,
        query: null,
        trackTotalHits: 10_000,
        terminateAfter: 0,
        timeoutInMillis: null,
      },
      fetch: {
        source: null,
        version: false,
        seqNoPrimaryTerm: false,
        explain: false,
      },
      parts: { profile: { isOn: false, perSlice: false, kernels: false } },
    })
  })

  it('lets the URL win over the body', () => {
    const request = parseSearchRequest(
      tree('{"size":3,"from":2,"sort":"a","version":true,"explain":true}'),
      {
        size: 7,
        sort: [{ field: 'b', order: 'desc' }],
        trackTotalHits: false,
        source: { enabled: false, includes: [], excludes: [] },
        version: false,
      },
    )
    expect(request).toMatchObject({
      coupled: { size: 7, from: 2, trackTotalHits: -1 },
      fetch: { source: { enabled: false }, version: false, explain: true },
    })
    expect(request.coupled.sort.map(level => [level.field, level.order])).toEqual([['b', 'desc']])
  })

  it('reads lenient scalars, durations and sources', () => {
    const request = parseSearchRequest(
      tree(
        '{"size":"5","timeout":"1500ms","profile":"true","_source":{"includes":"a.*","excludes":["b"]},"track_total_hits":true,"min_score":0.5}',
      ),
      {},
    )
    expect(request).toMatchObject({
      coupled: {
        size: 5,
        timeoutInMillis: 1500,
        trackTotalHits: Number.POSITIVE_INFINITY,
        minScore: 0.5,
      },
      fetch: { source: { enabled: true, includes: ['a.*'], excludes: ['b'] } },
      parts: { profile: { isOn: true } },
    })
  })

  it('reads sorts in all their forms', () => {
    const { sort } = parseSearchRequest(
      tree(
        '{"sort":["a",{"b":"desc"},{"c":{"order":"desc","missing":"_first","mode":"avg","unmapped_type":"long"}},"_score"]}',
      ),
      {},
    ).coupled
    expect(
      sort.map(({ field, order, missing, mode, unmappedType }) => [
        field,
        order,
        missing,
        mode,
        unmappedType,
      ]),
    ).toEqual([
      ['a', 'asc', '_last', null, null],
      ['b', 'desc', '_last', null, null],
      ['c', 'desc', '_first', 'avg', 'long'],
      ['_score', 'desc', '_last', null, null],
    ])
  })

  it('takes no text for a boolean of _source, but for a pattern', () => {
    expect(parseSearchRequest(tree('{"_source":"false"}'), {}).fetch.source).toEqual({
      enabled: true,
      includes: ['false'],
      excludes: [],
    })
  })

  it.each(['{}', '{"excludes":[]}'])('reads _source %s as the whole of it', source => {
    expect(parseSearchRequest(tree(`{"_source":${source}}`), {}).fetch.source).toEqual({
      enabled: true,
      includes: [],
      excludes: [],
    })
  })

  // The real server branches on the form of a value before it looks at the key (its `SearchSourceBuilder`).
  const FORMS = { VALUE_NULL: null, VALUE_STRING: 'x', VALUE_NUMBER: 1, VALUE_BOOLEAN: true }
  const OF_KEYS: Readonly<Record<string, readonly string[]>> = {
    scalar:
      'from size timeout terminate_after min_score version seq_no_primary_term explain profile profile_slices profile_kernels track_scores track_total_hits include_named_queries_score verbose_pipeline'.split(
        ' ',
      ),
    object:
      'query post_filter script_fields derived highlight suggest aggs aggregations ext slice collapse pit'.split(
        ' ',
      ),
    array: ['docvalue_fields', 'fields', 'stats'],
    'scalar object': ['search_pipeline'],
    'scalar array': ['stored_fields'],
    'object array': ['rescore', 'indices_boost'],
    'scalar object array': ['_source', 'sort'],
  }
  const UNFIT = Object.entries(OF_KEYS).flatMap(([forms, keys]) =>
    Object.entries({ ...FORMS, START_OBJECT: {}, START_ARRAY: [] })
      .filter(
        ([token]) =>
          token === 'VALUE_NULL' ||
          !forms.split(' ').includes(
            token
              .replace(/^VALUE.*/, 'scalar')
              .replace('START_', '')
              .toLowerCase(),
          ),
      )
      .flatMap(([token, value]) => keys.map(key => [key, token, value] as const)),
  )

  it.each(UNFIT)('does not know %s with a %s', (key, token, value) => {
    expect(failure(JSON.stringify({ [key]: value }))).toEqual([
      'parsing_exception',
      `Unknown key for a ${token} in [${key}].`,
    ])
  })

  it('has no other keys than those whose forms are held', () => {
    const keys = [...Object.values(OF_KEYS).flat(), 'search_after']
    expect([...SEARCH_KEYS].sort()).toEqual(keys.sort())
  })

  it.each([
    [
      '{"from":-1}',
      'illegal_argument_exception',
      '[from] parameter cannot be negative, found [-1]',
    ],
    [
      '{"size":-2}',
      'illegal_argument_exception',
      '[size] parameter cannot be negative, found [-2]',
    ],
    [
      '{"track_total_hits":-2}',
      'illegal_argument_exception',
      '[track_total_hits] parameter must be positive or equals to -1, got -2',
    ],
    ['{"preference":"x"}', 'parsing_exception', 'Unknown key for a VALUE_STRING in [preference].'],
    ['{"__proto__":{}}', 'parsing_exception', 'Unknown key for a START_OBJECT in [__proto__].'],
    [
      '{"search_after":1}',
      'parsing_exception',
      'Expected [START_ARRAY] in [search_after] but found [VALUE_NUMBER] inside search_after',
    ],
    [
      '{"sort":1}',
      'illegal_argument_exception',
      'malformed sort format, either start with array, object, or an actual string',
    ],
    [
      '{"sort":{"a":{"ordr":"asc"}}}',
      'x_content_parse_exception',
      '[1:15] [field_sort] unknown field [ordr] did you mean [order]?',
    ],
    [
      '{"sort":{"_score":{"missing":1}}}',
      'x_content_parse_exception',
      '[1:20] [_score] unknown field [missing]',
    ],
    [
      '{"sort":{"_shard_doc":{"order_":"asc"}}}',
      'x_content_parse_exception',
      '[1:24] [_shard_doc] unknown field [order_] did you mean [order]?',
    ],
    [
      '{"sort":["a",{"_script":{"type":"number","script":"1","order":"up"}}]}',
      'x_content_parse_exception',
      '[1:63] [_script] failed to parse field [order]',
    ],
    [
      '{"sort":{"a":{"mode":"best"}}}',
      'x_content_parse_exception',
      '[1:22] [field_sort] failed to parse field [mode]',
    ],
    [
      '{"sort":{"a":"up"}}',
      'illegal_argument_exception',
      'No enum constant org.opensearch.search.sort.SortOrder.UP',
    ],
    [
      '{"sort":["a",null]}',
      'illegal_argument_exception',
      'malformed sort format, within the sort array, an object, or an actual string are allowed',
    ],
    [
      '{"search_after":[]}',
      'illegal_argument_exception',
      'Values must contains at least one value.',
    ],
    [
      '{"search_after":[1,{}]}',
      'parsing_exception',
      'Expected [VALUE_STRING] or [VALUE_NUMBER] or [VALUE_BOOLEAN] or [VALUE_NULL] but found ' +
        '[START_OBJECT] inside search_after.',
    ],
    [
      '{"stored_fields":5}',
      'parsing_exception',
      'Expected [VALUE_STRING] or [START_ARRAY] in [stored_fields] but found [VALUE_NUMBER]',
    ],
    [
      '{"stored_fields":["a","_none_"]}',
      'illegal_argument_exception',
      'cannot combine _none_ with other fields',
    ],
    ['{"_source":["a",5]}', 'parsing_exception', 'Unknown key for a VALUE_NUMBER in [null].'],
    [
      '{"_source":{"includes":true}}',
      'parsing_exception',
      'Unknown key for a VALUE_BOOLEAN in [includes].',
    ],
    [
      '{"_source":{"includes":["a"],"excludes":["a"]}}',
      'illegal_argument_exception',
      'The same entry cannot be both included and excluded in _source.',
    ],
    [
      '{"_source":[]}',
      'parsing_exception',
      'Expected at least one value for an array of [includes]',
    ],
    [
      '{"_source":{"includes":[],"excludes":[]}}',
      'parsing_exception',
      'Expected at least one value for an array of [includes]',
    ],
    [
      '{"stats":["a",1]}',
      'parsing_exception',
      'Expected [VALUE_STRING] in [stats] but found [VALUE_NUMBER]',
    ],
    ['{"terminate_after":-1}', 'illegal_argument_exception', 'terminateAfter must be > 0'],
    [
      '{"profile":"maybe"}',
      'illegal_argument_exception',
      'Failed to parse value [maybe] as only [true] or [false] are allowed.',
    ],
  ])('refuses %s', (json, type, reason) => {
    expect(failure(json)).toEqual([type, reason])
  })

  it('says of a profile what it needs before what keys exclude each other', () => {
    expect(failure('{"profile_slices":true,"search_after":[1],"from":1}')).toEqual([
      'illegal_argument_exception',
      '[profile_slices] adds to a profile: it needs [profile] to be true',
    ])
  })

  it('reads each key in one place', () => {
    const tables = [
      { keys: COUPLED_KEYS },
      ...Object.values(FETCH_PARTS),
      ...Object.values(SEARCH_PARTS),
    ]
    const keys = tables.flatMap(table => Object.keys(table.keys))
    expect(keys.filter((key, i) => keys.indexOf(key) !== i)).toEqual([])
  })
})
