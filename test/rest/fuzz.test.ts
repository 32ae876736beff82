import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { encodeUtf8 } from '../../src/util/bytes.ts'
import { Random } from '../../src/util/random.ts'
import { extent, SEED, tell } from '../chaos/extent.ts'
import { PATIENCE_IN_MILLIS } from '../support/patience.ts'
import { ndjson, openRest, type Rest } from '../support/rest-calls.ts'

const REQUESTS = extent(8_000, 100_000)
/** An answer that takes longer hangs. */

/** Refusals from before an endpoint has looked: of the route, the method, the media type, the JSON. */
const BEFORE_ENDPOINTS =
  /^no handler found|^Incorrect HTTP method|^Content-Type header|is not supported yet$|json_parse_exception/

/** What every method and path of the built endpoints is, with bodies that are fine by themselves. */
const ENDPOINTS: readonly (readonly [line: string, ...bodies: unknown[]])[] = [
  ['GET /'],
  ['HEAD /'],
  ['GET /_cluster/health'],
  ['GET /_cluster/health/{index}'],
  ['GET /_cluster/settings'],
  [
    'PUT /_cluster/settings',
    { transient: { 'search.concurrent.max_slice_count': 2 } },
    { persistent: { search: { max_buckets: 9 } }, transient: { 'search.*': null } },
  ],
  ['GET /_nodes'],
  ['GET /_nodes/{name}'],
  ['GET /_nodes/{name}/{metric}'],
  ['GET /_nodes/stats/{metric}'],
  ['GET /_nodes/stats/{metric}/{metric}'],
  ['GET /_nodes/{name}/stats'],
  [
    'PUT /{index}',
    { settings: { number_of_shards: 2 }, mappings: { properties: { a: { type: 'text' } } } },
    { settings: { index: { analysis: { analyzer: { x: { type: 'stop', stopwords: ['a'] } } } } } },
  ],
  ['GET /{index}'],
  ['HEAD /{index}'],
  ['DELETE /{index}'],
  ['GET /_mapping'],
  ['GET /{index}/_mapping'],
  ['GET /{index}/_mapping/field/{name}'],
  [
    'PUT /{index}/_mapping',
    {
      properties: { n: { type: 'long' }, t: { type: 'text', fields: { k: { type: 'keyword' } } } },
    },
    { dynamic: 'strict', dynamic_templates: [{ one: { match: 'x*', mapping: { type: 'long' } } }] },
    { properties: { k: { type: 'nested', include_in_root: true, properties: {} } } },
    { properties: { c: { type: 'completion', contexts: [{ name: 'x', type: 'category' }] } } },
    { properties: { p: { type: 'completion', fields: { q: { type: 'completion' } } } } },
    { properties: { j: { type: 'join', relations: { q: ['a', 'c'] } } } },
  ],
  ['GET /_settings'],
  ['GET /{index}/_settings/{name}'],
  ['PUT /{index}/_settings', { index: { refresh_interval: '1s' } }, { 'blocks.write': null }],
  [
    'POST /_bulk',
    ndjson({ index: { _index: 'fuzz-a', _id: '1' } }, { a: 'one', n: 1 }, { delete: { _id: '2' } }),
  ],
  [
    'POST /{index}/_bulk',
    ndjson({ create: {} }, { a: ['two', 'three'] }, { index: {} }, { b: {} }),
  ],
  ['PUT /{index}/_doc/{id}', { a: 'some text', n: 5, o: { d: '2020-01-01' } }],
  ['POST /{index}/_doc', { a: 'other text', f: 1.5 }],
  ['PUT /{index}/_doc/{id}', { k: [{ x: 1 }, { x: 2, y: 'text' }], _doc_count: 3 }],
  ['PUT /{index}/_doc/{id}', { j: { name: 'a', parent: '1' } }],
  [
    'PUT /{index}/_doc/{id}',
    { c: { input: ['some text', 'b'], weight: 3, contexts: { x: ['a', 'b'] } } },
    { p: { input: 'some text', weight: '7' } },
  ],
  ['POST /{index}/_create/{id}', { a: 'new', b: true }],
  ['GET /{index}/_doc/{id}'],
  ['HEAD /{index}/_doc/{id}'],
  ['DELETE /{index}/_doc/{id}'],
  ['POST /{index}/_refresh'],
  ['POST /{index}/_flush'],
  ['POST /{index}/_forcemerge'],
  ['GET /_count', { query: { match: { a: 'text' } } }],
  ['POST /{index}/_count', { query: { term: { n: 5 } } }],
  [
    'POST /{index}/_search',
    { query: { bool: { must: [{ match: { a: 'some' } }], filter: { range: { n: { gte: 1 } } } } } },
    { query: { match_phrase: { a: { query: 'some text', slop: 1 } } }, sort: [{ n: 'desc' }] },
    { size: 2, from: 1, profile: true, track_total_hits: 3, _source: ['a'], explain: true },
    {
      query: { match_phrase: { a: 'some text' } },
      highlight: {
        order: 'score',
        tags_schema: 'styled',
        encoder: 'html',
        fields: { a: { fragment_size: 20, no_match_size: 5, matched_fields: ['a'] } },
      },
    },
    {
      query: { prefix: { a: 'so' } },
      highlight: {
        type: 'plain',
        fragmenter: 'simple',
        pre_tags: ['<'],
        post_tags: ['>'],
        fields: [{ '*': { number_of_fragments: 2, max_analyzer_offset: 100 } }],
      },
    },
    { query: { dis_max: { queries: [{ prefix: { a: 'so' } }, { ids: { values: ['1'] } }] } } },
    {
      suggest: { text: 'some txet', s: { term: { field: 'a', suggest_mode: 'always', size: 3 } } },
    },
    {
      suggest: {
        s: { prefix: 'so', completion: { field: 'p', fuzzy: { fuzziness: 1, min_length: 2 } } },
        t: { regex: 's.*t', completion: { field: 'p', skip_duplicates: true } },
        u: {
          prefix: 's',
          completion: { field: 'c', contexts: { x: [{ context: 'a', boost: 2, prefix: true }] } },
        },
      },
    },
    {
      suggest: {
        s: {
          text: 'smoe text',
          phrase: {
            field: 'a',
            max_errors: 2,
            confidence: 0.5,
            smoothing: { laplace: { alpha: 0.7 } },
            highlight: { pre_tag: '<', post_tag: '>' },
            direct_generator: [{ field: 'a', min_word_length: 1, string_distance: 'ngram' }],
          },
        },
      },
    },
  ],
  [
    'POST /{index}/_search',
    { query: { nested: { path: 'k', query: { range: { 'k.x': { gt: 1 } } }, score_mode: 'max' } } },
  ],
  ['GET /_search', { query: { exists: { field: 'a' } }, min_score: 0.5, terminate_after: 2 }],
  [
    'POST /{index}/_search',
    {
      query: { match: { a: { query: 'some text', _name: 'x' } } },
      include_named_queries_score: true,
      collapse: {
        field: 'n',
        inner_hits: [
          { name: 'in', size: 2, from: 0, sort: [{ n: 'desc' }], collapse: { field: 'n' } },
        ],
        max_concurrent_group_searches: 2,
      },
      indices_boost: [{ 'fuzz-*': 1.5 }],
    },
    {
      query: { match: { a: 'text' } },
      rescore: [
        {
          window_size: 5,
          query: {
            rescore_query: { term: { n: 1 } },
            query_weight: 0.5,
            rescore_query_weight: 2,
            score_mode: 'max',
          },
        },
      ],
      explain: true,
      stored_fields: ['a', '_source'],
      docvalue_fields: ['n', { field: 'n', format: '#,##0.0' }],
      fields: ['*', { field: 'a', format: 'x' }],
    },
    {
      query: {
        nested: {
          path: 'k',
          query: { match_all: { _name: 'y' } },
          inner_hits: { name: 'z', size: 1, sort: ['k.x'], _source: ['k.x'], version: true },
        },
      },
    },
  ],
  [
    'POST /{index}/_search?scroll=1m',
    { size: 2, sort: ['_doc'], slice: { id: 0, max: 2 } },
    { query: { match: { a: 'text' } }, slice: { id: 1, max: 3, field: 'n' }, sort: ['n'] },
  ],
  ['POST /_search/scroll', { scroll_id: 'AQAAAAAAAAAAAAAAAAAF', scroll: '1m' }],
  ['GET /_search/scroll/{name}'],
  ['DELETE /_search/scroll', { scroll_id: ['AQAAAAAAAAAAAAAAAAAF'] }],
  ['POST /{index}/_search/point_in_time?keep_alive=1m'],
  ['GET /_search/point_in_time/_all'],
  ['DELETE /_search/point_in_time', { pit_id: ['AgAAAAAAAAAAAAAAAAAF'] }],
  [
    'GET /_search',
    {
      pit: { id: 'AgAAAAAAAAAAAAAAAAAF', keep_alive: '1m' },
      sort: ['_shard_doc'],
      search_after: [5],
    },
  ],
  [
    'POST /{index}/_msearch',
    ndjson({}, { query: { match_all: {} } }, { index: 'fuzz-a', preference: '_shards:0' }, {}),
  ],
  [
    'POST /{index}/_termvectors/{id}',
    { fields: ['a', 't*'], term_statistics: true, filter: { max_num_terms: 3, min_doc_freq: 1 } },
    { per_field_analyzer: { a: 'keyword' }, offsets: false, version: 1, routing: 'x' },
  ],
  ['POST /{index}/_termvectors', { doc: { a: ['one', 'two one'], n: 2, o: { p: null } } }],
  [
    'POST /_mtermvectors',
    {
      parameters: { positions: false },
      ids: ['1'],
      docs: [
        { _index: 'fuzz-a', _id: '1' },
        { _index: 'fuzz-b', doc: { t: 'x' }, payloads: true },
      ],
    },
  ],
  ['GET /{index}/_explain/{id}', { query: { bool: { must: { match: { a: 'some text' } } } } }],
  [
    'GET /{index}/_validate/query?rewrite=true',
    { query: { bool: { should: [{ match_all: {} }, { range: { n: { lt: 3 } } }] } } },
  ],
  ['GET /{index}/_field_caps?fields=*', { index_filter: { range: { n: { gte: 1 } } } }],
  ['POST /{index}/_search_shards', { slice: { id: 0, max: 2 } }],
  [
    'POST /{index}/_rank_eval',
    {
      requests: [
        {
          id: 'q',
          request: { query: { match: { a: 'text' } } },
          ratings: [{ _index: 'fuzz-a', _id: '1', rating: 1 }],
        },
      ],
      metric: { dcg: { k: 5, normalize: true } },
    },
  ],
  [
    'POST /_analyze',
    { analyzer: 'standard', text: ['The quick fox', 'and more'] },
    { tokenizer: 'keyword', filter: ['lowercase', { type: 'stop' }], text: 'A', explain: true },
  ],
  ['POST /{index}/_analyze', { field: 'a', text: 'some words' }],
  ['GET /_stats'],
  ['GET /{index}/_stats/{metric}'],
  ['GET /_cat/indices'],
  ['GET /_cat/recovery/{index}'],
  ['GET /_cat/segments/{index}'],
  ['GET /_cat/pit_segments', { pit_id: ['AgAAAAAAAAAAAAAAAAAF'] }],
  ['GET /_cat/pit_segments/_all'],
  ['GET /_cat/allocation/{name}'],
  ['GET /_cat/thread_pool/{name}'],
  ['GET /_cat/shards/{index}'],
  ['GET /{index}/_segments'],
  ['GET /{index}/_recovery'],
  ['GET /{index}/_shard_stores'],
  ['POST /{index}/_cache/clear'],
  ['GET /_plugins/_knn/warmup/{index}'],
  ['POST /_plugins/_refresh_search_analyzers/{index}'],
  ['POST /_plugins/_knn/clear_cache/{index}'],
  ['GET /_plugins/_knn/{name}/stats/{metric}'],
  ['POST /{index}/_upgrade'],
  ['GET /_nodes/{name}/{metric}'],
  ['GET /_cluster/stats/{metric}/nodes/{name}'],
  ['GET /_cluster/health/{index}'],
  [
    'POST /_cluster/allocation/explain',
    { index: 'fuzz-a', shard: 0, primary: false, current_node: 'x' },
  ],
  [
    'POST /_cluster/reroute',
    { commands: [{ cancel: { index: 'fuzz-a', shard: 0, node: '_local', allow_primary: false } }] },
    { commands: [{ move: { index: 'fuzz-a', shard: 9, from_node: '_local', to_node: 'x' } }] },
  ],
  ['POST /{index}/_update/{id}', { doc: { a: 1 } }],
  [
    'PUT /_index_template/{stream}',
    { index_patterns: ['fuzz-s*'], data_stream: { timestamp_field: { name: 'at' } }, priority: 3 },
  ],
  ['GET /_index_template/{stream}'],
  ['DELETE /_index_template/{stream}'],
  ['PUT /_data_stream/{stream}'],
  ['GET /_data_stream/{stream}'],
  ['GET /_data_stream/{stream}/_stats'],
  ['DELETE /_data_stream/{stream}'],
  ['POST /{stream}/_doc', { at: 5, a: 'text' }],
  ['PUT /{stream}/_create/{id}', { at: '2020-01-01' }],
  ['POST /{stream}/_rollover', { conditions: { max_docs: 1, max_age: '1d', max_size: '1b' } }],
  [
    'POST /_data_stream/_modify',
    {
      actions: [
        { add_backing_index: { data_stream: 'fuzz-s1', index: 'fuzz-a' } },
        { remove_backing_index: { data_stream: 'fuzz-s1', index: '.ds-fuzz-s1-000001' } },
      ],
    },
  ],
  ['GET /_resolve/index/{stream}'],
  ['GET /_cluster/state/{metric}/{stream}'],
]

