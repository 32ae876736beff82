import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it, vi } from 'vitest'
import { indexDocument } from '../../../src/engine/document/documents.ts'
import { createIndex, deleteIndices } from '../../../src/engine/index/index-life.ts'
import { Node } from '../../../src/engine/node/node.ts'
import { trusted } from '../../../src/task/call-context.ts'
import { encodeUtf8 } from '../../../src/util/bytes.ts'
import { targetOf } from '../../support/engine-calls.ts'
import { PATIENCE_IN_MILLIS } from '../../support/patience.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const folder = tempFolder('deleted-index')
setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

it.each([
  ['is never refreshed', { 'index.refresh_interval': '-1' }],
  [
    'has a log that is not synced yet',
    { 'index.translog.durability': 'async', 'index.translog.sync_interval': '1h' },
  ],
])('leaves nothing in memory when an index is deleted that %s', async (name, settings) => {
  const own = `${folder}/${name.replaceAll(' ', '-')}`
  const node = new Node({ folder: own, settings: new Map([['lamella.threads.write', '1']]) })
  try {
    const make = async (): Promise<WeakRef<object>> => {
      await createIndex(
        node,
        {
          name: 'gone',
          settings: new Map(Object.entries(settings)),
          mappings: null,
          aliases: null,
          waitForActiveShards: 1,
        },
        trusted('indices:admin/create'),
      )
      await indexDocument(
        node,
        {
          index: 'gone',
          id: '1',
          opType: 'index',
          source: encodeUtf8('{"t":"some text"}'),
          routing: null,
          refresh: 'false',
          ifSeqNo: null,
          ifPrimaryTerm: null,
          version: null,
          versionType: 'internal',
          requireAlias: false,
          waitForActiveShards: 1,
          timeoutInMillis: 30_000,
        },
        trusted('indices:data/write/index'),
      )
      const index = new WeakRef(node.index('gone')!)
      await deleteIndices(node, targetOf('gone'), trusted('indices:admin/delete'))
      return index
    }
    const index = await make()
    const isCollected = (): boolean => {
      collect()
      return index.deref() === undefined
    }
    await vi.waitUntil(isCollected, { timeout: PATIENCE_IN_MILLIS, interval: 200 })
    expect(index.deref()).toBeUndefined()
  } finally {
    await node.close()
  }
})
