import { endTally, type ShardTallies } from '../../shard/tally.ts'
import type { HeldReaders } from '../node/reader-contexts.ts'
import type { HeldShard, SearchTargets } from './search-targets.ts'

/** The statistics that a context counts in, from its beginning to its end. */
type ContextTally = 'scroll' | 'pointInTime'

/** The targets of a context, counted in the statistics of their shards while they are held. */
export class HeldTargets implements HeldReaders {
  readonly targets: SearchTargets
  /** That of the context; set once it has one. */
  number = 0
  readonly #tally: ContextTally & keyof ShardTallies
  readonly #began = performance.now()

  constructor(targets: SearchTargets, tally: ContextTally) {
    this.targets = targets
    this.#tally = tally
    for (const { shard } of targets.held) shard.stats[tally].current++
  }

  get shardCount(): number {
    return this.targets.held.length
  }

  dropIndex(uuid: string): void {
    this.#count(this.targets.held.filter(({ shard }) => shard.name.uuid === uuid))
    this.targets.dropIndex(uuid, this.number)
  }

  release(): void {
    this.#count(this.targets.held)
    this.targets.release()
  }

  #count(ended: readonly HeldShard[]): void {
    const took = performance.now() - this.#began
    for (const { shard } of ended) endTally(shard.stats[this.#tally], took)
  }
}
