import { type ClosedShard, readClosedShard } from '../../shard/closed-shard.ts'
import type { Directory } from '../../store/directory.ts'
import { toErrorRecord } from '../../util/errors.ts'
import type { IndexMetadata } from '../metadata/index-metadata.ts'
import { DamagedShard } from './damaged-shard.ts'

/** The shards of closed indices, as their commits have them; each index is read when it is first asked for. */
export class ClosedShards {
  readonly #directoryOf: (uuid: string, shard: number) => Directory
  readonly #onFailure: (error: unknown) => void
  /** By uuid. */
  readonly #known = new Map<string, readonly (ClosedShard | DamagedShard)[]>()

  /** @param onFailure told of each shard that cannot be read */
  constructor(
    directoryOf: (uuid: string, shard: number) => Directory,
    onFailure: (error: unknown) => void,
  ) {
    this.#directoryOf = directoryOf
    this.#onFailure = onFailure
  }

  /** The shards of an index that is closed, by their number; a damaged one stays so. */
  of({ name, uuid, numberOfShards }: IndexMetadata): readonly (ClosedShard | DamagedShard)[] {
    let shards = this.#known.get(uuid)
    if (shards === undefined) {
      shards = Array.from({ length: numberOfShards }, (_, shard) => this.#read(name, uuid, shard))
      this.#known.set(uuid, shards)
    }
    return shards
  }

  /** The index is closed no more, or is gone. */
  forget(uuid: string): void {
    this.#known.delete(uuid)
  }

  #read(index: string, uuid: string, shard: number): ClosedShard | DamagedShard {
    try {
      return readClosedShard(this.#directoryOf(uuid, shard))
    } catch (error) {
      this.#onFailure(error)
      return new DamagedShard({ index, uuid, shard }, toErrorRecord(error))
    }
  }
}
