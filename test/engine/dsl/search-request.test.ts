import { describe, expect, it } from 'vitest'
import { minimumShouldMatch } from '../../../src/engine/dsl/minimum-should-match.ts'
import {
  checkResultWindow,
  parseCountBody,
  parseSearchRequest,
} from '../../../src/engine/dsl/search-request.ts'
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
      from: 0,
      size: 10,
      query: null,
      trackTotalHits: 10_000,
      terminateAfter: 0,
      timeoutInMillis: null,
      source: { enabled: true, includes: [], excludes: [] },
    })
  })

  it('lets the URL win over the body', () => {
    const request = parseSearchRequest(tree('{"size":3,"from":2,"sort":"a"}'), {
      size: 7,
      sort: [{ field: 'b', order: 'desc' }],
      trackTotalHits: false,
    })
    expect(request).toMatchObject({ size: 7, from: 2, trackTotalHits: -1 })
    expect(request.sort.map(level => [level.field, level.order])).toEqual([['b', 'desc']])
  })

  it('reads lenient scalars, durations and sources', () => {
    const request = parseSearchRequest(
      tree(
        '{"size":"5","timeout":"1500ms","profile":"true","_source":{"includes":"a.*","excludes":["b"]},"track_total_hits":true,"min_score":0.5}',
      ),
      {},
    )
    expect(request).toMatchObject({
      size: 5,
      timeoutInMillis: 1500,
      profile: true,
      source: { enabled: true, includes: ['a.*'], excludes: ['b'] },
      trackTotalHits: Number.POSITIVE_INFINITY,
      minScore: 0.5,
    })
  })

  it('reads sorts in all their forms', () => {
    const { sort } = parseSearchRequest(
      tree(
        '{"sort":["a",{"b":"desc"},{"c":{"order":"desc","missing":"_first","mode":"avg","unmapped_type":"long"}},"_score"]}',
      ),
      {},
    )
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
    ['{"aggs":{}}', 'illegal_argument_exception', '[aggs] is not supported yet'],
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

  it('refuses a window past the limit of the index', () => {
    const request = parseSearchRequest(tree('{"from":9995}'), {})
    expect(() => checkResultWindow(request, 10_005)).not.toThrow()
    expect(() => checkResultWindow(request, 10_000)).toThrow(
      'Result window is too large, from + size must be less than or equal to: [10000] but was [10005].',
    )
  })

  it('takes a query alone in a count', () => {
    expect(parseCountBody(tree('{"query":{"match_all":{}}}'))).not.toBe(null)
    expect(() => parseCountBody(tree('{"size":1}'))).toThrow('request does not support [size]')
  })
})

describe('minimumShouldMatch', () => {
  it.each([
    ['2', 4, 2],
    ['-1', 4, 3],
    ['75%', 4, 3],
    ['70%', 3, 2],
    ['-25%', 4, 3],
    ['-25%', 3, 3],
    ['3<90%', 3, 3],
    ['3<90%', 10, 9],
    ['2<-25% 9<-3', 2, 2],
    ['2<-25% 9<-3', 8, 6],
    ['2<-25% 9<-3', 12, 9],
    ['7', 3, 7],
    ['-9', 3, 0],
  ])('reads %s of %d clauses as %d', (spec, count, expected) => {
    expect(minimumShouldMatch(spec, count)).toBe(expected)
  })

  it('refuses what is no number', () => {
    expect(() => minimumShouldMatch('some', 3)).toThrow('For input string: "some"')
  })
})
