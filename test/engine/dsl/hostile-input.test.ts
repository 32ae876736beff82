import fc from 'fast-check'
import { expect, it } from 'vitest'
import { NO_ANSWERS } from '../../../src/engine/dsl/lookup.ts'
import { parseQuery } from '../../../src/engine/dsl/query/parse-query.ts'
import { QUERY_PARSERS } from '../../../src/engine/dsl/query/query-parsers.ts'
import { buildQuery, type QueryContext } from '../../../src/engine/dsl/query-context.ts'
import { newQueryNotes } from '../../../src/engine/dsl/query-notes.ts'
import { scriptPlan } from '../../../src/engine/dsl/script-plan.ts'
import { resolveSearchAfter, resolveSort } from '../../../src/engine/dsl/sort.ts'
import { newVectorRequests } from '../../../src/engine/node/vector-requests.ts'
import { parseSearchRequest } from '../../../src/engine/search/search-request.ts'
import { DEFAULT_MAPPING_LIMITS } from '../../../src/schema/mapping.ts'
import { parseMapping } from '../../../src/schema/mapping-parser.ts'
import { queryText, rewrite } from '../../../src/search/query/query-ops.ts'
import { encodeUtf8 } from '../../../src/util/bytes.ts'
import { EngineError } from '../../../src/util/errors.ts'
import { parseJsonTree } from '../../../src/util/json/json-tree.ts'
import { NO_SCRIPTS } from '../../support/no-scripts.ts'

const FIELDS = [
  'text',
  'word',
  'long',
  'double',
  'date',
  'flag',
  'scaled',
  'place',
  'rank',
  'kids',
  'kids.word',
  'absent',
  '_id',
  '__proto__',
  '',
]
const properties = {
  text: { type: 'text' },
  word: { type: 'keyword' },
  long: { type: 'long' },
  double: { type: 'double' },
  date: { type: 'date' },
  flag: { type: 'boolean' },
  scaled: { type: 'scaled_float', scaling_factor: 10 },
  place: { type: 'geo_point' },
  rank: { type: 'rank_feature' },
  kids: { type: 'nested', properties: { word: { type: 'keyword' } } },
}
const mapping = parseMapping(parseJsonTree(encodeUtf8(JSON.stringify({ properties }))), {
  limits: DEFAULT_MAPPING_LIMITS,
  hasAnalyzer: () => true,
  hasNormalizer: () => true,
  hasSimilarity: () => true,
})
const context: QueryContext = {
  absentName: name => name,
  similarityOf: () => null,
  maskOf: () => null,
  index: 'i',
  indexUuid: 'u',
  aliases: [],
  mapping,
  shown: mapping,
  planScript: scriptPlan,
  seen: null,
  derived: new Map(),
  allowsDerived: true,
  nowInMillis: 0,
  searchedShards: 1,
  maxAdjacencyMatrixFilters: 100,
  maxResultWindow: 10_000,
  maxRegexLength: 1000,
  efSearch: 100,
  isLenient: false,
  maxQueryStringLength: 1000,
  hasAnalyzer: () => true,
  analyzerName: field => field.analyzer ?? '',
  normalizeWord: (_field, word) => word.toLowerCase(),
  maxTermsCount: 100,
  maxClauseCount: 100,
  defaultFields: ['*'],
  allowsExpensive: true,
  eitherTerms: false,
  loadsIds: true,
  nested: { path: null, depth: 0, maxDepth: 20 },
  notes: newQueryNotes(),
  answers: NO_ANSWERS,
  scripts: NO_SCRIPTS,
  vectorRequests: newVectorRequests(),
  analyze: (_field, text) => ({
    tokens: text.split(' ').map((term, i) => ({
      term,
      positionIncrement: i % 3 === 2 ? 0 : 1,
      positionLength: 1 + (i % 2),
      endOffset: i,
    })),
    endOffset: text.length,
    mayBeGraph: true,
  }),
  normalize: (_field, value) => value,
}

