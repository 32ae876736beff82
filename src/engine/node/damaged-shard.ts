/** A shard that could not be opened: it answers with an error, and its files are left as they are. */
import type { Shard } from '../../shard/shard.ts'
import type { ShardName } from '../../shard/write-operation.ts'
import { EngineError, type ErrorRecord } from '../../util/errors.ts'

/** Stands in an index where the shard of that number would. Nothing is written to its folder. */
export class DamagedShard {
  readonly name: ShardName
  /** Why it could not be opened; of damage the file, the offset, what was expected and found. */
  readonly damage: ErrorRecord

  constructor(name: ShardName, damage: ErrorRecord) {
    this.name = name
    this.damage = damage
  }

  /** The error for a write to it: 503 `unavailable_shards_exception`. */
  writeError(timeoutInMillis: number): EngineError {
    const { index, shard } = this.name
    return new EngineError({
      type: 'unavailable_shards_exception',
      reason: `[${index}][${shard}] primary shard is not active Timeout: [${timeoutInMillis}ms]`,
      extra: this.#place(),
      causedBy: this.damage,
    })
  }

  /**
   * The error for a read of it: 503 `no_shard_available_action_exception`.
   * @param action for the reason: `get [books][1]`
   */
  readError(action: string): EngineError {
    return new EngineError({
      type: 'no_shard_available_action_exception',
      reason: `No shard available for [${action}]`,
      extra: this.#place(),
      causedBy: this.damage,
    })
  }

  #place(): Readonly<Record<string, string>> {
    const { index, shard, uuid } = this.name
    return { index, shard: String(shard), index_uuid: uuid }
  }
}

/** One shard of an index, as far as it could be opened. */
export type OpenedShard = Shard | DamagedShard
