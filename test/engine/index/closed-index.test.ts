import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { Node } from '../../../src/engine/node/node.ts'
import { Settings } from '../../../src/schema/settings.ts'
import type { WriteOperation } from '../../../src/shard/write-operation.ts'
import { trusted } from '../../../src/task/call-context.ts'
import { encodeUtf8 } from '../../../src/util/bytes.ts'
import { EngineError } from '../../../src/util/errors.ts'
import { bulk, createIndex, engineWith, targetOf } from '../../support/engine-calls.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const closedTarget = { ...targetOf('i'), expandClosed: true }
const openCall = { target: closedTarget, waitForActiveShards: null }
const LINES = Array.from({ length: 200 }, (_, i) => [
  { index: { _id: String(i) } },
  { t: `word${i % 7}` },
]).flat()

const docCount = async (engine: Awaited<ReturnType<typeof engineWith>>): Promise<number> =>
  (
    await engine.searches.count(
      { target: targetOf('i'), body: null, options: {} },
      trusted('indices:data/read/search'),
    )
  ).count

describe('a closed index', () => {
  it('holds what was acknowledged when the process ends before its shards are committed', async () => {
    const folder = tempFolder('closing')
    const [data, copy] = [join(folder, 'data'), join(folder, 'copy')]
    const engine = await engineWith(data)
    await createIndex(engine, 'i', { 'index.number_of_shards': '3' })
    await bulk(engine, 'i', LINES)
    // The change of the metadata is made within the call, the commits follow.
    const closing = engine.indices.close(targetOf('i'), trusted('indices:admin/close'))
    cpSync(data, copy, { recursive: true, filter: name => !name.endsWith('node.lock') })
    expect(await closing).toEqual(['i'])
    await engine.close()

    const found = await engineWith(copy)
    const [view] = await found.indices.show(closedTarget, trusted('indices:admin/get'))
    expect(view?.isOpen).toBe(false)
    expect(await found.indices.open(openCall, trusted('indices:admin/open'))).toEqual({
      shardsAcknowledged: true,
    })
    expect(await docCount(found)).toBe(200)
    await bulk(found, 'i', [{ index: {} }, { t: 'more' }], 'true')
    expect(await docCount(found)).toBe(201)
    await found.close()
    const again = await engineWith(copy)
    expect(await docCount(again)).toBe(201)
    await again.close()
  })

  it('is open after a restart when it was opened last, its documents searchable at once', async () => {
    const data = join(tempFolder('opened'), 'data')
    let engine = await engineWith(data)
    await createIndex(engine, 'i', { 'index.refresh_interval': '-1' })
    await bulk(engine, 'i', LINES)
    expect(await docCount(engine)).toBe(0)
    await engine.indices.close(targetOf('i'), trusted('indices:admin/close'))
    await engine.indices.open(openCall, trusted('indices:admin/open'))
    expect(await docCount(engine)).toBe(200)
    await engine.close()
    engine = await engineWith(data)
    expect(await docCount(engine)).toBe(200)
    await engine.close()
  })
})

describe('a shard that closes', () => {
  const operations = (count: number): WriteOperation[] =>
    Array.from({ length: count }, (_, i) => ({
      kind: 'index',
      id: String(i),
      routing: null,
      ifSeqNo: null,
      ifPrimaryTerm: null,
      version: null,
      versionType: 'internal',
      isCreate: false,
      isNewId: false,
      source: encodeUtf8(JSON.stringify({ t: 'x'.repeat(1000) })),
    }))

  it.each([true, false])('commits or refuses what waits, with commit %s', async commit => {
    const data = join(tempFolder('shard'), 'data')
    await engineWith(data).then(async engine => {
      await createIndex(engine, 'i')
      await engine.close()
    })
    const node = new Node({ folder: data, settings: Settings.EMPTY.toMap() })
    await node.recover()
    const shard = node.index('i')!.shards[0]!
    // More than one chunk, none of which has been taken yet.
    const written = shard.submit(operations(3000))
    const closing = shard.close({ commit })
    const outcomes = await written
    await closing
    await node.close()
    const taken = outcomes.filter(each => !(each instanceof EngineError)).length
    expect(taken).toBe(commit ? 3000 : 0)
    const engine = await engineWith(data)
    expect(await docCount(engine)).toBe(taken)
    await engine.close()
  })
})
