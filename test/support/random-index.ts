import { runBulk } from '../../src/engine/document/bulk.ts'
import { createIndex } from '../../src/engine/index/index-life.ts'
import type { Node } from '../../src/engine/node/node.ts'
import { trusted } from '../../src/task/call-context.ts'
import { encodeUtf8 } from '../../src/util/bytes.ts'
import { parseJsonTree } from '../../src/util/json/json-tree.ts'
import { Random } from '../../src/util/random.ts'
import { randomDocument } from './random-search.ts'

/**
 * Makes an index of random documents through the whole write path: many segments, one of them
 * large, deletes and updates.
 * @param changes false: documents are only added
 */
export async function fillRandomIndex(
  node: Node,
  seed: number,
  documents: number,
  { name = 'i', changes = true } = {},
): Promise<void> {
  // Random queries have scripts.
  node.searcher.loadScripts()
  const random = new Random(seed)
  await createIndex(
    node,
    {
      name,
      settings: new Map([['index.refresh_interval', '-1']]),
      mappings: parseJsonTree(
        encodeUtf8(
          '{"properties":{"body":{"type":"text"},"title":{"type":"text"},"tag":{"type":"keyword"},"num":{"type":"long"},"first":{"type":"long"}}}',
        ),
      ),
      aliases: null,
      waitForActiveShards: 1,
    },
    trusted('indices:admin/create'),
  )
  const shard = node.index(name)!.shards[0]!
  let next = 0
  while (next < documents) {
    const size = next === 0 ? Math.round((9 * documents) / 14) : 1 + random.below(900)
    const lines: string[] = []
    for (const end = Math.min(documents, next + size); next < end; next++) {
      // One in thirty replaces an earlier document, one in thirty deletes one.
      const kind = changes ? random.below(30) : 30
      const id = kind < 2 ? random.below(next + 1) : next
      if (kind === 1) {
        lines.push(JSON.stringify({ delete: { _id: `d${id}` } }))
        continue
      }
      const { text, keywords, numbers } = randomDocument(random, id, 0)
      const [first] = numbers.get('num') ?? []
      const source = {
        ...(first === undefined ? {} : { first: Number(first) }),
        ...Object.fromEntries([...text].map(([name, words]) => [name, words.join(' ')])),
        ...Object.fromEntries(keywords),
        ...Object.fromEntries([...numbers].map(([name, values]) => [name, values.map(Number)])),
      }
      lines.push(JSON.stringify({ index: { _id: `d${id}` } }), JSON.stringify(source))
    }
    await runBulk(
      node,
      {
        body: encodeUtf8(`${lines.join('\n')}\n`),
        index: name,
        routing: null,
        refresh: 'false',
        requireAlias: false,
        source: null,
        waitForActiveShards: 1,
        timeoutInMillis: 30_000,
      },
      trusted('indices:data/write/bulk'),
    )
    await shard.refresh()
  }
  await shard.idle()
  await shard.refresh()
}
