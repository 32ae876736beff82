import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ndjson, openRest, type Rest } from '../support/rest-calls.ts'

let rest: Rest

beforeAll(async () => {
  rest = await openRest({ 'node.attr.rack': 'r7' })
  await rest.call('PUT /books', {
    settings: { number_of_shards: 2, number_of_replicas: 0, 'index.refresh_interval': '-1' },
    mappings: {
      properties: {
        title: { type: 'text' },
        shelf: { type: 'keyword' },
        year: { type: 'integer' },
      },
    },
  })
  const lines = Array.from({ length: 6 }, (_, i) => [
    { index: { _id: String(i) } },
    { title: `volume ${i} of tides`, shelf: `s${i % 2}`, year: 2000 + i },
  ])
  await rest.call('POST /books/_bulk?refresh', ndjson(...lines.flat()))
})
afterAll(() => rest.close())

/** Requests and the status, type and reason that the contract gives them. */
const REFUSALS: readonly (readonly [
  line: string,
  body: object | string | null,
  status: number,
  type: string,
  reason: string | RegExp,
])[] = [
  // Common rules
  ['GET /books/_search', '{"query":', 400, 'json_e_o_f_exception', /^Unexpected end-of-input/],
  ['GET /books/_search', '{"a":1,"a":2}', 400, 'json_parse_exception', /Duplicate field 'a'/],
  ['PUT /books/_mapping', null, 400, 'parse_exception', 'request body is required'],
  [
    'POST /books/_refresh',
    {},
    400,
    'illegal_argument_exception',
    'request [POST /books/_refresh] does not support having a body',
  ],
  [
    'GET /books/_search?sizze=1&frm=2',
    null,
    400,
    'illegal_argument_exception',
    'request [/books/_search] contains unrecognized parameters: [frm] -> did you mean [from]?, ' +
      '[sizze] -> did you mean [size]?',
  ],
  [
    'GET /?format=xml',
    null,
    400,
    'illegal_argument_exception',
    '[format=xml] is not supported: use [json], [yaml], [cbor] or [text]',
  ],
  // Names of indices
  ['GET /absent', null, 404, 'index_not_found_exception', 'no such index [absent]'],
  ['GET /ab*?allow_no_indices=false', null, 404, 'index_not_found_exception', /\[ab\*\]/],
  [
    'PUT /Books',
    null,
    400,
    'invalid_index_name_exception',
    'Invalid index name [Books], must be lowercase',
  ],
  ['GET /_books', null, 400, 'invalid_index_name_exception', /must not start with '_'\.$/],
  ['DELETE /,', null, 400, 'invalid_index_name_exception', /must not be empty$/],
  ['DELETE /%20', null, 400, 'invalid_index_name_exception', /must not be empty$/],
  // Index life
  ['PUT /books', null, 400, 'resource_already_exists_exception', /^index \[books\/.{22}\] already/],
  ['PUT /new', { setting: {} }, 400, 'parse_exception', 'unknown key [setting] for create index'],
  [
    'PUT /new',
    { mappings: { properties: { a: { type: 'txt' } } } },
    400,
    'mapper_parsing_exception',
    'Failed to parse mapping [_doc]: No handler for type [txt] declared on field [a]',
  ],
  [
    'PUT /new',
    { settings: { number_of_shards: 'many' } },
    400,
    'illegal_argument_exception',
    'Failed to parse value [many] for setting [index.number_of_shards]',
  ],
  [
    'PUT /books/_settings',
    { index: { number_of_shards: 4 } },
    400,
    'illegal_argument_exception',
    /^Can't update non dynamic settings \[\[index.number_of_shards\]\] for open indices \[\[books\//,
  ],
  [
    'PUT /books/_settings',
    {},
    400,
    'action_request_validation_exception',
    'Validation Failed: 1: no settings to update;',
  ],
  [
    'PUT /books/_mapping',
    { properties: { year: { type: 'text' } } },
    400,
    'illegal_argument_exception',
    'mapper [year] cannot be changed from type [integer] to [text]',
  ],
  [
    'POST /books/_flush?force=true&wait_if_ongoing=false',
    null,
    400,
    'action_request_validation_exception',
    'Validation Failed: 1: wait_if_ongoing must be true for a force flush;',
  ],
  // Documents
  [
    'POST /books/_doc?version=1&version_type=external',
    { year: 1 },
    400,
    'action_request_validation_exception',
    'Validation Failed: 1: create operations only support internal versioning. use index instead;',
  ],
  [
    'PUT /books/_doc/0?if_seq_no=99&if_primary_term=1',
    { year: 1 },
    409,
    'version_conflict_engine_exception',
    /^\[0\]: version conflict, required seqNo \[99\], primary term \[1\]. current document has seqNo/,
  ],
  [
    'PUT /books/_create/0',
    { year: 1 },
    409,
    'version_conflict_engine_exception',
    '[0]: version conflict, document already exists (current version [1])',
  ],
  [
    'PUT /books/_doc/9',
    { year: 'soon' },
    400,
    'mapper_parsing_exception',
    "failed to parse field [year] of type [integer] in document with id '9'. " +
      "Preview of field's value: 'soon'",
  ],
  [
    'PUT /books/_doc/9?pipeline=p',
    { year: 1 },
    400,
    'illegal_argument_exception',
    'pipeline with id [p] does not exist',
  ],
  [
    'GET /books/_doc/0?version=7',
    null,
    409,
    'version_conflict_engine_exception',
    /provided \[7\]$/,
  ],
  [
    'PUT /books/_doc/9?version_type=force&version=1',
    { year: 1 },
    400,
    'action_request_validation_exception',
    /version type \[force\] may no longer be used/,
  ],
  // Bulk
  ['POST /_bulk', null, 400, 'parse_exception', 'request body is required'],
  [
    'POST /_bulk',
    '{"index":{"_index":"books"}}\n{"year":1}',
    400,
    'illegal_argument_exception',
    'The bulk request must be terminated by a newline [\\n]',
  ],
  [
    'POST /_bulk',
    '[]\n',
    400,
    'illegal_argument_exception',
    'Malformed action/metadata line [1], expected START_OBJECT but found [START_ARRAY]',
  ],
  // Search
  [
    'GET /books/_search?batched_reduce_size=1',
    null,
    400,
    'illegal_argument_exception',
    'batchedReduceSize must be >= 2',
  ],
  [
    'GET /books/_search',
    { queri: {} },
    400,
    'parsing_exception',
    /^Unknown key for a START_OBJECT/,
  ],
  [
    'GET /books/_search',
    {
      derived: { age: { type: 'long', script: "emit(2026 - doc['year'].value)" } },
      sort: [{ age: 'asc' }],
    },
    400,
    'search_phase_execution_exception',
    'all shards failed',
  ],
  [
    'GET /books/_search',
    { size: 2 ** 20 },
    400,
    'search_phase_execution_exception',
    'all shards failed',
  ],
  [
    'GET /books/_search?sort=year:down',
    null,
    400,
    'illegal_argument_exception',
    'Unknown SortOrder [down]',
  ],
  [
    'GET /books/_search',
    { size: 2 ** 31 },
    400,
    'input_coercion_exception',
    'Numeric value (2147483648) out of range of int (-2147483648 - 2147483647)',
  ],
  [
    'GET /books/_search?preference=_only_nodes:a',
    null,
    400,
    'illegal_argument_exception',
    '[preference=_only_nodes] is not supported yet',
  ],
  [
    'GET /books/_search?search_pipeline=a',
    null,
    400,
    'illegal_argument_exception',
    'Pipeline a is not defined',
  ],
  ['GET /books/_count', { size: 1 }, 400, 'parsing_exception', 'request does not support [size]'],
  // Analysis
  [
    'POST /_analyze',
    { analyzer: 'standard' },
    400,
    'action_request_validation_exception',
    'Validation Failed: 1: text is missing;',
  ],
  [
    'POST /_analyze',
    { normalizer: 'n', analyzer: 'a', text: 'x' },
    400,
    'action_request_validation_exception',
    'Validation Failed: 1: index is required if normalizer is specified;' +
      '2: tokenizer/analyze should be null if normalizer is specified;',
  ],
  [
    'POST /_analyze',
    { analyzer: 'standrd', text: 'x' },
    400,
    'illegal_argument_exception',
    'failed to find global analyzer [standrd]',
  ],
  [
    'POST /books/_analyze',
    { field: 'year', text: 'x' },
    400,
    'illegal_argument_exception',
    "Can't process field [year], Analysis requests are only supported on tokenized fields",
  ],
  [
    'POST /_analyze',
    { analyzer: {}, text: 'x' },
    400,
    'x_content_parse_exception',
    "[1:13] [analyze_request] analyzer doesn't support values of type: START_OBJECT",
  ],
  // Cluster
  [
    'PUT /_cluster/settings',
    { transient: { 'cluster.nonsense': 1 } },
    400,
    'illegal_argument_exception',
    'transient setting [cluster.nonsense], not recognized',
  ],
  [
    'PUT /_cluster/settings',
    { permanent: {} },
    400,
    'x_content_parse_exception',
    '[1:2] [cluster_update_settings_request] unknown field [permanent] did you mean [persistent]?',
  ],
  [
    'GET /books/_stats/doc',
    null,
    400,
    'illegal_argument_exception',
    'request [/books/_stats/doc] contains unrecognized metric: [doc] -> did you mean [docs]?',
  ],
]

