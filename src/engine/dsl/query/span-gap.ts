import { IllegalArgumentError } from '../../../util/errors.ts'
import { readInteger } from '../json-scalars.ts'
import { readFieldClause } from './field-clause.ts'
import type { QueryParser } from './query-parser.ts'

/** `span_gap`: so many positions of any words, between the clauses of `span_near`. */
export const spanGapParser: QueryParser = {
  mustBecomesFilter: 'never',
  parse(node, read) {
    const { field, value } = readFieldClause('span_gap', node, read)
    const width = readInteger(value)
    if (width < 0) throw new IllegalArgumentError('[span_gap] width must not be negative')
    return {
      field,
      build() {
        throw new IllegalArgumentError('[span_gap] is a clause of [span_near] alone')
      },
    }
  },
}
