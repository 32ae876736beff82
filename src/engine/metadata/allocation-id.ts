import { createHash } from 'node:crypto'

/**
 * The id of a copy of a shard: 22 url-safe characters. A shard has one copy that stays where it is, so
 * that its index and number give the id.
 */
export function allocationId(uuid: string, shard: number): string {
  const hash = createHash('sha256').update(`${uuid}/${shard}`).digest()
  return hash.subarray(0, 16).toString('base64url')
}