describe('refusals', () => {
  it.each(REFUSALS)('%s %j gets %d %s', async (line, body, status, type, reason) => {
    const reply = await rest.call(line, body ?? undefined)
    expect(reply.json.error, reply.text).toMatchObject({ type })
    if (typeof reason === 'string') expect(reply.json.error.reason).toBe(reason)
    else expect(reply.json.error.reason).toMatch(reason)
    expect([reply.status, reply.json.status]).toEqual([status, status])
    expect(Object.keys(reply.json)).toEqual(['error', 'status'])
    expect(Object.keys(reply.json.error).slice(0, 3)).toEqual(['root_cause', 'type', 'reason'])
  })

  it('of a method on the root do not mean every index', async () => {
    for (const method of ['DELETE', 'PUT', 'POST'])
      for (const path of ['/', '//', '/?pretty', '/?expand_wildcards=all']) {
        const { status, json } = await rest.call(
          `${method} ${path}`,
          method === 'PUT' ? {} : undefined,
        )
        expect([status, json.status], `${method} ${path}`).toEqual([405, 405])
      }
    for (const line of ['DELETE //_doc/1', 'GET //_doc/1', 'DELETE /books/_doc'])
      expect([400, 404, 405], line).toContain((await rest.call(line)).status)
  })

  it('leave nothing behind', async () => {
    const { json } = await rest.call('GET /books/_count')
    expect(json.count).toBe(6)
    expect((await rest.call('HEAD /new')).status).toBe(404)
  })
})

