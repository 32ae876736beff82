import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { failureOf, openRest, type Rest } from '../support/rest-calls.ts'
import { tempFolder } from '../support/temp-folder.ts'

const path = tempFolder('versions')
let rest: Rest
beforeAll(async () => {
  rest = await openRest()
})
afterAll(() => rest.close())
beforeEach(() => rest.call('DELETE /*'))

const failure = failureOf(() => rest)
const bulk = (lines: readonly object[], query = '') =>
  rest.call(`POST /i/_bulk${query}`, lines.map(line => `${JSON.stringify(line)}\n`).join(''))
const VALIDATION = 'action_request_validation_exception'
const CONFLICT = 'version_conflict_engine_exception'

/** A clock in nanoseconds. */
const NANOS = '1764547200123456789'

describe('a version of 64 bits', () => {
  it('is kept to the digit, in the log, in segments and in every answer', async () => {
    const put = await rest.call(`PUT /i/_doc/1?version=${NANOS}&version_type=external`, { a: 1 })
    expect(put.text).toContain(`"_version":${NANOS}`)
    expect((await rest.call('GET /i/_doc/1')).text).toContain(`"_version":${NANOS}`)
    await rest.call('POST /i/_refresh')
    expect((await rest.call('GET /i/_doc/1')).text).toContain(`"_version":${NANOS}`)
    const search = await rest.call('POST /i/_search', { version: true })
    expect(search.text).toContain(`"_version":${NANOS}`)
    const mget = await rest.call('POST /i/_mget', {
      docs: [{ _id: '1', version: 5 }, { _id: '1' }],
    })
    expect(mget.text).toContain(`current version [${NANOS}] is different than the one provided [5]`)
  })

  it('is compared to the digit', async () => {
    await rest.call(`PUT /i/_doc/1?version=${NANOS}&version_type=external`, { a: 1 })
    const again = `PUT /i/_doc/1?version=${NANOS}&version_type=external`
    expect(await failure(again, { a: 2 })).toEqual([
      409,
      CONFLICT,
      `[1]: version conflict, current version [${NANOS}] is higher or equal to the one provided [${NANOS}]`,
    ])
    const before = '1764547200123456788'
    expect(
      await failure(`PUT /i/_doc/1?version=${before}&version_type=external_gte`, { a: 2 }),
    ).toEqual([
      409,
      CONFLICT,
      `[1]: version conflict, current version [${NANOS}] is higher than the one provided [${before}]`,
    ])
    const same = await rest.call(`PUT /i/_doc/1?version=${NANOS}&version_type=external_gte`, {})
    expect(same.status).toBe(200)
    const next = await rest.call('PUT /i/_doc/1', { a: 3 })
    expect(next.text).toContain('"_version":1764547200123456790')
  })

  it('comes in bulks, as a number or as a text', async () => {
    const lines = `{"index":{"_id":"1","version":${NANOS},"version_type":"external"}}\n{}\n{"index":{"_id":"2","version":"${NANOS}","version_type":"external_gte"}}\n{}\n`
    const { json, text } = await rest.call('POST /i/_bulk', lines)
    expect(json.errors).toBe(false)
    expect(text.match(new RegExp(`"_version":${NANOS}`, 'g'))).toHaveLength(2)
  })

  it('rises to the last one, and then no further', async () => {
    await rest.call('PUT /i/_doc/1?version=9223372036854775806&version_type=external', {})
    const last = await rest.call('PUT /i/_doc/1', {})
    expect(last.text).toContain('"_version":9223372036854775807')
    expect(await failure('PUT /i/_doc/1', {})).toEqual([
      400,
      'illegal_argument_exception',
      '[1]: the version is the highest there is: no write can raise it, index the document under another id',
    ])
  })

  it('is refused where it is no long', async () => {
    expect(
      await failure('PUT /i/_doc/1?version=9223372036854775808&version_type=external', {}),
    ).toEqual([
      400,
      'illegal_argument_exception',
      'Failed to parse long parameter [version] with value [9223372036854775808]',
    ])
  })

  it('survives a restart, from the log and from segments', async () => {
    let durable = await openRest({}, path)
    await durable.call(`PUT /i/_doc/1?version=${NANOS}&version_type=external`, {})
    await durable.call('POST /i/_flush')
    await durable.call(`PUT /i/_doc/2?version=${NANOS}&version_type=external`, {})
    await durable.close()
    durable = await openRest({}, path)
    for (const id of [1, 2])
      expect((await durable.call(`GET /i/_doc/${id}`)).text).toContain(`"_version":${NANOS}`)
    await durable.close()
  })
})