const PARTS: Readonly<Record<string, readonly string[]>> = {
  index: [
    'fuzz-a',
    'fuzz-b',
    'fuzz-*',
    'fuzz-a,fuzz-b',
    'absent',
    '_all',
    '*',
    'Upper',
    '-x',
    '..',
  ],
  stream: ['fuzz-s1', 'fuzz-s2', 'fuzz-s*', 'absent', '.ds-fuzz-s1-000001', 'Upper', '_all', '_x'],
  id: ['1', '2', 'a%2Fb', '%20', 'x'.repeat(600), '__proto__', '%F0%9F%90%AB', '_'],
  name: ['index.number_of_shards', 'index.routing-', '*', '_local', '_all', 'data:true', 'nobody'],
  metric: ['docs', 'store,search', 'http', 'os,jvm', '_all', 'merges', 'metadata', 'nonsense'],
}
const ODD_PARTS = [
  '%',
  '%zz',
  '%C3%28',
  '%00',
  'a b',
  '<x-{now/d}>',
  '#',
  ';',
  '+',
  '%2e%2e',
  '',
  '|',
]

const PARAMS = [
  'pretty human error_trace filter_path flat_settings include_defaults level size from sort routing',
  'refresh realtime version version_type if_seq_no if_primary_term op_type pipeline require_alias',
  'wait_for_active_shards wait_for_status wait_for_nodes expand_wildcards allow_no_indices',
  'ignore_unavailable preserve_existing max_num_segments only_expunge_deletes force wait_if_ongoing',
  'track_total_hits rest_total_hits_as_int min_score terminate_after preference search_type',
  '_source _source_includes _source_excludes stored_fields q scroll typed_keys request_cache',
  'groups fields completion_fields include_segment_file_sizes include_unloaded_segments human status',
  'forbid_closed_indices active_only detailed verbose awareness_attribute dry_run metric retry_failed',
  // Not `s`: an unknown key answers 500, as documented.
  'h v help bytes time full_id size query fielddata include_yes_decisions include_disk_info',
  'text analyzer explain field __proto__ constructor sizze source source_content_type format local',
]
  .join(' ')
  .split(' ')
