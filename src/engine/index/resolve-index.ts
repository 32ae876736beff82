import type { CallContext } from '../../task/call-context.ts'
import type { ResolvedNames } from '../api/indices.ts'
import type { Target } from '../api/target.ts'
import { resolveNames } from '../metadata/resolve-names.ts'
import { isHidden } from '../metadata/resolve-target.ts'
import type { Node } from '../node/node.ts'

/** Names of a target by their kind, each kind in order of name. */
export function resolveIndex(node: Node, target: Target, context: CallContext): ResolvedNames {
  const { metadata } = node
  const names = resolveNames(metadata, target, context)
  return {
    indices: names.flatMap(name => {
      const index = metadata.index(name)
      if (index === null) return []
      return [
        {
          name,
          aliases: [...index.aliases.keys()].sort(),
          isOpen: index.isOpen,
          isHidden: isHidden(index),
          dataStream: metadata.dataStreamOf(index)?.name ?? null,
        },
      ]
    }),
    aliases: names.flatMap(name => {
      const indices = metadata.indicesOfAlias(name).map(index => index.name)
      return indices.length === 0 ? [] : [{ name, indices }]
    }),
    dataStreams: names.flatMap(name => {
      const stream = metadata.dataStream(name)
      if (stream === null) return []
      const backingIndices = stream.indices.map(index => index.name)
      return [{ name, backingIndices, timestampField: stream.timestampField }]
    }),
  }
}