describe('sequence numbers of 64 bits', () => {
  it('that no document has are a conflict, not an error', async () => {
    await rest.call('PUT /i/_doc/1', {})
    expect(await failure(`PUT /i/_doc/1?if_seq_no=${NANOS}&if_primary_term=${NANOS}`, {})).toEqual([
      409,
      CONFLICT,
      `[1]: version conflict, required seqNo [${NANOS}], primary term [${NANOS}]. current document has seqNo [0] and primary term [1]`,
    ])
    expect(
      await failure('POST /i/_update/1', `{"doc":{},"if_seq_no":${NANOS},"if_primary_term":1}`),
    ).toEqual([409, CONFLICT, expect.stringContaining(`required seqNo [${NANOS}]`)])
  })
})

/** What a single write is refused with, and the same write in a bulk. */
const REFUSALS: readonly [string, object, string][] = [
  [
    'PUT /i/_create/1?version=3&version_type=external',
    { create: { _id: '1', version: 3, version_type: 'external' } },
    '1: create operations only support internal versioning. use index instead;',
  ],
  [
    'PUT /i/_create/1?version=3',
    { create: { _id: '1', version: 3 } },
    '1: create operations do not support explicit versions. use index instead;',
  ],
  [
    'PUT /i/_create/1?if_seq_no=1&if_primary_term=1',
    { create: { _id: '1', if_seq_no: 1, if_primary_term: 1 } },
    '1: create operations do not support compare and set. use index instead;',
  ],
  [
    'PUT /i/_doc/1?version=3',
    { index: { _id: '1', version: 3 } },
    '1: internal versioning can not be used for optimistic concurrency control. Please use `if_seq_no` and `if_primary_term` instead;',
  ],
  [
    'PUT /i/_doc/1?version=0',
    { index: { _id: '1', version: 0 } },
    '1: illegal version value [0] for version type [INTERNAL];2: internal versioning can not be used for optimistic concurrency control. Please use `if_seq_no` and `if_primary_term` instead;',
  ],
  [
    'PUT /i/_doc/1?version=-1&version_type=external',
    { index: { _id: '1', version: -1, version_type: 'external' } },
    '1: illegal version value [-1] for version type [EXTERNAL];',
  ],
  [
    'PUT /i/_doc/1?version_type=external_gte',
    { index: { _id: '1', version_type: 'external_gte' } },
    '1: illegal version value [-3] for version type [EXTERNAL_GTE];',
  ],
  [
    'PUT /i/_doc/1?version=4&version_type=external&if_seq_no=1&if_primary_term=1',
    { index: { _id: '1', version: 4, version_type: 'external', if_seq_no: 1, if_primary_term: 1 } },
    '1: compare and write operations can not use versioning;',
  ],
  [
    'PUT /i/_doc/1?if_seq_no=1',
    { index: { _id: '1', if_seq_no: 1 } },
    '1: ifSeqNo is set, but primary term is [0];',
  ],
  [
    'PUT /i/_doc/1?if_primary_term=2',
    { index: { _id: '1', if_primary_term: 2 } },
    '1: ifSeqNo is unassigned, but primary term is [2];',
  ],
  [
    'PUT /i/_doc/1?version=4&version_type=force',
    { index: { _id: '1', version: 4, version_type: 'force' } },
    '1: version type [force] may no longer be used;',
  ],
]

describe('a write and the same one in a bulk', () => {
  it.each(REFUSALS)('refuse %s', async (line, action, faults) => {
    const reason = `Validation Failed: ${faults}`
    expect(await failure(line, {})).toEqual([400, VALIDATION, reason])
    const { status, json } = await bulk([action, {}])
    expect([status, json.error.type, json.error.reason]).toEqual([400, VALIDATION, reason])
    expect((await rest.call('HEAD /i')).status).toBe(404)
  })

  it.each([
    [
      'if_seq_no=-1&if_primary_term=1',
      { if_seq_no: -1, if_primary_term: 1 },
      'sequence numbers must be non negative. got [-1].',
    ],
    [
      'if_seq_no=1&if_primary_term=-1',
      { if_seq_no: 1, if_primary_term: -1 },
      'primary term must be non negative. got [-1]',
    ],
    ['version=1&version_type=x', { version: 1, version_type: 'x' }, 'No version type match [x]'],
  ])('refuse %s', async (query, metadata, reason) => {
    const expected = [400, 'illegal_argument_exception', reason]
    expect(await failure(`PUT /i/_doc/1?${query}`, {})).toEqual(expected)
    const { status, json } = await bulk([{ index: { _id: '1', ...metadata } }, {}])
    expect([status, json.error.type, json.error.reason]).toEqual(expected)
  })

  it('need an id for a version', async () => {
    const { json } = await bulk([{ index: { version: 3, version_type: 'external' } }, {}])
    expect(json.error.reason).toBe(
      'Validation Failed: 1: an id must be provided if version type or value are set;',
    )
  })

  it('tell all faults of all lines at once', async () => {
    const { json } = await bulk([
      { index: { _id: '1', if_seq_no: 1 } },
      {},
      { update: { _id: '2', retry_on_conflict: 2, if_seq_no: 1, if_primary_term: 1 } },
      { doc: {}, doc_as_upsert: true },
      { update: { _id: '3' } },
      {},
      { delete: { _id: '4', version: 1 } },
    ])
    expect(json.error.reason).toBe(
      'Validation Failed: 1: ifSeqNo is set, but primary term is [0];' +
        '2: compare and write operations can not be retried;' +
        '3: compare and write operations can not be used with upsert;' +
        '4: script or doc is missing;' +
        '5: internal versioning can not be used for optimistic concurrency control. ' +
        'Please use `if_seq_no` and `if_primary_term` instead;',
    )
  })
})