const VALUES = [
  'true false 1 0 -1 10 2147483648 99999999999999999999 1.5 x a,b * ** -a all open,closed none green',
  'red >=1 ge(1) internal external external_gte force create index 1ms 5x %zz %00 %F0%9F _none',
  '{"query":{}} application/json shards indices hits.hits._source __proto__ n:desc n:sideways',
]
  .join(' ')
  .split(' ')
  .concat('')
const TYPES = [
  'application/json',
  'application/x-ndjson',
  'text/plain',
  'application/yaml',
  'application/cbor',
  '',
  'x',
]

describe('the API under malformed requests', () => {
  let rest: Rest

  beforeAll(async () => {
    rest = await openRest({ 'cluster.max_shards_per_node': '60' })
    await rest.call('PUT /witness', { settings: { number_of_replicas: 0 } })
    for (let i = 0; i < 3; i++) await rest.call(`PUT /witness/_doc/${i}`, { text: `document ${i}` })
    await rest.call('POST /witness/_refresh')
    // Nothing that is sent below may reach the witness by a pattern.
    await rest.call('PUT /_cluster/settings', {
      persistent: { 'action.destructive_requires_name': true },
    })
  })
  afterAll(() => rest.close())

  it(`answers ${REQUESTS} of them with an envelope and goes on`, async () => {
    const random = new Random(SEED)
    const statuses = new Map<number, number>()
    let reached = 0
    let slowest = 0
    for (let i = 0; i < REQUESTS; i++) {
      const { line, body, headers } = malformed(random)
      const shown = `request ${i}: ${line} ${Buffer.from(body).toString('latin1').slice(0, 300)}`
      const started = performance.now()
      const reply = await rest.call(line, body, headers).catch((error: unknown) => {
        throw new Error(`${shown}: ${error instanceof Error ? error.stack : String(error)}`)
      })
      slowest = Math.max(slowest, performance.now() - started)
      expect(slowest, shown).toBeLessThan(PATIENCE_IN_MILLIS)
      const { error } = reply.json ?? {}
      const told = typeof error === 'string' ? error : `${error?.reason}`
      const isBefore = BEFORE_ENDPOINTS.test(told) || BEFORE_ENDPOINTS.test(`${error?.type}`)
      if (!isBefore) reached++
      statuses.set(reply.status, (statuses.get(reply.status) ?? 0) + 1)
      checkReply(shown, line, reply)
    }
    // Guards the test itself: it must meet both sides of the parsers.
    expect(statuses.get(200) ?? 0).toBeGreaterThan(REQUESTS * 0.05)
    expect(statuses.get(400) ?? 0).toBeGreaterThan(REQUESTS * 0.3)
    expect(reached, 'requests that an endpoint looked at').toBeGreaterThan(REQUESTS / 2)
    const counts = [...statuses].sort(([a], [b]) => a - b).map(([status, n]) => `${n} × ${status}`)
    tell(
      `${REQUESTS} requests, ${reached} of them looked at by an endpoint: ${counts.join(', ')}; ` +
        `slowest ${Math.round(slowest)} ms`,
    )
    const { json, text } = await rest.call('GET /witness/_search', { sort: ['text.keyword'] })
    expect(json.hits, text).toBeDefined()
    const texts = json.hits.hits.map((hit: { _source: { text: string } }) => hit._source.text)
    expect(texts.slice(0, 3)).toEqual(['document 0', 'document 1', 'document 2'])
  }, 3_600_000)
})

