import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openRest, type Rest } from '../support/rest-calls.ts'

const READ_ONLY = 'FORBIDDEN/5/index read-only (api)'
const READ = 'FORBIDDEN/7/index read (api)'
const WRITE = 'FORBIDDEN/8/index write (api)'
const METADATA = 'FORBIDDEN/9/index metadata (api)'
const FLOOD =
  'TOO_MANY_REQUESTS/12/disk usage exceeded flood-stage watermark, index has read-only-allow-delete block'

/** Calls by the level at which a block refuses them. */
const CALLS = {
  read: ['GET /i/_doc/1', 'GET /i/_search', 'GET /i/_count', 'GET /i/_analyze'],
  write: ['PUT /i/_doc/1', 'POST /i/_doc', 'DELETE /i/_doc/1'],
  metadataRead: ['GET /i', 'GET /i/_settings', 'GET /i/_mapping', 'GET /i/_stats'],
  metadataWrite: [
    'PUT /i/_mapping',
    'POST /i/_close',
    'POST /i/_open',
    'POST /i/_forcemerge',
    'PUT /i/_settings',
  ],
  release: ['DELETE /i'],
  free: ['POST /i/_refresh', 'POST /i/_flush', 'GET /_cluster/health/i'],
} as const

const BODIES: Readonly<Record<string, object>> = {
  'GET /i/_analyze': { text: 'a' },
  'PUT /i/_doc/1': { n: 1 },
  'POST /i/_doc': { n: 1 },
  'PUT /i/_mapping': { properties: { n: { type: 'long' } } },
  'PUT /i/_settings': { index: { refresh_interval: '2s' } },
}

type Level = keyof typeof CALLS

let rest: Rest
beforeAll(async () => {
  rest = await openRest()
})
afterAll(() => rest.close())

/** Makes the index anew, with one document and the settings of some blocks. */
const withBlocks = async (blocks: object): Promise<void> => {
  await rest.call('PUT /i/_settings', { index: { blocks: { read_only: null, metadata: null } } })
  await rest.call('DELETE /i')
  await rest.call('PUT /i/_doc/1?refresh', { n: 1 })
  if (Object.keys(blocks).length === 0) return
  const { json } = await rest.call('PUT /i/_settings', { index: { blocks } })
  expect(json).toEqual({ acknowledged: true })
}

const outcome = async (line: string): Promise<readonly [string, number, string | undefined]> => {
  const { status, json } = await rest.call(line, BODIES[line])
  return [line, status, json?.error?.reason]
}

describe('a block of an index', () => {
  it.each<[string, string, number, readonly Level[]]>([
    ['read_only', READ_ONLY, 403, ['write', 'metadataWrite', 'release']],
    ['read', READ, 403, ['read']],
    ['write', WRITE, 403, ['write']],
    ['metadata', METADATA, 403, ['metadataRead', 'metadataWrite', 'release']],
    ['read_only_allow_delete', FLOOD, 429, ['write', 'metadataWrite']],
  ])('%s refuses the actions of its levels, and no other', async (name, text, status, levels) => {
    for (const level of Object.keys(CALLS) as Level[])
      for (const line of CALLS[level]) {
        await withBlocks({ [name]: true })
        const [, found, reason] = await outcome(line)
        if (levels.includes(level))
          expect([line, found, reason]).toEqual([line, status, `index [i] blocked by: [${text}];`])
        else expect([line, found]).toEqual([line, expect.toBeOneOf([200, 201])])
      }
  })

  it('is told with the others that refuse the same action', async () => {
    await withBlocks({ read_only: true, write: true, read_only_allow_delete: true })
    expect(await outcome('PUT /i/_doc/1')).toEqual([
      'PUT /i/_doc/1',
      403,
      `index [i] blocked by: [${READ_ONLY}, ${WRITE}, ${FLOOD}];`,
    ])
  })

  it('fails the items of a bulk alone', async () => {
    await withBlocks({ write: true })
    const { status, json } = await rest.call(
      'POST /_bulk',
      '{"index":{"_index":"i","_id":"1"}}\n{}\n{"index":{"_index":"other","_id":"1"}}\n{}\n',
    )
    expect([status, json.errors]).toEqual([200, true])
    expect(json.items[0].index).toMatchObject({
      status: 403,
      error: { type: 'cluster_block_exception', reason: `index [i] blocked by: [${WRITE}];` },
    })
    expect(json.items[1].index.status).toBe(201)
  })

  it('can be lifted while it holds, but no other setting changed with it', async () => {
    await withBlocks({ read_only: true })
    const both = { index: { blocks: { read_only: null }, refresh_interval: '2s' } }
    expect((await rest.call('PUT /i/_settings', both)).status).toBe(403)
    const lifted = await rest.call('PUT /i/_settings', { index: { blocks: { read_only: null } } })
    expect(lifted.status).toBe(200)
    expect((await rest.call('PUT /i/_doc/1', { n: 2 })).status).toBe(200)
  })
})

