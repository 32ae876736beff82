import { describe, expect, it } from 'vitest'
import { NO_ANSWERS } from '../../../src/engine/dsl/lookup.ts'
import { parseQuery } from '../../../src/engine/dsl/query/parse-query.ts'
import {
  buildQuery,
  type QueryContext,
  type QueryToken,
} from '../../../src/engine/dsl/query-context.ts'
import { newQueryNotes } from '../../../src/engine/dsl/query-notes.ts'
import { scriptPlan } from '../../../src/engine/dsl/script-plan.ts'
import { newVectorRequests } from '../../../src/engine/node/vector-requests.ts'
import { DEFAULT_MAPPING_LIMITS } from '../../../src/schema/mapping.ts'
import { parseMapping } from '../../../src/schema/mapping-parser.ts'
import { queryText, rewrite } from '../../../src/search/query/query-ops.ts'
import { encodeUtf8 } from '../../../src/util/bytes.ts'
import { EngineError, type ErrorRecord } from '../../../src/util/errors.ts'
import { parseJsonTree } from '../../../src/util/json/json-tree.ts'
import { NO_SCRIPTS } from '../../support/no-scripts.ts'

const properties = {
  title: { type: 'text', fields: { raw: { type: 'keyword' } } },
  tag: { type: 'keyword' },
  scored: { type: 'keyword', use_similarity: true },
  stored: { type: 'keyword', index: false },
  hidden: { type: 'keyword', index: false, doc_values: false },
  long: { type: 'long' },
  byte: { type: 'byte' },
  double: { type: 'double' },
  scaled: { type: 'scaled_float', scaling_factor: 100 },
  flag: { type: 'boolean' },
  date: { type: 'date' },
  nested_like: { properties: { a: { type: 'keyword' }, b: { type: 'long' } } },
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
  shown: mapping,
  index: 'books',
  indexUuid: 'uuid',
  aliases: [],
  mapping,
  planScript: scriptPlan,
  seen: null,
  derived: new Map(),
  allowsDerived: true,
  nowInMillis: Date.UTC(2024, 1, 29, 12),
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
  maxTermsCount: 5,
  maxClauseCount: 4,
  defaultFields: ['*'],
  allowsExpensive: true,
  eitherTerms: false,
  loadsIds: true,
  nested: { path: null, depth: 0, maxDepth: 20 },
  notes: newQueryNotes(),
  answers: NO_ANSWERS,
  scripts: NO_SCRIPTS,
  vectorRequests: newVectorRequests(),
  analyze: (_field, text, analyzer) => {
    if (analyzer === 'none') return null
    const tokens: QueryToken[] = []
    let skipped = 0
    for (const word of text.toLowerCase().matchAll(/\w+/g)) {
      const [term] = word
      if (term === 'of') skipped++
      else {
        const endOffset = word.index + term.length
        tokens.push({ term, positionIncrement: 1 + skipped, positionLength: 1, endOffset })
        skipped = 0
      }
    }
    return { tokens, endOffset: text.length, mayBeGraph: true }
  },
  normalize: (_field, value) => value,
}

function parse(json: string): string {
  return queryText(buildQuery(parseQuery(parseJsonTree(encodeUtf8(json))), context))
}

function failure(json: string): ErrorRecord {
  try {
    parse(json)
  } catch (error) {
    if (error instanceof EngineError) return error.record
    throw error
  }
  throw new Error('did not fail')
}

