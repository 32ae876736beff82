import { printMappingEntry, printWithDefaults } from '../../schema/mapping.ts'
import type { CallContext } from '../../task/call-context.ts'
import { matchesWildcard } from '../../util/wildcard.ts'
import type { FieldMappingCall, FieldMappings } from '../api/indices.ts'
import type { Target } from '../api/target.ts'
import { resolveTarget } from '../metadata/resolve-target.ts'
import type { Node } from '../node/node.ts'

/** The mappings of the fields that names or patterns mean; objects are no fields. */
export function showFieldMappings(
  node: Node,
  target: Target,
  { patterns, withDefaults }: FieldMappingCall,
  context: CallContext,
): FieldMappings[] {
  const print = withDefaults ? printWithDefaults : printMappingEntry
  return resolveTarget(node.metadata, target, context)
    .map(({ index, shown }) => {
      // No mapping names those.
      const hidden = new Set(shown.leaves.flatMap(field => field.derived))
      const fields = shown.leaves
        .filter(field => !hidden.has(field))
        .filter(({ name }) => patterns.some(pattern => matchesWildcard(pattern, name)))
        .map(field => ({
          fullName: field.name,
          name: field.name.slice(field.name.lastIndexOf('.') + 1),
          mapping: print(field),
        }))
        .sort((a, b) => (a.fullName < b.fullName ? -1 : 1))
      return { index: index.name, fields }
    })
    .sort((a, b) => (a.index < b.index ? -1 : 1))
}
