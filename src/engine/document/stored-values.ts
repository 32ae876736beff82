import { TRUSTED_ASKER } from '../../task/access.ts'
import { parseJsonTree } from '../../util/json/json-tree.ts'
import type { JsonMap } from '../../util/json/json-value.ts'
import { queryContextOf } from '../dsl/index-query-context.ts'
import { sourceValues, storedFieldsOf } from '../fetch/stored-values.ts'
import { viewThrough } from '../metadata/index-view.ts'
import type { IndexService } from '../node/index-service.ts'
import type { Node } from '../node/node.ts'

/**
 * The stored fields of a document that a get names.
 * @throws {IllegalArgumentError} a name of an object
 */
export function storedValues(
  node: Node,
  { metadata }: IndexService,
  names: readonly string[],
  found: { readonly stored: Uint8Array; readonly ignored: readonly string[] },
): JsonMap {
  const context = queryContextOf(viewThrough(metadata, null, TRUSTED_ASKER), node, Date.now())
  const fields = storedFieldsOf(names, metadata.mapping, context)
  if (found.stored.length === 0) return new Map()
  return sourceValues(fields, parseJsonTree(found.stored), found.ignored)
}
