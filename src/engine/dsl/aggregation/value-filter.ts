import { sortableOf } from '../../../aggregation/sortable-of.ts'
import type { ValueFilter, ValueSet } from '../../../aggregation/terms/value-filter.ts'
import type { AnyValueSource } from '../../../aggregation/value-source.ts'
import { encodeUtf8 } from '../../../util/bytes.ts'
import { IllegalArgumentError } from '../../../util/errors.ts'
import { parseAddress } from '../../../util/ip-address.ts'
import type { QueryContext } from '../query-context.ts'
import type { Inclusion } from './inclusion.ts'
import { numberOf } from './request-number.ts'

/**
 * The values that have buckets; null: all.
 * @throws {EngineError} a pattern for values that are no texts, or one that is too long
 */
export function valueFilter(
  { include, exclude, partition }: Inclusion,
  values: AnyValueSource,
  name: string,
  context: QueryContext,
): ValueFilter | null {
  if (include === null && exclude === null && partition === null) return null
  const bound = (given: Inclusion['include']): ValueSet | null =>
    given === null ? null : boundSet(given, values, name, context)
  return { include: bound(include), exclude: bound(exclude), partition }
}

function boundSet(
  given: NonNullable<Inclusion['include']>,
  values: AnyValueSource,
  name: string,
  context: QueryContext,
): ValueSet {
  const isText = values.kind !== 'numbers' && values.format.kind !== 'ip'
  if (given.kind === 'pattern') {
    if (isText) {
      if (given.pattern.length > context.maxRegexLength)
        throw new IllegalArgumentError(
          `The length of regex [${given.pattern.length}] used in the request has exceeded the ` +
            `allowed maximum of [${context.maxRegexLength}]. This maximum can be set by changing ` +
            'the [index.max_regex_length] index level setting.',
        )
      return given
    }
    throw new IllegalArgumentError(
      `Aggregation [${name}] cannot support regular expression style include/exclude settings as ` +
        'they can only be applied to string fields. Use an array of ' +
        `${values.kind === 'numbers' ? 'numeric ' : ''}values for include/exclude clauses`,
    )
  }
  if (values.kind === 'numbers')
    return {
      kind: 'numbers',
      numbers: given.texts.map(text => sortableOf(values, numberOf(values, text, context))),
    }
  return {
    kind: 'terms',
    terms: given.texts.map(text =>
      isText ? encodeUtf8(text) : (parseAddress(text) ?? encodeUtf8(text)),
    ),
  }
}
