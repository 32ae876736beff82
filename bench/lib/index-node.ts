import { Node } from '../../dist/engine/node/node.js'
import type { Shard } from '../../dist/shard/shard.js'

/** Name of the index that benches build. */
export const BENCH_INDEX = 'bench'

/** Opens a data folder of a bench. */
export function openBenchNode(folder: string): Node {
  return new Node({
    folder,
    settings: new Map([
      ['lamella.threads.search', '2'],
      ['lamella.threads.write', '1'],
    ]),
  })
}

/** The one shard of a bench's index. */
export function benchShard(node: Node): Shard {
  const shard = node.index(BENCH_INDEX)?.shards[0]
  if (shard === undefined) throw new Error('the index is not there')
  return shard
}