const QUERIES = [...Object.keys(QUERY_PARSERS), 'constructor']
const OPTIONS = [
  'value',
  'query',
  'boost',
  'gte',
  'lt',
  'from',
  'to',
  'format',
  'time_zone',
  'relation',
  'field',
  'values',
  'operator',
  'minimum_should_match',
  'slop',
  'must',
  'filter',
  'should',
  'must_not',
  'queries',
  'tie_breaker',
  'path',
  'score_mode',
  'ignore_unmapped',
  'positive',
  'negative',
  'negative_boost',
  'lenient',
  'analyzer',
  'zero_terms_query',
  '_name',
  'include_lower',
  'case_insensitive',
  'fields',
  'flags',
  'type',
  'terms',
  'minimum_should_match_field',
  'functions',
  'weight',
  'field_value_factor',
  'gauss',
  'random_score',
  'origin',
  'scale',
  'offset',
  'pivot',
  'saturation',
  'distance',
  'points',
  'top_left',
  'bottom_right',
  'clauses',
  'match',
  'end',
  'include',
  'exclude',
  'big',
  'little',
  'all_of',
  'any_of',
  'intervals',
  'max_gaps',
  'prefix',
  'pattern',
  'like',
  'unlike',
  'doc',
  'rewrite',
  'toString',
]
const BODY = [
  'from',
  'size',
  'query',
  'post_filter',
  'sort',
  'search_after',
  'track_total_hits',
  'min_score',
  'terminate_after',
  'timeout',
  '_source',
  'profile',
  'track_scores',
  'version',
  'collapse',
  'rescore',
  'indices_boost',
  'stored_fields',
  'docvalue_fields',
  'fields',
  'aggs',
  'hasOwnProperty',
]

const scalar = fc.oneof(
  fc.constantFrom(
    'a',
    'a b',
    '',
    '1',
    '-3.5',
    '1e999',
    '2020-01-01',
    'now-1d/d',
    '2020||/M',
    'true',
    '*',
    'NaN',
    'asc',
    '75%',
    '1<2',
    'yyyy',
    '+25:99',
    '10ms',
    '_score',
    '\ud800',
  ),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
)
const { value } = fc.letrec<{ value: unknown; object: unknown }>(tie => ({
  object: fc
    .array(fc.tuple(fc.constantFrom(...QUERIES, ...FIELDS, ...OPTIONS), tie('value')), {
      maxLength: 4,
    })
    .map(entries => new Map(entries)),
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    scalar,
    fc.array(tie('value'), { maxLength: 3 }),
    tie('object'),
  ),
}))

/** JSON of a value whose objects are maps, so that any key stands. */
function toJson(node: unknown): string {
  if (node instanceof Map)
    return `{${[...node].map(([key, inner]) => `${JSON.stringify(key)}:${toJson(inner)}`).join(',')}}`
  if (Array.isArray(node)) return `[${node.map(toJson).join(',')}]`
  return JSON.stringify(node) ?? 'null'
}

/** Runs and lets pass what a caller may be told; anything else is a defect. */
function tell(run: () => void): boolean {
  try {
    run()
    return true
  } catch (error) {
    if (error instanceof EngineError && error.message !== '') return false
    throw error
  }
}

it('answers any query with a query or an error of its own', () => {
  let good = 0
  fc.assert(
    fc.property(
      fc.constantFrom(...QUERIES),
      fc.constantFrom(...FIELDS, ...OPTIONS),
      value,
      value,
      (name, key, inner, other) => {
        const json = toJson(
          new Map([
            [
              name,
              new Map(
                [
                  [key, inner],
                  ['boost', other],
                ].slice(0, key === 'boost' ? 1 : 2) as [string, unknown][],
              ),
            ],
          ]),
        )
        const isGood = tell(() => {
          const query = buildQuery(parseQuery(parseJsonTree(encodeUtf8(json))), context)
          queryText(rewrite(query, true))
        })
        if (isGood) good++
      },
    ),
    { seed: 17, numRuns: 12_000 },
  )
  expect(good).toBeGreaterThan(20)
})

it('answers any field value with a query or an error of its own', () => {
  let good = 0
  fc.assert(
    fc.property(
      fc.constantFrom('term', 'match', 'match_phrase', 'prefix', 'range', 'terms'),
      fc.constantFrom(...FIELDS),
      scalar,
      fc.constantFrom('gt', 'gte', 'lt', 'lte'),
      (name, field, text, end) => {
        const inner = name === 'range' ? new Map([[end, text]]) : name === 'terms' ? [text] : text
        const json = toJson(new Map([[name, new Map([[field, inner]])]]))
        if (
          tell(() =>
            queryText(
              rewrite(buildQuery(parseQuery(parseJsonTree(encodeUtf8(json))), context), false),
            ),
          )
        )
          good++
      },
    ),
    { seed: 18, numRuns: 4000 },
  )
  expect(good).toBeGreaterThan(1000)
})

it('answers any search body with a request or an error of its own', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.constantFrom(...BODY), value), { maxLength: 3 }), entries => {
      const json = toJson(new Map(entries))
      tell(() => {
        const request = parseSearchRequest(parseJsonTree(encodeUtf8(json)), {}).coupled
        const sort = resolveSort(request.sort, context)
        if (request.searchAfter !== null)
          resolveSearchAfter(request.searchAfter, request.sort, sort)
      })
    }),
    { seed: 19, numRuns: 4000 },
  )
})
