import { IllegalArgumentError } from '../../../util/errors.ts'
import { readText } from '../json-scalars.ts'
import { parsingError } from '../parse-error.ts'
import { existsQuery } from './exists-on-field.ts'
import { unknownKey } from './field-clause.ts'
import type { QueryParser } from './query-parser.ts'

/** `exists`: documents that have a field, a field of an object, or one that a pattern names. */
export const existsParser: QueryParser = {
  mustBecomesFilter: 'never',
  parse(node, read) {
    let pattern: string | null = null
    for (const entry of node.entries) {
      if (read.option(entry)) continue
      if (entry.key === 'field') pattern = readText(entry.value)
      else throw unknownKey('exists', entry)
    }
    if (pattern === null) throw parsingError(node, '[exists] must be provided with a [field]')
    const field = pattern
    if (field === '') throw new IllegalArgumentError('field name is null or empty')
    return { field, build: context => existsQuery(field, context) }
  },
}