describe('a create', () => {
  it('is no other write', async () => {
    expect(await failure('PUT /i/_create/1?op_type=index', {})).toEqual([
      400,
      'illegal_argument_exception',
      "opType must be 'create', found: [index]",
    ])
    expect((await rest.call('PUT /i/_create/1?op_type=CREATE', {})).status).toBe(201)
  })
})

describe('a get', () => {
  it.each(['GET /i/_doc/1?version=0', 'GET /i/_doc/1?version=-1&version_type=external'])(
    'refuses %s',
    async line => {
      await rest.call('PUT /i/_doc/1', {})
      const [, version, type] = /version=(-?\d)(?:&version_type=(.*))?/.exec(line)!
      expect(await failure(line)).toEqual([
        400,
        VALIDATION,
        `Validation Failed: 1: illegal version value [${version}] for version type [${(type ?? 'internal').toUpperCase()}];`,
      ])
    },
  )
})

describe('a delete of a missing index', () => {
  it('finds none and creates none', async () => {
    expect(await failure('DELETE /gone/_doc/1')).toEqual([
      404,
      'index_not_found_exception',
      'no such index [gone]',
    ])
    expect((await rest.call('HEAD /gone')).status).toBe(404)
  })

  it('with an external version creates it: the version holds back older writes', async () => {
    const gone = await rest.call('DELETE /i/_doc/1?version=7&version_type=external')
    expect([gone.status, gone.json.result, gone.json._version]).toEqual([404, 'not_found', 7])
    const late = await rest.call('PUT /i/_doc/1?version=6&version_type=external', {})
    expect(late.status).toBe(409)
  })

  it('in a bulk fails by itself, unless another line creates the index', async () => {
    const alone = await bulk([{ delete: { _id: '1' } }])
    expect(alone.json.items[0].delete.error.reason).toBe('no such index [i]')
    expect((await rest.call('HEAD /i')).status).toBe(404)
    const { json } = await bulk([{ delete: { _id: '1' } }, { index: { _id: '1' } }, { a: 1 }])
    const [gone, made] = json.items
    expect([gone.delete.status, gone.delete.result]).toEqual([404, 'not_found'])
    expect([made.index.status, made.index._version]).toEqual([201, 2])
  })
})

describe('a write that waits for a refresh', () => {
  it('waits for one that is called where the index makes none by itself', async () => {
    await rest.call('PUT /i', { settings: { refresh_interval: '-1' } })
    let isDone = false
    const write = rest.call('PUT /i/_doc/1?refresh=wait_for', {}).then(answer => {
      isDone = true
      return answer
    })
    // Writes to another index, each of which the scheduler lets go when it looks at its list.
    await rest.call('PUT /j', { settings: { refresh_interval: '1ms' } })
    for (let i = 0; i < 3; i++) await rest.call('POST /j/_doc?refresh=wait_for', {})
    expect(isDone).toBe(false)
    await rest.call('POST /i/_refresh')
    expect((await write).json).not.toHaveProperty('forced_refresh')
    expect((await rest.call('GET /i/_count')).json.count).toBe(1)
  })

  it('is let go by an interval that is set meanwhile', async () => {
    await rest.call('PUT /i', { settings: { refresh_interval: '-1' } })
    const write = rest.call('PUT /i/_doc/1?refresh=wait_for', {})
    await rest.call('PUT /i/_settings', { index: { refresh_interval: '50ms' } })
    expect((await write).status).toBe(201)
  })
})
