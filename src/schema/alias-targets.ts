import type { Mapping } from './mapping.ts'
import { mapperParsingError } from './mapping-errors.ts'

/**
 * Checks that each alias of a whole mapping leads to a field; an update alone may name fields that the
 * mapping under it has.
 * @throws {EngineError} `mapper_parsing_exception`: one leads to an alias, or to no field
 */
export function checkAliasTargets(mapping: Mapping): void {
  for (const { name, path } of mapping.aliases()) {
    const refused = (why: string): Error =>
      mapperParsingError(`Invalid [path] value [${path}] for field alias [${name}]: ${why}`)
    if (path === name) throw refused('an alias cannot refer to itself.')
    if (mapping.isAlias(path)) throw refused('an alias cannot refer to another alias.')
    if (mapping.ordinal(path) < 0)
      throw refused('an alias must refer to an existing field in the mappings.')
  }
}
