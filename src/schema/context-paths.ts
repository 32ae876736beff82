import { EngineError } from '../util/errors.ts'
import type { CompletionField } from './field-type/completion.ts'
import type { Mapping } from './mapping.ts'

/**
 * Checks that contexts of places in a whole mapping lead to fields of places; an update alone may name
 * fields that the mapping under it has.
 * @throws {EngineError} `parse_exception`: one leads to another field, or to none
 */
export function checkContextPaths(mapping: Mapping): void {
  for (const field of mapping.leaves) if (field.type === 'completion') checkField(field, mapping)
}

function checkField({ contexts }: CompletionField, mapping: Mapping): void {
  for (const { name, type, path } of contexts) {
    if (type !== 'geo' || path === null) continue
    const field = mapping.field(path)
    if (field?.type === 'geo_point') continue
    throw new EngineError({
      type: 'parse_exception',
      reason:
        `field [${path}] referenced in context [${name}] ` +
        (field === null
          ? 'is not defined in the mapping'
          : `must be mapped to geo_point, found [${field.type}]`),
    })
  }
}
