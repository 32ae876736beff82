import type { NameRelations } from '../api/aliases.ts'
import type { MetadataStore } from './metadata-store.ts'

/** How a name stands to others, now. */
export function relationsOf(metadata: MetadataStore, name: string): NameRelations {
  const index = metadata.index(name)
  if (index !== null) {
    const stream = metadata.dataStreamOf(index)
    const others = [...index.aliases.keys()]
    return { others: stream === null ? others : [...others, stream.name], indices: [] }
  }
  const stream = metadata.dataStream(name)
  const indices = stream === null ? metadata.indicesOfAlias(name) : metadata.indicesOfStream(stream)
  return { others: [], indices: indices.map(each => each.name) }
}
