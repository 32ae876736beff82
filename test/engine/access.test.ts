import { afterAll, beforeAll, expect, it } from 'vitest'
import type { BulkCall } from '../../src/engine/api/documents.ts'
import type { EngineApi } from '../../src/engine/api/engine-api.ts'
import type { Access } from '../../src/task/access.ts'
import type { Action } from '../../src/task/actions.ts'
import { type CallContext, trusted } from '../../src/task/call-context.ts'
import { encodeUtf8 } from '../../src/util/bytes.ts'
import { parseJsonTree } from '../../src/util/json/json-tree.ts'
import { bulk, createIndex, engineWith, targetOf } from '../support/engine-calls.ts'

let engine: EngineApi
beforeAll(async () => {
  engine = await engineWith(null)
  for (const name of ['open', 'secret']) {
    await createIndex(engine, name)
    await bulk(engine, name, [{ index: { _id: '1' } }, { n: 1 }], 'true')
  }
})
afterAll(() => engine.close())

/** What an access was asked. */
const asked: (readonly [Action, readonly string[]])[] = []
/** Denies the index `secret`, and names that begin with it. */
const DENYING: Access = {
  decide(action, targets) {
    asked.push([action, targets])
    const denied = targets.filter(name => name.startsWith('secret'))
    return { isAllowed: denied.length === 0, denied, passesOthers: false }
  },
  restrictionsOf: () => null,
  hasDecided: true,
}

/** Makes a call in the name of a user who may not touch `secret`. */
async function asUser<T>(action: Action, call: (context: CallContext) => Promise<T>): Promise<T> {
  const who = {
    principal: { name: 'ann', backendRoles: [], requestedTenant: null },
    access: DENYING,
    opaqueId: null,
  }
  const parts = { action, ...who, changeTimeoutInMillis: 30_000 }
  return await engine.tasks.serve(parts, call)
}

const BULK: Omit<BulkCall, 'body'> = {
  index: null,
  routing: null,
  refresh: 'true',
  requireAlias: false,
  source: null,
  waitForActiveShards: null,
  timeoutInMillis: 30_000,
}
const GET = {
  id: '1',
  routing: null,
  realtime: true,
  refresh: false,
  version: null,
  versionType: 'internal',
  storedFields: null,
  source: { enabled: true, includes: [], excludes: [] },
} as const
const MAPPING = parseJsonTree(encodeUtf8('{"properties":{"k":{"type":"keyword"}}}'))
const searchCall = (...names: string[]) => ({
  target: targetOf(...names),
  body: null,
  options: {},
  human: false,
})

type Call = readonly [Action, (index: string, context: CallContext) => Promise<unknown>]
const CALLS: readonly Call[] = [
  ['indices:data/read/search', (i, context) => engine.searches.search(searchCall(i), context)],
  ['indices:data/read/search', (i, context) => engine.searches.count(searchCall(i), context)],
  ['indices:data/read/get', (i, context) => engine.documents.get({ ...GET, index: i }, context)],
  [
    'indices:admin/mapping/put',
    (i, context) => engine.indices.putMapping(targetOf(i), MAPPING, context),
  ],
  ['indices:admin/get', (i, context) => engine.indices.show(targetOf(i), context)],
  ['indices:monitor/stats', (i, context) => engine.cluster.stats(targetOf(i), true, context)],
  ['indices:admin/refresh', (i, context) => engine.indices.refresh(targetOf(i), context)],
]

it.each(CALLS)(
  'asks of %s where its indices are found, by name and by pattern',
  async (action, call) => {
    const refused = {
      record: {
        type: 'security_exception',
        reason: `no permissions for [${action}] and User [name=ann, backend_roles=[], requestedTenant=null]`,
      },
    }
    asked.length = 0
    await asUser(action, context => call('open', context))
    await expect(asUser(action, context => call('secret', context))).rejects.toMatchObject(refused)
    expect(asked).toEqual([
      [action, ['open']],
      [action, ['secret']],
    ])
    if (action === 'indices:data/read/get') return
    await expect(asUser(action, context => call('*', context))).rejects.toMatchObject(refused)
    expect(asked.at(-1)).toEqual([action, ['open', 'secret']])
  },
)

it('refuses a bulk item by item, and leaves the others alone', async () => {
  const lines = [
    { index: { _index: 'open', _id: '2' } },
    { n: 2 },
    { index: { _index: 'secret', _id: '2' } },
    { n: 2 },
    { delete: { _index: 'secret', _id: '1' } },
    { create: { _index: 'secret-new', _id: '1' } },
    { n: 2 },
  ]
  const body = encodeUtf8(lines.map(line => `${JSON.stringify(line)}\n`).join(''))
  const { items } = await asUser('indices:data/write/bulk', context =>
    engine.documents.bulk({ ...BULK, body }, context),
  )
  expect(items.map(item => ('error' in item ? String(item.error) : item.outcome.result))).toEqual([
    'created',
    expect.stringContaining('no permissions for [indices:data/write/index]'),
    expect.stringContaining('no permissions for [indices:data/write/delete]'),
    expect.stringContaining('no permissions for [indices:data/write/index]'),
  ])
  const shown = await engine.indices.show(targetOf('secret*'), trusted('indices:admin/get'))
  expect(shown.map(({ name }) => name)).toEqual(['secret'])
  expect(shown[0]!.mappings).not.toHaveProperty('k')
  const { count } = await engine.searches.count(
    searchCall('secret'),
    trusted('indices:data/read/search'),
  )
  expect(count).toBe(1)
})

it('does not tell a user without permission whether an index is there', async () => {
  const call = (context: CallContext) => engine.searches.search(searchCall('secret-none'), context)
  await expect(asUser('indices:data/read/search', call)).rejects.toMatchObject({
    type: 'security_exception',
  })
})

it('creates nothing that the user may not create', async () => {
  const create = {
    name: 'secret2',
    settings: new Map(),
    mappings: null,
    aliases: null,
    waitForActiveShards: null,
    timeoutInMillis: 30_000,
  }
  await expect(
    asUser('indices:admin/create', context => engine.indices.create(create, context)),
  ).rejects.toMatchObject({ type: 'security_exception' })
  expect(await engine.indices.show(targetOf('secret2*'), trusted('indices:admin/get'))).toEqual([])
})
