import { checkAccess } from '../../task/access.ts'
import type { CallContext } from '../../task/call-context.ts'
import { matchesWildcard } from '../../util/wildcard.ts'
import type { DataStream } from '../metadata/data-stream.ts'
import { indexNotFound } from '../metadata/index-names.ts'
import type { MetadataStore } from '../metadata/metadata-store.ts'

/**
 * The data streams that a call means, in order of name; an action on them is allowed or refused here.
 * @param names may hold `*`; none, `_all` and `*` are all
 * @throws {EngineError} `index_not_found_exception`: a name without `*` is missing; `security_exception`
 */
export function chosenStreams(
  metadata: MetadataStore,
  names: readonly string[],
  context: CallContext,
): DataStream[] {
  const streams = metadata.node.dataStreams
  const isAll = names.length === 0 || (names.length === 1 && names[0] === '_all')
  const patterns = isAll ? ['*'] : names
  for (const name of patterns)
    if (!name.includes('*') && !streams.has(name)) {
      checkAccess(context, context.task.action, [name])
      throw indexNotFound(name)
    }
  const found = [...streams.values()]
    .filter(({ name }) => patterns.some(pattern => matchesWildcard(pattern, name)))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
  checkAccess(
    context,
    context.task.action,
    found.map(({ name }) => name),
  )
  return found
}
