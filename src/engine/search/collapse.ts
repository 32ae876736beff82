import type { CollapseKey } from '../../search/collector/gather-plan.ts'
import { IllegalArgumentError } from '../../util/errors.ts'
import { searchedField } from '../dsl/field/field-searches.ts'
import { maskedField } from '../dsl/field/masked-field.ts'
import type { QueryContext } from '../dsl/query-context.ts'
import type { ParsedCollapse } from '../dsl/search-body/collapse.ts'

/** The types whose hits may be collapsed, by the values that their fields keep. */
const KINDS = new Map<string, CollapseKey['kind']>([
  ['keyword', 'keyword'],
  ...['long', 'integer', 'short', 'byte', 'unsigned_long', 'double', 'float', 'half_float'].map(
    type => [type, 'number'] as const,
  ),
])

/**
 * The field by whose values an index's hits are collapsed.
 * @throws {IllegalArgumentError} there is no such field, or none that hits can be collapsed by
 */
export function collapseKeyOf(
  { field: name, innerHits }: ParsedCollapse,
  context: QueryContext,
): CollapseKey {
  const masked = maskedField(name, context)
  const field = masked?.field ?? searchedField(name, context)
  if (field === null || field.type.startsWith('_'))
    throw new IllegalArgumentError(`no mapping found for \`${name}\` in order to collapse on`)
  const kind = KINDS.get(field.type)
  if (kind === undefined)
    throw new IllegalArgumentError(
      `unknown type for collapse field \`${name}\`, only keywords and numbers are accepted`,
    )
  if (!('docValues' in field && field.docValues))
    throw new IllegalArgumentError(`cannot collapse on field \`${name}\` without \`doc_values\``)
  if (innerHits.length > 0 && !field.indexed)
    throw new IllegalArgumentError(
      `cannot expand \`inner_hits\` for collapse field \`${name}\`, only indexed field can ` +
        'retrieve `inner_hits`',
    )
  return { kind, field: field.name, ...(masked !== null && { mask: masked.mask.plan }) }
}