function checkReply(
  shown: string,
  line: string,
  { status, text, json }: Awaited<ReturnType<Rest['call']>>,
): void {
  if (line.startsWith('HEAD')) {
    expect(text, shown).toBe('')
    return
  }
  expect(typeof json, shown).toBe('object')
  if (status < 400) return
  // A document or a state that is not there is an answer, not an error.
  const isPlain = json.found === false || json.result === 'not_found' || json.timed_out === true
  if (isPlain || Object.keys(json).length === 0) return
  if (typeof json.error === 'string') {
    expect([400, 405, 406], shown).toContain(status)
    return
  }
  if (json.error === undefined) return
  const { type, reason, root_cause: causes } = json.error
  expect(json.status, shown).toBe(status)
  expect(typeof type, shown).toBe('string')
  expect(typeof reason, shown).toBe('string')
  expect(causes.length, shown).toBeGreaterThan(0)
  // Copies that were asked for and are not there are documented with 503.
  if (type === 'unavailable_shards_exception') expect(status, shown).toBe(503)
  else expect(status, `${shown}\n${text}`).toBeLessThan(500)
}

interface Malformed {
  readonly line: string
  readonly body: Uint8Array
  readonly headers: Record<string, string>
}

function malformed(random: Random): Malformed {
  const [line, ...bodies] = pick(random, ENDPOINTS)
  let target = line.replace(/\{(\w+)\}/g, (_, part: string) =>
    random.below(12) === 0 ? pick(random, ODD_PARTS) : pick(random, PARTS[part]!),
  )
  if (random.below(25) === 0)
    target = target.replace(/^\w+/, pick(random, ['PATCH', 'put', 'OPTIONS']))
  // What waits must not wait long.
  const params = line.includes('_cluster/health') ? ['timeout=1ms'] : []
  while (random.below(3) === 0) params.push(`${pick(random, PARAMS)}=${pick(random, VALUES)}`)
  if (params.length > 0) target += `?${params.join('&')}`
  const headers: Record<string, string> =
    random.below(20) === 0 ? { 'content-type': pick(random, TYPES) } : {}
  if (bodies.length === 0 && random.below(6) > 0)
    return { line: target, body: new Uint8Array(), headers }
  return { line: target, body: damage(random, pick(random, bodies) ?? {}), headers }
}