describe('parseQuery', () => {
  it.each([
    ['{"match_all":{}}', '*:*'],
    ['{"match_all":{"boost":2}}', '(*:*)^2.0'],
    ['{"match_none":{}}', 'MatchNoDocsQuery("User requested "match_none" query.")'],
    ['{"term":{"title":"Wind"}}', 'title:Wind'],
    ['{"term":{"title":{"value":"wind","boost":0.5}}}', '(title:wind)^0.5'],
    ['{"term":{"tag":"A"}}', 'ConstantScore(tag:A)'],
    ['{"term":{"scored":"A"}}', 'scored:A'],
    ['{"term":{"stored":"A"}}', 'stored:[A TO A]'],
    ['{"term":{"absent":"A"}}', 'MatchNoDocsQuery("unmapped field [absent]")'],
    ['{"term":{"_id":"1"}}', 'ConstantScore(_id:([fe 1f]))'],
    [
      '{"term":{"long":5}}',
      'IndexOrDocValuesQuery(indexQuery=long:[5 TO 5], dvQuery=long:[5 TO 5])',
    ],
    [
      '{"term":{"long":"9007199254740993"}}',
      'IndexOrDocValuesQuery(indexQuery=long:[9007199254740993 TO 9007199254740993], dvQuery=long:[9007199254740993 TO 9007199254740993])',
    ],
    ['{"term":{"long":1.5}}', 'MatchNoDocsQuery("Value [1.5] has a decimal part")'],
    ['{"term":{"flag":true}}', 'flag:T'],
    ['{"terms":{"tag":["b","a","b"]}}', 'tag:(a b)'],
    ['{"terms":{"tag":[]}}', 'MatchNoDocsQuery("Matching no documents because no terms present")'],
    [
      '{"terms":{"byte":[3,1,2.5]}}',
      'IndexOrDocValuesQuery(indexQuery=byte:{1 3}, dvQuery=byte:{1 3})',
    ],
    [
      '{"range":{"long":{"gt":1.5,"lt":9}}}',
      'IndexOrDocValuesQuery(indexQuery=long:[2 TO 8], dvQuery=long:[2 TO 8])',
    ],
    ['{"range":{"tag":{"gte":"a","lt":"b"}}}', 'tag:[a TO b}'],
    ['{"range":{"tag":{"gt":"a"}}}', 'tag:{a TO *]'],
    ['{"range":{"long":{}}}', 'ConstantScore(FieldExistsQuery [field=long])'],
    [
      '{"range":{"date":{"gte":"2020-01-05","lte":"2020-01-05"}}}',
      'IndexOrDocValuesQuery(indexQuery=date:[1578182400000 TO 1578268799999], dvQuery=date:[1578182400000 TO 1578268799999])',
    ],
    [
      '{"range":{"date":{"gte":"now/d","lt":"now/d+1d"}}}',
      'IndexOrDocValuesQuery(indexQuery=date:[1709164800000 TO 1709251199999], dvQuery=date:[1709164800000 TO 1709251199999])',
    ],
    [
      '{"range":{"scaled":{"gt":0.5,"lte":1.234}}}',
      'IndexOrDocValuesQuery(indexQuery=scaled:[51 TO 123], dvQuery=scaled:[51 TO 123])',
    ],
    [
      '{"range":{"long":{"from":1,"to":3,"include_lower":false}}}',
      'IndexOrDocValuesQuery(indexQuery=long:[2 TO 3], dvQuery=long:[2 TO 3])',
    ],
    ['{"exists":{"field":"title"}}', 'ConstantScore(FieldExistsQuery [field=title])'],
    ['{"exists":{"field":"hidden"}}', 'ConstantScore(_field_names:hidden)'],
    [
      '{"exists":{"field":"nested_like"}}',
      'ConstantScore(ConstantScore(FieldExistsQuery [field=nested_like.a]) ConstantScore(FieldExistsQuery [field=nested_like.b]))',
    ],
    ['{"prefix":{"tag":"ab"}}', 'tag:ab*'],
    ['{"prefix":{"tag":{"value":"ab","boost":3}}}', '(tag:ab*)^3.0'],
    ['{"ids":{"values":["2","1"]}}', 'ConstantScore(_id:([fe 1f] [fe 2f]))'],
    ['{"ids":{"values":[]}}', 'MatchNoDocsQuery("Missing ids in "ids" query.")'],
    ['{"match":{"title":"Gone wind"}}', 'title:gone title:wind'],
    ['{"match":{"title":{"query":"Gone wind","operator":"AND"}}}', '+title:gone +title:wind'],
    [
      '{"match":{"title":{"query":"a b c","minimum_should_match":"2<75%"}}}',
      '(title:a title:b title:c)~2',
    ],
    ['{"match":{"title":"wind"}}', 'title:wind'],
    [
      '{"match":{"title":"..."}}',
      'MatchNoDocsQuery("Matching no documents because no terms present")',
    ],
    ['{"match":{"title":{"query":"...","zero_terms_query":"all"}}}', '*:*'],
    [
      '{"match":{"long":"5"}}',
      'IndexOrDocValuesQuery(indexQuery=long:[5 TO 5], dvQuery=long:[5 TO 5])',
    ],
    [
      '{"match":{"long":{"query":"x","lenient":true}}}',
      'MatchNoDocsQuery("failed [long] query, caused by number_format_exception:[For input string: "x"]")',
    ],
    ['{"match_phrase":{"title":"gone of wind"}}', 'title:"gone ? wind"'],
    ['{"match_phrase":{"title":{"query":"gone wind","slop":2}}}', 'title:"gone wind"~2'],
    ['{"match_phrase_prefix":{"title":"gone wi"}}', 'title:"gone wi*"'],
    ['{"match_phrase_prefix":{"title":{"query":"gone wi","slop":2}}}', 'title:"gone wi*"~2'],
    ['{"match_phrase_prefix":{"title":"wi"}}', 'title:"wi*"'],
    [
      '{"match_phrase_prefix":{"title":{"query":"...","zero_terms_query":"all","max_expansions":3}}}',
      '*:*',
    ],
    ['{"match_bool_prefix":{"title":"gone wi"}}', 'title:gone title:wi*'],
    ['{"match_bool_prefix":{"title":"gone wi."}}', 'title:gone title:wi'],
    ['{"match_bool_prefix":{"title":{"query":"a b","operator":"and"}}}', '+title:a +title:b*'],
    [
      '{"match_bool_prefix":{"title":{"query":"a b c","minimum_should_match":2,"prefix_length":1,"max_expansions":5,"fuzzy_transpositions":false}}}',
      '(title:a title:b title:c*)~2',
    ],
    ['{"match_bool_prefix":{"title":"wi"}}', 'title:wi*'],
    ['{"match":{"title":{"query":"abc abcdef","fuzziness":"AUTO"}}}', 'title:abc~1 title:abcdef~2'],
    ['{"fuzzy":{"tag":{"value":"abc","fuzziness":2,"boost":2}}}', '(tag:abc~2)^2.0'],
    ['{"match_bool_prefix":{"tag":"w i"}}', 'tag:w i*'],
    [
      '{"match_bool_prefix":{"long":"5"}}',
      'IndexOrDocValuesQuery(indexQuery=long:[5 TO 5], dvQuery=long:[5 TO 5])',
    ],
    [
      '{"multi_match":{"query":"a b","fields":["title","tag^2"]}}',
      '((ConstantScore(tag:a b))^2.0 | (title:a title:b))',
    ],
    [
      '{"multi_match":{"query":"a b","fields":["title","scored"],"type":"most_fields","operator":"and"}}',
      '(scored:a b | (+title:a +title:b))~1.0',
    ],
    [
      '{"multi_match":{"query":"a b","fields":["title","scored"],"tie_breaker":0.3,"minimum_should_match":2}}',
      '(scored:a b | ((title:a title:b)~2))~0.3',
    ],
    [
      '{"multi_match":{"query":"a b","fields":["title","scored"],"type":"phrase","slop":1}}',
      '(scored:a b | title:"a b"~1)',
    ],
    [
      '{"multi_match":{"query":"a b","fields":"title","type":"phrase_prefix","boost":2}}',
      '(title:"a b*")^2.0',
    ],
    [
      '{"multi_match":{"query":"a b","fields":["title","tag"],"type":"bool_prefix"}}',
      '(tag:a b* | (title:a title:b*))~1.0',
    ],
    ['{"multi_match":{"query":"a","fields":["t*le^2","title^3"]}}', '(title:a)^6.0'],
    ['{"multi_match":{"query":"a","fields":["title.*"]}}', 'ConstantScore(title.raw:a)'],
    [
      '{"multi_match":{"query":"a","fields":["x","y"]}}',
      'MatchNoDocsQuery("unmapped fields [x, y]")',
    ],
    ['{"multi_match":{"query":"a","fields":["x"]}}', 'MatchNoDocsQuery("unmapped field [x]")'],
    ['{"multi_match":{"query":"a","fields":["x","title"]}}', 'title:a'],
    [
      '{"multi_match":{"query":"...","fields":["title"]}}',
      'MatchNoDocsQuery("Matching no documents because no terms present")',
    ],
    [
      '{"multi_match":{"query":"...","fields":["title"],"zero_terms_query":"all","auto_generate_synonyms_phrase_query":false,"cutoff_frequency":0.1}}',
      '*:*',
    ],
    [
      '{"multi_match":{"query":"x","fields":["long","title"],"lenient":true}}',
      '(title:x | MatchNoDocsQuery("failed [long] query, caused by number_format_exception:[For input string: "x"]"))',
    ],
    ['{"bool":{}}', '*:*'],
    [
      '{"bool":{"must":{"term":{"title":"a"}},"should":[{"term":{"title":"b"}}],"filter":{"term":{"title":"c"}},"must_not":null}}',
      '+title:a title:b #title:c',
    ],
    ['{"bool":{"must_not":{"term":{"title":"a"}}}}', '-title:a #*:*'],
    [
      '{"bool":{"must":[{"range":{"long":{"gte":1}}},{"match":{"title":"a"}}]}}',
      '#IndexOrDocValuesQuery(indexQuery=long:[1 TO 9223372036854775807], dvQuery=long:[1 TO 9223372036854775807]) +title:a',
    ],
    [
      '{"bool":{"should":[{"term":{"title":"a"}},{"term":{"title":"b"}}],"minimum_should_match":3}}',
      '(title:a title:b)~3',
    ],
    [
      '{"constant_score":{"filter":{"term":{"title":"a"}},"boost":1.5}}',
      '(ConstantScore(title:a))^1.5',
    ],
    [
      '{"dis_max":{"queries":[{"term":{"title":"a"}},{"term":{"title":"b"}}],"tie_breaker":0.3}}',
      '(title:a | title:b)~0.3',
    ],
    [
      '{"boosting":{"positive":{"term":{"title":"a"}},"negative":{"term":{"title":"b"}},"negative_boost":0.5}}',
      'FunctionScoreQuery(title:a, scored by boost(queryboost(score(title:b))^0.5))',
    ],
  ])('makes %s', (json, text) => {
    expect(parse(json)).toBe(text)
  })

  it.each([
    ['[]', 'parsing_exception', '[_na] query malformed, must start with start_object'],
    ['{}', 'illegal_argument_exception', 'query malformed, empty clause found at [1:1]'],
    ['{"term":3}', 'parsing_exception', '[term] query malformed, no start_object after query name'],
    [
      '{"match_all":{},"term":{}}',
      'parsing_exception',
      '[match_all] malformed query, expected [END_OBJECT] but found [FIELD_NAME]',
    ],
    ['{"mtach":{"title":"a"}}', 'parsing_exception', 'unknown query [mtach] did you mean [match]?'],
    ['{"script":{}}', 'parsing_exception', 'script must be provided with a [script] query'],
    [
      '{"term":{"title":["a"]}}',
      'parsing_exception',
      '[term] query does not support array of values',
    ],
    [
      '{"term":{"title":{"value":"a","bost":1}}}',
      'parsing_exception',
      '[term] query does not support [bost]',
    ],
    [
      '{"term":{"title":"a","tag":"b"}}',
      'parsing_exception',
      "[term] query doesn't support multiple fields, found [title] and [tag]",
    ],
    ['{"term":{"title":null}}', 'illegal_argument_exception', 'value cannot be null'],
    [
      '{"terms":{"a":["x"],"b":["y"]}}',
      'parsing_exception',
      '[terms] query does not support multiple fields',
    ],
    ['{"terms":{"tag":["a",null]}}', 'parsing_exception', 'No value specified for terms query'],
    [
      '{"terms":{"boost":1}}',
      'parsing_exception',
      '[terms] query requires a field name, followed by array of terms or a document lookup specification',
    ],
    [
      '{"terms":{"tag":["1","2","3","4","5","6"]}}',
      'query_shard_exception',
      'failed to create query: The number of terms [6] used in the Terms Query request has exceeded the allowed maximum of [5].',
    ],
    ['{"exists":{}}', 'parsing_exception', '[exists] must be provided with a [field]'],
    ['{"range":{"long":{"gtx":1}}}', 'parsing_exception', '[range] query does not support [gtx]'],
    [
      '{"range":{"long":{"gte":1,"relation":"beside"}}}',
      'illegal_argument_exception',
      'beside is not a valid relation',
    ],
    ['{"ids":{"type":"x"}}', 'x_content_parse_exception', '[1:9] [ids] unknown field [type]'],
    ['{"match":{"title":{}}}', 'parsing_exception', 'No text specified for text query'],
    [
      '{"match":{"title":["a"]}}',
      'parsing_exception',
      '[match] unknown token [START_ARRAY] after [title]',
    ],
    [
      '{"match":{"title":{"query":"a","analyzer":"none"}}}',
      'query_shard_exception',
      '[match] analyzer [none] not found',
    ],
    [
      '{"match_phrase":{"title":{"query":"a","slop":-1}}}',
      'illegal_argument_exception',
      'No negative slop allowed.',
    ],
    [
      '{"match_phrase":{"title":{"query":"a","operator":"and"}}}',
      'parsing_exception',
      '[match_phrase] query does not support [operator]',
    ],
    [
      '{"match_phrase_prefix":{"title":{"query":"a","max_expansions":-1}}}',
      'illegal_argument_exception',
      'No negative maxExpansions allowed.',
    ],
    [
      '{"match_phrase_prefix":{"tag":"a"}}',
      'query_shard_exception',
      'failed to create query: Can only use phrase prefix queries on text fields - not on [tag] which is of type [keyword]',
    ],
    [
      '{"match_bool_prefix":{"title":{"query":"a","slop":1}}}',
      'parsing_exception',
      '[match_bool_prefix] query does not support [slop]',
    ],
    [
      '{"match_bool_prefix":{"title":{"query":"a","max_expansions":0}}}',
      'illegal_argument_exception',
      '[match_bool_prefix] requires maxExpansions to be positive.',
    ],
    ['{"multi_match":{}}', 'parsing_exception', 'No text specified for multi_match query'],
    [
      '{"multi_match":{"query":"a","foo":1}}',
      'parsing_exception',
      '[multi_match] query does not support [foo]',
    ],
    [
      '{"multi_match":{"query":"a","fields":{}}}',
      'parsing_exception',
      '[multi_match] query does not support [fields]',
    ],
    [
      '{"multi_match":{"query":"a","type":"foo"}}',
      'parse_exception',
      'failed to parse [multi_match] query type [foo]. unknown type.',
    ],
    [
      '{"multi_match":{"query":"a","type":"phrase","fuzziness":1}}',
      'parsing_exception',
      'Fuzziness not allowed for type [phrase]',
    ],
    [
      '{"multi_match":{"query":"a","type":"bool_prefix","slop":1}}',
      'parsing_exception',
      '[slop] not allowed for type [bool_prefix]',
    ],
    [
      '{"multi_match":{"query":"a","type":"bool_prefix","cutoff_frequency":1}}',
      'parsing_exception',
      '[cutoff_frequency] not allowed for type [bool_prefix]',
    ],
    [
      '{"multi_match":{"query":"a","fields":["title"],"analyzer":"none"}}',
      'query_shard_exception',
      '[multi_match] analyzer [none] not found',
    ],
    [
      '{"multi_match":{"query":"a","fields":["n*"]}}',
      'query_shard_exception',
      'failed to create query: For input string: "a"',
    ],
    [
      '{"multi_match":{"query":"1","fields":["*"]}}',
      'query_shard_exception',
      'failed to create query: field expansion for [*] matches too many fields, limit: 4, got: 13',
    ],
    ['{"multi_match":{"query":"a","fields":["x^y"]}}', 'illegal_argument_exception', '[x^y] is no'],
    [
      '{"term":{"long":"abc"}}',
      'query_shard_exception',
      'failed to create query: For input string: "abc"',
    ],
    [
      '{"term":{"byte":200}}',
      'query_shard_exception',
      'failed to create query: Value [200] is out of range for a byte',
    ],
    [
      '{"term":{"hidden":"a"}}',
      'query_shard_exception',
      'failed to create query: Cannot search on field [hidden] since it is both not indexed, and does not have doc_values enabled.',
    ],
    [
      '{"term":{"flag":"maybe"}}',
      'query_shard_exception',
      "failed to create query: Can't parse boolean value [maybe], expected [true] or [false]",
    ],
    [
      '{"bool":{"musst":[]}}',
      'x_content_parse_exception',
      '[1:10] [bool] unknown field [musst] did you mean any of [must, mustNot]?',
    ],
    [
      '{"bool":{"must":[{"foo":{}}]}}',
      'x_content_parse_exception',
      '[1:17] [bool] failed to parse field [must]',
    ],
    ['{"constant_score":{}}', 'parsing_exception', "[constant_score] requires a 'filter' element"],
    [
      '{"dis_max":{}}',
      'parsing_exception',
      "[dis_max] requires 'queries' field with at least one clause",
    ],
    [
      '{"boosting":{"positive":{"match_all":{}}}}',
      'parsing_exception',
      "[boosting] query requires 'negative' query to be set'",
    ],
    [
      '{"match":{"title":"a b c d e"}}',
      'query_shard_exception',
      'failed to create query: maxClauseCount is set to 4',
    ],
    [
      '{"match_all":{"boost":-1}}',
      'illegal_argument_exception',
      'negative [boost] are not allowed in [match_all], use a value between 0 and 1 to deboost',
    ],
    [
      '{"prefix":{"long":"1"}}',
      'query_shard_exception',
      'Can only use prefix queries on keyword, text and wildcard fields - not on [long] which is of type [long]',
    ],
  ])('refuses %s', (json, type, reason) => {
    const record = failure(json)
    expect(record.type).toBe(type)
    expect(record.reason.slice(0, reason.length)).toBe(reason)
  })

  it('names the innermost error of a parser as the root cause', () => {
    const record = failure('{"bool":{"must":[{"bool":{"filter":{"foo":{}}}}]}}')
    expect(record.rootCause).toMatchObject([
      { type: 'parsing_exception', reason: 'unknown query [foo]' },
    ])
    expect(record.causedBy?.causedBy?.causedBy?.type).toBe('named_object_not_found_exception')
    const wrapper = failure('{"bool":{"must":[{"bool":{"filter":{"match":{}}}}]}}')
    expect(wrapper.causedBy?.causedBy?.type).toBe('illegal_argument_exception')
    expect(wrapper.rootCause).toEqual([wrapper.causedBy])
    expect(wrapper.causedBy?.rootCause).toBeUndefined()
  })

  it('takes keys like __proto__ for names of fields', () => {
    expect(parse('{"term":{"__proto__":"a"}}')).toBe(
      'MatchNoDocsQuery("unmapped field [__proto__]")',
    )
    expect(failure('{"__proto__":{}}').reason).toBe('unknown query [__proto__]')
  })

  it('reads queries as deep as the reader of bodies lets in', () => {
    const depth = 200
    const json = `${'{"bool":{"must":'.repeat(depth)}{"term":{"title":"a"}}${'}}'.repeat(depth)}`
    const built = buildQuery(parseQuery(parseJsonTree(encodeUtf8(json))), context)
    expect(queryText(rewrite(built, true)).length).toBeLessThan(5000)
  })
})
