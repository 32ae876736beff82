import { describe, expect, it } from 'vitest'
import { COUPLED_KEYS } from '../../../src/engine/dsl/search-body/coupled-keys.ts'
import { FETCH_PARTS } from '../../../src/engine/fetch/fetch-parts.ts'
import { SEARCH_PARTS } from '../../../src/engine/search/search-parts.ts'
import { parseSearchRequest } from '../../../src/engine/search/search-request.ts'
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
      '{"search_after":[1],"from":1,"sort":"a"}',
      'search_exception',
      '`from` parameter must be set to 0 when `search_after` is used.',
    ],
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
      '[1:15] [field_sort] unknown field [ordr]',
    ],
    [
      '{"_source":{"includes":["a"],"excludes":["a"]}}',
      'illegal_argument_exception',
      'The same entry cannot be both included and excluded in _source.',
    ],
    [
      '{"_source":{"includes":[]}}',
      'parsing_exception',
      'Expected at least one value for an array of [includes]',
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