/** A body as it is, with one value of another kind, or with its bytes changed. */
function damage(random: Random, body: unknown): Uint8Array {
  const isText = typeof body === 'string'
  const way = random.below(10)
  if (way < 2) return encodeUtf8(isText ? body : JSON.stringify(body))
  if (way < 7 && !isText) {
    let text = JSON.stringify(body)
    for (let n = 0; n <= random.below(2); n++) text = swapOne(random, text)
    return encodeUtf8(text)
  }
  let bytes = encodeUtf8(isText ? body : JSON.stringify(body))
  switch (random.below(6)) {
    case 0:
      return bytes.subarray(0, random.below(bytes.length))
    case 1:
      return encodeUtf8(`${'{"a":'.repeat(2000)}1${'}'.repeat(2000)}`)
    case 2:
      return encodeUtf8(`${'['.repeat(400)}${']'.repeat(400)}\n`)
    case 3:
      return Uint8Array.from({ length: random.below(60) + 1 }, () => random.below(256))
    default:
      bytes = bytes.slice()
      for (let n = 0; n <= random.below(4); n++)
        bytes[random.below(bytes.length)] = random.below(256)
      return bytes
  }
}

const ODD_VALUES = [
  'null',
  'true',
  '-1',
  '1e999',
  '9223372036854775808',
  '0.1',
  '""',
  '"x"',
  '"\\u0000"',
  '"\\ud800"',
  '[]',
  '[[[1]]]',
  '{}',
  '{"__proto__":{"x":1}}',
  '{"constructor":{"prototype":1}}',
  '{"a":1,"a":2}',
  '{"type":"nonsense"}',
  '{"match_all":{}}',
]

/** Puts something else in the place of a scalar, a key or a whole object. */
function swapOne(random: Random, text: string): string {
  const places = [
    ...text.matchAll(
      /"[^"]*"(?=:)|(?<=[:[,])("[^"]*"|-?\d[\d.]*|true|false|null|\{[^{}]*\}|\[[^[\]]*\])/g,
    ),
  ]
  if (places.length === 0) return pick(random, ODD_VALUES)
  const place = pick(random, places)
  const isKey = text[place.index + place[0].length] === ':'
  const other = isKey
    ? pick(random, ['"__proto__"', '"nonsense"', '""', '"a.b"'])
    : pick(random, ODD_VALUES)
  return text.slice(0, place.index) + other + text.slice(place.index + place[0].length)
}

function pick<T>(random: Random, items: readonly T[]): T {
  return items[random.below(items.length)]!
}
