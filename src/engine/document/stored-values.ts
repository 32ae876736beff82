import { parseJsonTree } from '../../util/json/json-tree.ts'
import type { JsonMap } from '../../util/json/json-value.ts'
import { queryContextOf } from '../dsl/index-query-context.ts'
import { sourceValues, storedFieldsOf } from '../fetch/stored-values.ts'
import { visibleSource } from '../fetch/visible-source.ts'
import type { IndexView } from '../metadata/index-view.ts'
import type { Node } from '../node/node.ts'

/**
 * The stored fields of a document that a get names, of those that its caller sees.
 * @throws {IllegalArgumentError} a name of an object
 */
export function storedValues(
  node: Node,
  view: IndexView,
  names: readonly string[],
  { stored, ignored }: { readonly stored: Uint8Array; readonly ignored: readonly string[] },
): JsonMap {
  const fields = storedFieldsOf(names, view.shown, queryContextOf(view, node, Date.now()))
  if (stored.length === 0) return new Map()
  const seen = view.fields === null ? stored : visibleSource(stored, view.fields)
  return sourceValues(fields, parseJsonTree(seen), ignored)
}