describe('the error envelope', () => {
  it('names as root the innermost error that is of the server itself', async () => {
    const mapping = await rest.call('PUT /new', {
      mappings: { properties: { a: { type: 'txt' } } },
    })
    const inner = {
      type: 'mapper_parsing_exception',
      reason: 'No handler for type [txt] declared on field [a]',
    }
    expect(mapping.json.error.root_cause).toEqual([inner])
    expect(mapping.json.error.caused_by).toEqual(inner)
    const document = await rest.call('PUT /books/_doc/9', { year: 'soon' })
    expect(document.json.error.root_cause[0].type).toBe('mapper_parsing_exception')
    expect(document.json.error.caused_by.type).toBe('number_format_exception')
    const query = await rest.call('GET /books/_search', {
      query: { bool: { must: [{ match: {} }] } },
    })
    expect(query.json.error.root_cause).toEqual([
      { type: 'x_content_parse_exception', reason: '[1:26] [bool] failed to parse field [must]' },
    ])
    const unknown = await rest.call('GET /books/_search', {
      query: { bool: { must: [{ bool: { must: [{ foo: {} }] } }] } },
    })
    expect(unknown.json.error.root_cause).toEqual([
      { type: 'parsing_exception', reason: 'unknown query [foo]', line: 1, col: 45 },
    ])
  })

  it('tells where it was thrown when asked, and nothing of the machine', async () => {
    const { json } = await rest.call('PUT /books/_doc/9?error_trace', { year: 'soon' })
    const { stack_trace: trace, caused_by: cause, root_cause: roots } = json.error
    expect(trace.split('\n')[0]).toBe(`MapperParsingException[${json.error.reason}]`)
    expect(trace).toMatch(
      /\n\tat (?:ShardWrites\.)?#write\(shard\/shard-writes\.ts:\d+(?::\d+)?\)\n/,
    )
    expect(trace).toMatch(/\nCaused by: NumberFormatException\[For input string: "soon"\]$/)
    expect(cause.stack_trace).toBe('NumberFormatException[For input string: "soon"]')
    expect(roots[0].stack_trace).toBe(trace)
    expect(trace).not.toContain(process.cwd())
    expect(trace).not.toContain('node:')
    const lines = '{"index":{"_id":"9"}}\n{"year":"soon"}\n'
    const bulk = await rest.call('POST /books/_bulk?error_trace=true', lines)
    expect(bulk.json.items[0].index.error.stack_trace).toMatch(/^MapperParsingException\[failed/)
    for (const path of ['PUT /books/_doc/9', 'PUT /books/_doc/9?error_trace=false']) {
      expect((await rest.call(path, { year: 'soon' })).text).not.toContain('stack_trace')
    }
  })

  it('tells of failed shards, once for each distinct failure', async () => {
    const { json } = await rest.call('GET /books/_search', { query: { term: { year: 'soon' } } })
    const { root_cause: causes, failed_shards: failed, ...error } = json.error
    expect(error).toEqual({
      type: 'search_phase_execution_exception',
      reason: 'all shards failed',
      phase: 'query',
      grouped: true,
    })
    expect(causes).toMatchObject([{ type: 'query_shard_exception', index: 'books' }])
    expect(failed).toHaveLength(1)
    expect(failed[0]).toMatchObject({ shard: 0, index: 'books', node: expect.any(String) })
    expect(JSON.stringify(failed)).not.toContain('null')
  })

  it('is whole whatever filter_path says, and pretty where asked', async () => {
    const { text } = await rest.call('GET /absent?filter_path=took&pretty')
    expect(text).toMatch(/^\{\n {2}"error" : \{\n {4}"root_cause" : \[\n/)
    expect(text.endsWith('"status" : 404\n}\n')).toBe(true)
  })

  it('tells where a body is no JSON, or no UTF-8', async () => {
    const head = Buffer.from('{"query":\n {"match":{"title":"')
    for (const bytes of [
      [0xc3, 0x28],
      [0xff],
      [0xed, 0xa0, 0x80],
      [0xf8, 0x88, 0x80, 0x80, 0x80],
    ]) {
      const body = Buffer.concat([head, Buffer.from(bytes), Buffer.from('"}}}')])
      const search = await rest.call('GET /books/_search', body)
      expect(search.json).toMatchObject({
        status: 400,
        error: { type: 'json_parse_exception', line: 2, reason: expect.stringMatching(/UTF-8/) },
      })
      const document = await rest.call('PUT /books/_doc/9', body)
      expect(document.json).toMatchObject({
        status: 400,
        error: { type: 'json_parse_exception', line: 2, reason: expect.stringMatching(/UTF-8/) },
      })
      expect(document.json.error).not.toHaveProperty('caused_by')
    }
    const item = Buffer.from('{"index":{"_id":"9"}}\n{"title":"\xff"}\n', 'latin1')
    const bulk = await rest.call('POST /books/_bulk', item)
    expect([bulk.status, bulk.json.errors]).toEqual([200, true])
    const { error } = bulk.json.items[0].index
    expect(error).toMatchObject({ type: 'json_parse_exception', line: 1, col: 11 })
    expect(error).not.toHaveProperty('caused_by')
    expect((await rest.call('HEAD /books/_doc/9')).status).toBe(404)
  })

  it('is a plain text for a body of a type that is not read there', async () => {
    const lines = { 'content-type': 'application/x-ndjson' }
    const search = await rest.call('GET /books/_search', '{}', lines)
    expect(search).toMatchObject({
      status: 406,
      json: { error: 'Content-Type header [application/x-ndjson] is not supported', status: 406 },
    })
    const type = { 'content-type': 'Application/JSON; charset=UTF-8' }
    expect((await rest.call('GET /books/_search', '{}', type)).status).toBe(200)
  })

  it('holds names of users as they are', async () => {
    const { json } = await rest.call('GET /books/_search?__proto__=1')
    expect(json.error.reason).toContain('unrecognized parameter: [__proto__]')
    const body = await rest.call('PUT /_cluster/settings', '{"__proto__":{"a":1}}')
    expect(body.json.error.reason).toContain('unknown field [__proto__]')
    const document = await rest.call('PUT /proto/_doc/__proto__', '{"__proto__":{"a":1}}')
    expect(document.status).toBe(201)
    const got = await rest.call('GET /proto/_doc/__proto__')
    expect(got.text).toContain('"_id":"__proto__"')
    expect(got.text).toContain('"_source":{"__proto__":{"a":1}}')
    await rest.call('DELETE /proto')
  })
})

describe('answers', () => {
  it('of writes have their keys in order and the place of what is new', async () => {
    const put = await rest.call('PUT /books/_doc/%C3%A4%2F1?routing=r%201', { year: 1 })
    expect(put.status).toBe(201)
    expect(put.headers['location']).toBe('/books/_doc/%C3%A4%2F1?routing=r%201')
    expect(Object.keys(put.json)).toEqual(
      '_index _id _version result _shards _seq_no _primary_term'.split(' '),
    )
    const got = await rest.call('GET /books/_doc/%C3%A4%2F1?routing=r%201')
    expect(Object.keys(got.json)).toEqual(
      '_index _id _version _seq_no _primary_term _routing found _source'.split(' '),
    )
    const gone = await rest.call('DELETE /books/_doc/%C3%A4%2F1?routing=r%201&refresh')
    expect([gone.status, gone.json.result, gone.json.forced_refresh]).toEqual([
      200,
      'deleted',
      true,
    ])
    const again = await rest.call('DELETE /books/_doc/%C3%A4%2F1?routing=r%201')
    expect([again.status, again.json.result]).toEqual([404, 'not_found'])
  })

  it('give a document back byte for byte, or the parts that were asked for', async () => {
    const source = '{ "title" : "caf\\u00e9" ,"year":1.0 , "n":9007199254740993}'
    await rest.call('PUT /bytes/_doc/1?refresh', source)
    expect((await rest.call('GET /bytes/_doc/1')).text).toContain(`"_source":${source}}`)
    expect((await rest.call('GET /bytes/_search')).text).toContain(`"_source":${source}}`)
    const part = await rest.call('GET /bytes/_doc/1?_source_includes=ti*')
    expect(part.json._source).toEqual({ title: 'café' })
    expect((await rest.call('GET /bytes/_doc/1?_source=false')).json._source).toBeUndefined()
    await rest.call('DELETE /bytes')
  })

  it('of a search keep the fraction of whole scores', async () => {
    const { text } = await rest.call('GET /books/_search?size=1')
    expect(text).toMatch(/"max_score":1\.0,"hits":\[\{"_index":"books","_id":"\d","_score":1\.0,/)
  })

  it('of a search take the options of the URL before those of the body', async () => {
    const { json } = await rest.call(
      'POST /books/_search?size=1&sort=year:desc&track_total_hits=3&_source=year',
      { size: 5, sort: ['year'], _source: false },
    )
    expect(json.hits.total).toEqual({ value: 3, relation: 'gte' })
    expect(json.hits.hits).toHaveLength(1)
    expect(json.hits.hits[0]).toMatchObject({ _source: { year: 2005 }, sort: [2005] })
  })

  it('of a search look only where routing leads', async () => {
    const { json } = await rest.call('GET /books/_search?routing=0&size=0')
    expect(json._shards.total).toBe(1)
    const all = await rest.call('GET /books/_count?routing=0,1,2,3,4,5')
    expect(all.json).toMatchObject({ count: 6, _shards: { total: 2 } })
  })

  it('of a bulk tell each item its own fate', async () => {
    const { status, json } = await rest.call(
      'PUT /_bulk',
      ndjson(
        { index: { _index: 'items', _id: '1' } },
        { n: 1 },
        { create: { _index: 'items', _id: '1' } },
        { n: 2 },
        { index: { _index: 'items', _id: '2' } },
        { n: 'text' },
        { update: { _index: 'items', _id: '1' } },
        { doc: { n: 3 } },
        { delete: { _index: 'items', _id: '1' } },
        { delete: { _index: 'items', _id: '1' } },
      ),
      { 'content-type': 'application/x-ndjson' },
    )
    expect(status).toBe(200)
    expect(Object.keys(json)).toEqual(['took', 'errors', 'items'])
    expect(json.errors).toBe(true)
    const items = json.items.map((item: object) => Object.entries(item)[0])
    expect(
      items.map(([action, item]: [string, { status: number }]) => [action, item.status]),
    ).toEqual([
      ['index', 201],
      ['create', 409],
      ['index', 400],
      ['update', 200],
      ['delete', 200],
      ['delete', 404],
    ])
    expect(Object.keys(items[1][1])).toEqual(['_index', '_id', 'status', 'error'])
    expect(items[1][1].error.type).toBe('version_conflict_engine_exception')
    expect(items[3][1].result).toBe('updated')
    await rest.call('DELETE /items')
  })

  it('show settings as text, nested or flat, with defaults and by name', async () => {
    const nested = await rest.call('GET /books/_settings')
    expect(nested.json.books.settings.index).toMatchObject({
      number_of_shards: '2',
      number_of_replicas: '0',
      provided_name: 'books',
      uuid: expect.stringMatching(/^[\w-]{22}$/),
      version: { created: expect.stringMatching(/^\d+$/) },
    })
    const flat = await rest.call('GET /books/_settings/index.number_of_*?flat_settings')
    expect(flat.json).toEqual({
      books: { settings: { 'index.number_of_replicas': '0', 'index.number_of_shards': '2' } },
    })
    const defaults = await rest.call('GET /books?include_defaults&flat_settings')
    expect(Object.keys(defaults.json.books)).toEqual([
      'aliases',
      'mappings',
      'settings',
      'defaults',
    ])
    expect(defaults.json.books.defaults['index.max_result_window']).toBe('10000')
    const human = await rest.call('GET /books?human')
    expect(human.json.books.settings.index.version.created_string).toBe('3.6.0')
  })

  it('of a delete by pattern obey the cluster', async () => {
    const key = 'action.destructive_requires_name'
    await rest.call('PUT /gone')
    await rest.call('PUT /_cluster/settings', { transient: { [key]: true } })
    for (const line of ['DELETE /gon*', 'DELETE /_all', 'DELETE /*']) {
      const { json } = await rest.call(line)
      expect(json.error.reason).toBe('Wildcard expressions or all indices are not allowed')
    }
    await rest.call('PUT /_cluster/settings', { transient: { [key]: null } })
    expect((await rest.call('DELETE /gon*')).json).toEqual({ acknowledged: true })
    expect((await rest.call('HEAD /gone')).status).toBe(404)
  })

  it('of health wait for what was asked, and no longer than allowed', async () => {
    const { json } = await rest.call('GET /_cluster/health/books?level=shards')
    expect(Object.keys(json).slice(0, 7)).toEqual([
      'cluster_name',
      'status',
      'timed_out',
      'number_of_nodes',
      'number_of_data_nodes',
      'discovered_master',
      'discovered_cluster_manager',
    ])
    expect(json.indices.books.shards['1']).toMatchObject({ status: 'green', primary_active: true })
    const human = await rest.call('GET /_cluster/health?human&filter_path=active_shards_percent*')
    expect(human.text).toBe(
      '{"active_shards_percent":"100.0%","active_shards_percent_as_number":100.0}',
    )
    const waits = rest.call('GET /_cluster/health/late?wait_for_status=yellow&timeout=20s')
    await rest.call('PUT /late')
    expect(await waits).toMatchObject({ status: 200, json: { status: 'yellow', timed_out: false } })
    const vain = await rest.call('GET /_cluster/health/late?wait_for_status=green&timeout=5ms')
    expect(vain).toMatchObject({ status: 408, json: { status: 'yellow', timed_out: true } })
    await rest.call('DELETE /late')
  })

  it('of _nodes show the node to whom it is meant', async () => {
    for (const filter of ['_local', '_all', 'lam*', 'rack:r7', 'rack:*', 'data:true'])
      expect((await rest.call(`GET /_nodes/${filter}/http`)).json._nodes.total, filter).toBe(1)
    expect((await rest.call('GET /_nodes/rack:r8')).json._nodes.total).toBe(0)
    const { json } = await rest.call('GET /_nodes/thread_pool,os')
    const [node] = Object.values(json.nodes) as Record<string, unknown>[]
    expect(node).toMatchObject({ attributes: { rack: 'r7' }, thread_pool: expect.anything() })
    expect(node!['jvm']).toBeUndefined()
  })

  it('of _stats count what was done', async () => {
    const { json } = await rest.call('GET /books/_stats/docs,indexing,search,get,segments')
    const { primaries } = json.indices.books
    expect(Object.keys(primaries)).toEqual(['docs', 'indexing', 'get', 'search', 'segments'])
    expect(primaries.docs.count).toBe(6)
    expect(primaries.indexing.index_total).toBeGreaterThanOrEqual(6)
    expect(primaries.search.query_total).toBeGreaterThan(0)
    expect(primaries.get.exists_total).toBeGreaterThan(0)
    expect(json._shards).toEqual({ total: 2, successful: 2, failed: 0 })
    const cluster = await rest.call('GET /_stats?level=cluster')
    expect(Object.keys(cluster.json)).toEqual(['_shards', '_all'])
  })

  it('of a forced merge warn of options that exclude each other', async () => {
    const { headers } = await rest.call(
      'POST /books/_forcemerge?max_num_segments=1&only_expunge_deletes',
    )
    expect(headers['warning']).toMatch(
      /^299 OpenSearch-3\.6\.0-\S+ "setting only_expunge_deletes and max_num_segments at the same/,
    )
  })

  it('of a cancelled search say so', async () => {
    const body = Buffer.from('{"query":{"match":{"title":"tides"}}}')
    const { status, body: bytes } = await rest.dispatcher.dispatch({
      method: 'POST',
      path: '/books/_search',
      headers: { 'content-type': 'application/json' },
      body,
      signal: AbortSignal.abort(),
    })
    expect(status).toBe(429)
    expect(JSON.parse(Buffer.from(bytes).toString()).error.type).toBe('task_cancelled_exception')
  })

  it('echo a clean opaque id', async () => {
    const { headers } = await rest.call('GET /', undefined, { 'x-opaque-id': 'a\r\nb: é' })
    expect(headers['x-opaque-id']).toBe('ab: ')
  })
})
