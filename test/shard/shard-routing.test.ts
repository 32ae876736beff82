import { expect, it } from 'vitest'
import { shardOf, shardsOfRouting } from '../../src/shard/shard-routing.ts'

const IDS = Array.from({ length: 300 }, (_, i) => `document ${i}`)

it('keeps what is split or shrunk within the shards that it came from', () => {
  const to = (numberOfShards: number, partitionSize: number) => ({
    numberOfShards,
    routingShards: 768,
    partitionSize,
  })
  for (const partitionSize of [1, 5])
    for (const [i, id] of IDS.entries()) {
      const routing = i % 2 === 0 ? null : `r${i % 7}`
      const few = shardOf(to(3, partitionSize), id, routing)
      expect(Math.floor(shardOf(to(12, partitionSize), id, routing) / 4)).toBe(few)
      expect(shardOf(to(1, partitionSize), id, routing)).toBe(0)
    }
})

it('spreads a routing value over the shards of its partitions, and no others', () => {
  const to = { numberOfShards: 64, routingShards: 64, partitionSize: 4 }
  const found = new Set(IDS.map(id => shardOf(to, id, 'ann')))
  expect([...found].sort()).toEqual([...new Set(shardsOfRouting(to, 'ann'))].sort())
  expect(found.size).toBe(4)
  expect(shardsOfRouting({ ...to, partitionSize: 1 }, 'ann').length).toBe(1)
})
