import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openRest, type Rest } from '../../support/rest-calls.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const DISK = 'cluster.routing.allocation.disk'
const FLOODED =
  'index [a] blocked by: [TOO_MANY_REQUESTS/12/disk usage exceeded flood-stage watermark, index has read-only-allow-delete block];'

let rest: Rest
/** Free space of a disk of 1,000 bytes. */
let free: number
const diskUsage = () => ({ totalInBytes: 1000, freeInBytes: free, availableInBytes: free })

beforeEach(async () => {
  free = 500
  rest = await openRest({}, null, { diskUsage })
  await ok('PUT /a')
  await ok('PUT /b')
  await ok('POST /b/_close')
})
afterEach(() => rest.close())

const ok = async (line: string, body?: object | string) => {
  const { status, json } = await rest.call(line, body)
  expect([line, json?.error, status]).toEqual([line, undefined, expect.toBeOneOf([200, 201])])
  return json
}

const put = (settings: Record<string, string | null>) =>
  ok('PUT /_cluster/settings', { transient: settings })

/** Makes the node look at its disk: a change of these settings does so at once. */
const look = async (freeInBytes: number): Promise<string[]> => {
  free = freeInBytes
  await put({ [`${DISK}.include_relocations`]: 'true' })
  return blocked()
}

/** The indices that are blocked. */
const blocked = async (): Promise<string[]> => {
  const all = await ok('GET /_all/_settings?expand_wildcards=all&flat_settings')
  const entries = Object.entries<{ settings: Record<string, string> }>(all)
  return entries
    .filter(([, { settings }]) => settings['index.blocks.read_only_allow_delete'] === 'true')
    .map(([name]) => name)
    .sort()
}

describe('a disk beyond its flood stage', () => {
  it('blocks all indices until its usage is below the high watermark', async () => {
    expect(await look(51)).toEqual([])
    expect(await look(49)).toEqual(['a', 'b'])
    // Between the two watermarks everything stays as it is.
    expect(await look(99)).toEqual(['a', 'b'])
    expect(await look(100)).toEqual([])
    expect(await look(60)).toEqual([])
  })

  it('refuses writes with 429, and lets indices be deleted', async () => {
    await look(10)
    const { status, json } = await rest.call('PUT /a/_doc/1', { n: 1 })
    expect([status, json.error.type, json.error.reason]).toEqual([
      429,
      'cluster_block_exception',
      FLOODED,
    ])
    expect((await rest.call('GET /a/_count')).json.count).toBe(0)
    await ok('DELETE /a')
    expect(await blocked()).toEqual(['b'])
    expect(await look(900)).toEqual([])
  })

  it('blocks what is created meanwhile at the next look, and what a caller has freed', async () => {
    await look(10)
    await ok('PUT /c')
    await ok('PUT /a/_settings', { 'index.blocks.read_only_allow_delete': null })
    expect(await blocked()).toEqual(['b'])
    expect(await look(10)).toEqual(['a', 'b', 'c'])
  })

  it('is told by bytes that are to stay free, where watermarks are sizes', async () => {
    await put({
      [`${DISK}.watermark.low`]: '300b',
      [`${DISK}.watermark.high`]: '200b',
      [`${DISK}.watermark.flood_stage`]: '100b',
    })
    expect(await look(100)).toEqual([])
    expect(await look(99)).toEqual(['a', 'b'])
    expect(await look(199)).toEqual(['a', 'b'])
    expect(await look(200)).toEqual([])
  })

  it('is told by a ratio too, as soon as a watermark changes', async () => {
    free = 300
    await put({
      [`${DISK}.watermark.low`]: '0.5',
      [`${DISK}.watermark.high`]: '0.6',
      [`${DISK}.watermark.flood_stage`]: '0.65',
    })
    expect(await blocked()).toEqual(['a', 'b'])
    await put({ [`${DISK}.watermark.*`]: null })
    expect(await blocked()).toEqual([])
  })

  it('blocks nothing, and lifts blocks, while watermarks are disabled', async () => {
    await look(10)
    await put({ [`${DISK}.threshold_enabled`]: 'false' })
    expect(await blocked()).toEqual([])
    expect(await look(1)).toEqual([])
    await put({ [`${DISK}.threshold_enabled`]: 'true' })
    expect(await blocked()).toEqual(['a', 'b'])
  })

  it('is noticed after 16 MB of documents, without waiting for the next look', async () => {
    await ok('PUT /big', { settings: { refresh_interval: '-1' }, mappings: { enabled: false } })
    free = 10
    const source = JSON.stringify({ t: 'x'.repeat(2 ** 20) })
    for (let i = 0; i < 16; i++) await ok('POST /big/_doc', source)
    const changed = rest.engine.cluster.stateChanged(new AbortController().signal)
    if ((await blocked()).length === 0) await changed
    expect(await blocked()).toContain('big')
  })
})

it('a full disk is noticed when a node opens, and one that has room again too', async () => {
  const folder = tempFolder('disk-monitor')
  const first = await openRest({}, folder, { diskUsage })
  await first.call('PUT /a')
  await first.close()
  const blocks = async (): Promise<string | undefined> => {
    const again = await openRest({}, folder, { diskUsage })
    const { json } = await again.call('GET /a/_settings?flat_settings')
    await again.close()
    return json.a.settings['index.blocks.read_only_allow_delete']
  }
  free = 1
  expect(await blocks()).toBe('true')
  free = 70
  expect(await blocks()).toBe('true')
  free = 500
  expect(await blocks()).toBeUndefined()
})

it('a usage that cannot be told blocks nothing', async () => {
  const broken = await openRest({}, null, {
    diskUsage: () => {
      throw new Error('no such disk')
    },
  })
  try {
    await broken.call('PUT /a')
    const { status } = await broken.call('PUT /_cluster/settings', {
      transient: { [`${DISK}.include_relocations`]: 'true' },
    })
    expect(status).toBe(200)
    expect((await broken.call('PUT /a/_doc/1', { n: 1 })).status).toBe(201)
    const { text } = await broken.call('GET /_cat/nodes?h=disk.total,name')
    expect(text).toBe(' lamella-0\n')
  } finally {
    await broken.close()
  }
})
