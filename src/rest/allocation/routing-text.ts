/** Shards and nodes as explanations of allocation name them. */
import type { NodeInfo } from '../../engine/api/cluster.ts'
import type { ShardCopy } from '../../engine/api/shards.ts'
import { addressOf, attributesOf, ROLE_LETTERS } from '../node-view.ts'

/** `[i][0], node[⟨id⟩], [P], s[STARTED], a[id=⟨id⟩]` of an active copy. */
export function copyText({ index, shard, allocationId }: ShardCopy, nodeId: string): string {
  return `[${index}][${shard}], node[${nodeId}], [P], s[STARTED], a[id=${allocationId}]`
}

/** `{name}{id}{ephemeral id}{host}{address}{roles}{attributes}`. */
export function nodeText(info: NodeInfo, httpAddress: string | null): string {
  const { name, host, transportAddress } = addressOf(info, httpAddress)
  const parts = [name, info.nodeId, info.ephemeralId, host, transportAddress, ROLE_LETTERS]
  const attributes = [...attributesOf(info)].map(([key, value]) => `${key}=${value}`)
  if (attributes.length > 0) parts.push(attributes.join(', '))
  return parts.map(part => `{${part}}`).join('')
}
