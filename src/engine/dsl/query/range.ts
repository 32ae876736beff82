import { didYouMean, findAlike } from '../../../util/did-you-mean.ts'
import { IllegalArgumentError } from '../../../util/errors.ts'
import { fieldSearch, searchedField } from '../field/field-searches.ts'
import type { RangeEnd, RangeRelation } from '../field/range-end.ts'
import { readBoolean, readText } from '../json-scalars.ts'
import { parsingError } from '../parse-error.ts'
import { readFieldClause, unmapped } from './field-clause.ts'
import type { QueryParser } from './query-parser.ts'

const RANGE_KEYS = [
  'gt',
  'gte',
  'lt',
  'lte',
  'from',
  'to',
  'include_lower',
  'include_upper',
  'format',
  'time_zone',
  'relation',
  'boost',
  '_name',
] as const

/** `range`: documents with a value between two ends. */
export const rangeParser: QueryParser = {
  mustBecomesFilter: 'always',
  parse(node, read) {
    const { field, value } = readFieldClause('range', node, read)
    if (value.kind !== 'object')
      throw parsingError(
        value,
        value.kind === 'array'
          ? `[range] unknown token [START_ARRAY] after [${field}]`
          : `[range] query does not support [${field}]`,
      )
    let lower: string | null = null
    let upper: string | null = null
    let includesLower = true
    let includesUpper = true
    let format: string | null = null
    let timeZone: string | null = null
    let relation: RangeRelation = 'intersects'
    for (const entry of value.entries) {
      if (read.option(entry)) continue
      const text = entry.value.kind === 'null' ? null : () => readText(entry.value)
      switch (entry.key) {
        case 'gt':
        case 'gte':
        case 'from':
          lower = text === null ? null : text()
          if (entry.key !== 'from') includesLower = entry.key === 'gte'
          break
        case 'lt':
        case 'lte':
        case 'to':
          upper = text === null ? null : text()
          if (entry.key !== 'to') includesUpper = entry.key === 'lte'
          break
        case 'include_lower':
          includesLower = readBoolean(entry.value)
          break
        case 'include_upper':
          includesUpper = readBoolean(entry.value)
          break
        case 'format':
          format = readText(entry.value)
          break
        case 'time_zone':
          timeZone = readText(entry.value)
          break
        case 'relation':
          relation = relationOf(readText(entry.value))
          break
        default:
          throw parsingError(
            entry,
            `[range] query does not support [${entry.key}]` +
              didYouMean(findAlike(entry.key, RANGE_KEYS)),
          )
      }
    }
    const from: RangeEnd | null = lower === null ? null : { text: lower, isIncluded: includesLower }
    const to: RangeEnd | null = upper === null ? null : { text: upper, isIncluded: includesUpper }
    return {
      field,
      build: context => {
        const type = searchedField(field, context)
        if (type === null) return unmapped(field)
        if (from === null && to === null) return fieldSearch(type.type).exists(type)
        return fieldSearch(type.type).range(type, from, to, { format, timeZone, relation }, context)
      },
    }
  },
}

function relationOf(text: string): RangeRelation {
  const lower = text.toLowerCase()
  if (lower === 'intersects' || lower === 'within' || lower === 'contains') return lower
  if (lower === 'disjoint')
    throw new IllegalArgumentError(`[range] query does not support relation [${text}]`)
  throw new IllegalArgumentError(`${text} is not a valid relation`)
}
