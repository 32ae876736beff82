/** Error texts of the contract that no other test quotes. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openRest, type Rest } from '../support/rest-calls.ts'

let rest: Rest
beforeAll(async () => {
  rest = await openRest()
})
afterAll(() => rest.close())
beforeEach(async () => {
  await rest.call('DELETE /_data_stream/*')
  await rest.call('DELETE /*?expand_wildcards=all')
  await rest.call('DELETE /_index_template/*')
})

const ILLEGAL = 'illegal_argument_exception'
const VALIDATION = 'action_request_validation_exception'

/** Holds a call to its status, its error's type and its whole reason. */
async function refuses(
  line: string,
  body: object | string | undefined,
  expected: readonly [status: number, type: string, reason: string],
): Promise<void> {
  const { status, json } = await rest.call(line, body)
  expect([status, json.error?.type, json.error?.reason]).toEqual(expected)
}

describe('names', () => {
  it('of nothing, where there is no index at all', () =>
    refuses('GET /_all/_settings?allow_no_indices=false', undefined, [
      404,
      'index_not_found_exception',
      'no such index [null] and no indices exist',
    ]))

  it.each([
    ['with a blank', 'a b', 'name must not contain a space'],
    ['with capitals', 'Ab', 'name must be lower cased'],
  ])('of index templates %s', (_what, name, reason) =>
    refuses(`PUT /_index_template/${encodeURIComponent(name)}`, { index_patterns: ['x'] }, [
      400,
      'invalid_index_template_exception',
      `index_template [${name}] invalid, cause [Validation Failed: 1: ${reason};]`,
    ]),
  )
})

describe('documents', () => {
  it('that wait for more copies than there are', () =>
    refuses('PUT /i/_doc/1?wait_for_active_shards=2&timeout=1ms', {}, [
      503,
      'unavailable_shards_exception',
      '[i][0] Not enough active copies to meet shard count of [2] (have 1, needed 2). Timeout: [1ms], request: [BulkShardRequest [[i][0]] containing [index {[i][1], source[{}]}]]',
    ]))

  it('with ids that are too long', () =>
    refuses(`PUT /i/_doc/${'x'.repeat(513)}`, {}, [
      400,
      VALIDATION,
      `Validation Failed: 1: id [${'x'.repeat(513)}] is too long, must be no longer than 512 bytes but was: 513;`,
    ]))

  it('with an empty pipeline', () =>
    refuses('PUT /i/_doc/1?pipeline=', {}, [
      400,
      VALIDATION,
      'Validation Failed: 1: pipeline cannot be an empty string;',
    ]))

  it('that are compared with one that is not there', async () => {
    await rest.call('PUT /i')
    await refuses('PUT /i/_doc/1?if_seq_no=1&if_primary_term=1', {}, [
      409,
      'version_conflict_engine_exception',
      '[1]: version conflict, required seqNo [1], primary term [1]. but no document was found',
    ])
  })

  it('that are updated without their source', async () => {
    await rest.call('PUT /i', { mappings: { _source: { enabled: false } } })
    await rest.call('PUT /i/_doc/1?refresh=true', { a: 1 })
    await refuses('POST /i/_update/1', { doc: {} }, [
      400,
      'document_source_missing_exception',
      '[1]: document source missing',
    ])
  })
})

describe('bulks', () => {
  it('with an empty id fail for that item alone', async () => {
    const { json } = await rest.call('POST /i/_bulk', '{"index":{"_id":""}}\n{}\n')
    expect(json.items[0].index.error).toMatchObject({
      type: ILLEGAL,
      reason: 'if _id is specified it must not be empty',
    })
  })

  it.each([
    [
      '{"put":{}}\n{}\n',
      ILLEGAL,
      'Malformed action/metadata line [1], expected field [create], [delete], [index] or [update] but found [put]',
    ],
    ['\n', VALIDATION, 'Validation Failed: 1: no requests added;'],
  ])('of the lines %j', (body, type, reason) => refuses('POST /i/_bulk', body, [400, type, reason]))
})

describe('indices', () => {
  it('with mappings below a type', () =>
    refuses('PUT /i', { mappings: { _doc: { properties: {} } } }, [
      400,
      ILLEGAL,
      'The mapping definition cannot be nested under a type [_doc] unless include_type_name is set to true.',
    ]))

  it.each([
    [
      { 'soft_deletes.enabled': false },
      'Creating indices with soft-deletes disabled is no longer supported. Please do not specify a value for setting [index.soft_deletes.enabled].',
    ],
    [
      { number_of_shards: 4, number_of_routing_shards: 2 },
      'index.number_of_routing_shards [2] must be >= index.number_of_shards [4]',
    ],
    [
      { number_of_search_replicas: 1 },
      'To set index.number_of_search_replicas, index.remote_store.enabled must be set to true',
    ],
  ])('with the settings %j', (settings, reason) =>
    refuses('PUT /i', { settings }, [400, ILLEGAL, reason]),
  )

  it('warn of forced merges that ask for two things', async () => {
    await rest.call('PUT /i')
    const { headers } = await rest.call(
      'POST /i/_forcemerge?max_num_segments=1&only_expunge_deletes=true',
    )
    expect(headers['warning']).toContain(
      'setting only_expunge_deletes and max_num_segments at the same time is deprecated and will be rejected in a future version',
    )
  })

  it('with names that count no rollovers', async () => {
    await rest.call('PUT /i', { aliases: { a: {} } })
    await refuses('POST /a/_rollover', undefined, [
      400,
      ILLEGAL,
      "index name [i] does not match pattern '^.*-\\d+$'",
    ])
  })

  it('of data streams that are written to', async () => {
    await rest.call('PUT /_index_template/t', { index_patterns: ['s'], data_stream: {} })
    await rest.call('PUT /_data_stream/s')
    const index = '.ds-s-000001'
    await rest.call(`PUT /${index}/_settings`, { 'index.blocks.write': true })
    await refuses(`PUT /${index}/_clone/other`, undefined, [
      400,
      ILLEGAL,
      `cannot resize the write index [${index}] for data stream [s]`,
    ])
  })
})

/** A query that a field refuses: the reason of its shard's failure. */
async function failedQuery(query: object): Promise<string> {
  const { json } = await rest.call('POST /i/_search', { query })
  const { error } = json
  return error?.root_cause?.[0]?.reason ?? ''
}

describe('queries', () => {
  const properties = {
    t: { type: 'text' },
    n: { type: 'integer' },
    d: { type: 'date' },
    ip: { type: 'ip' },
    r: { type: 'rank_feature' },
  }
  beforeEach(() => rest.call('PUT /i', { mappings: { properties } }))

  it.each([
    [
      { prefix: { n: '1' } },
      'Can only use prefix queries on keyword, text and wildcard fields - not on [n] which is of type [integer]',
    ],
    [{ term: { n: 'x' } }, 'For input string: "x"'],
    [{ term: { ip: 'x' } }, "'x' is not an IP string literal."],
  ])('as %j', async (query, reason) => {
    expect(await failedQuery(query)).toContain(reason)
  })

  it.each([
    [
      't',
      'Text fields are not optimised for operations that require per-document field data like aggregations and sorting, so these operations are disabled by default. Please use a keyword field instead. Alternatively, set fielddata=true on [t] in order to load field data by uninverting the inverted index. Note that this can use significant memory.',
    ],
    ['r', '[rank_feature] fields do not support sorting, scripting or aggregating'],
  ])('that sort by %s', async (field, reason) => {
    const { status, json } = await rest.call('POST /i/_search', { sort: [field] })
    expect([status, json.error.root_cause[0].reason]).toEqual([400, reason])
  })
})
