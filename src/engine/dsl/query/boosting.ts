import { readNumber } from '../json-scalars.ts'
import { parsingError } from '../parse-error.ts'
import type { ParsedQuery } from '../query-context.ts'
import { unknownKey } from './field-clause.ts'
import type { QueryParser } from './query-parser.ts'

/** `boosting`: the hits of one query, demoted where another one matches too. */
export const boostingParser: QueryParser = {
  mustBecomesFilter: 'never',
  parse(node, read) {
    let positive: ParsedQuery | null = null
    let negative: ParsedQuery | null = null
    let negativeBoost = -1
    for (const entry of node.entries) {
      const { key, value } = entry
      if (read.option(entry)) continue
      if (key === 'positive') positive = read.inner(value)
      else if (key === 'negative') negative = read.inner(value)
      else if (key === 'negative_boost') negativeBoost = readNumber(value)
      else throw unknownKey('boosting', entry)
    }
    if (positive === null)
      throw parsingError(node, "[boosting] query requires 'positive' query to be set'")
    if (negative === null)
      throw parsingError(node, "[boosting] query requires 'negative' query to be set'")
    if (negativeBoost < 0)
      throw parsingError(
        node,
        "[boosting] query requires 'negative_boost' to be set to be a positive value'",
      )
    const [good, bad] = [positive, negative]
    return {
      field: null,
      build: context => ({
        kind: 'boosting',
        positive: good.build(context),
        negative: bad.build(context),
        negativeBoost,
      }),
    }
  },
}
