import type { ShardRecovery } from '../../shard/shard-recovery.ts'
import type { IndexMetadata } from '../metadata/index-metadata.ts'
import type { MetadataStore } from '../metadata/metadata-store.ts'
import type { NamedIndices } from '../metadata/resolve-target.ts'

/** An index that a restore fills. */
export interface RunningRestore {
  readonly metadata: IndexMetadata
  /** Of its shards, by number. */
  readonly recoveries: readonly ShardRecovery[]
}

/** Indices that restores fill: nobody finds them yet, but how far they are can be asked. */
export class RunningRestores {
  readonly #byName = new Map<string, RunningRestore>()

  /** @returns ends them */
  begin(restores: readonly RunningRestore[]): () => void {
    for (const restore of restores) this.#byName.set(restore.metadata.name, restore)
    return () => {
      for (const restore of restores) {
        const { name } = restore.metadata
        // Another restore into the same name may have begun since.
        if (this.#byName.get(name) === restore) this.#byName.delete(name)
      }
    }
  }

  /** The shards of an index that is being filled; null: it is not. */
  recoveriesOf(name: string): readonly ShardRecovery[] | null {
    return this.#byName.get(name)?.recoveries ?? null
  }

  /** The indices of a node, and those that are being filled in the place of the closed ones of their names. */
  beside(metadata: MetadataStore): NamedIndices {
    const restores = this.#byName
    if (restores.size === 0) return metadata
    const indices = [
      ...metadata.indices().filter(({ name }) => !restores.has(name)),
      ...Array.from(restores.values(), restore => restore.metadata),
    ].sort((a, b) => (a.name < b.name ? -1 : 1))
    return {
      indexCount: indices.length,
      clusterBlocks: metadata.clusterBlocks,
      index: name => restores.get(name)?.metadata ?? metadata.index(name),
      indices: () => indices,
      indicesOfAlias: name => metadata.indicesOfAlias(name),
      dataStream: name => metadata.dataStream(name),
      dataStreamOf: index => metadata.dataStreamOf(index),
      indicesOfStream: stream => metadata.indicesOfStream(stream),
    }
  }
}