describe('PUT /{index}/_block/{block}', () => {
  beforeEach(() => withBlocks({}))

  it('adds a block', async () => {
    const { status, json } = await rest.call('PUT /i/_block/write')
    expect([status, json]).toEqual([
      200,
      {
        acknowledged: true,
        shards_acknowledged: true,
        indices: [{ name: 'i', blocked: true }],
      },
    ])
    expect((await outcome('PUT /i/_doc/1')).slice(1)).toEqual([
      403,
      `index [i] blocked by: [${WRITE}];`,
    ])
  })

  it('refuses names of no block, a missing index, and what another block refuses', async () => {
    expect((await rest.call('PUT /i/_block/odd')).json.error).toMatchObject({
      type: 'illegal_argument_exception',
      reason: 'No block found with name odd',
    })
    expect((await rest.call('PUT /i/_block/read_only_allow_delete')).json.error.reason).toBe(
      'Validation Failed: 1: read_only_allow_delete block is for internal use only;',
    )
    expect((await rest.call('PUT /missing/_block/write')).json.error.reason).toBe(
      'no such index [missing]',
    )
    await rest.call('PUT /i/_block/metadata')
    expect((await rest.call('PUT /i/_block/write')).json.error.reason).toBe(
      `index [i] blocked by: [${METADATA}];`,
    )
    expect((await rest.call('PUT /i/_block/read_only')).status).toBe(200)
  })
})

describe('a block of the cluster', () => {
  const put = (settings: object) =>
    rest.call('PUT /_cluster/settings', { transient: { cluster: settings } })

  it.each<[string, string, readonly Level[]]>([
    ['read_only', 'FORBIDDEN/6/cluster read-only (api)', ['write', 'metadataWrite', 'release']],
    [
      'read_only_allow_delete',
      'FORBIDDEN/13/cluster read-only / allow delete (api)',
      ['write', 'metadataWrite'],
    ],
  ])('%s refuses the actions of its levels on every index', async (name, text, levels) => {
    for (const level of Object.keys(CALLS) as Level[])
      for (const line of CALLS[level]) {
        await withBlocks({})
        expect((await put({ blocks: { [name]: true } })).status).toBe(200)
        const [, found, reason] = await outcome(line)
        const other = await put({ max_shards_per_node: 1000 })
        expect([other.status, other.json.error?.reason]).toEqual([403, `blocked by: [${text}];`])
        expect((await put({ blocks: { [name]: null } })).status).toBe(200)
        if (levels.includes(level))
          expect([line, found, reason]).toEqual([line, 403, `blocked by: [${text}];`])
        else expect([line, found]).toEqual([line, expect.toBeOneOf([200, 201])])
      }
  })

  it('create_index refuses new indices, made by name or by a first write', async () => {
    await withBlocks({})
    await put({ blocks: { create_index: true } })
    const refused = [403, 'blocked by: [FORBIDDEN/10/cluster create-index blocked (api)];']
    const named = await rest.call('PUT /fresh')
    expect([named.status, named.json.error.reason]).toEqual(refused)
    const written = await rest.call('PUT /fresh/_doc/1', {})
    expect([written.status, written.json.error.reason]).toEqual(refused)
    expect((await rest.call('PUT /i/_doc/1', {})).status).toBe(200)
    expect((await rest.call('HEAD /fresh')).status).toBe(404)
    await put({ blocks: { create_index: null } })
  })
})
