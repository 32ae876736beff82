import { readBoolean } from '../json-scalars.ts'
import type { AggregationParser } from './aggregation-parser.ts'
import { bindNumbers, overValues } from './bind-values.ts'
import { readFields } from './object-fields.ts'
import { checkRanges, type ParsedRange, readRanges, sortedRanges } from './ranges.ts'
import { numberOf } from './request-number.ts'
import { noNumbers } from './typed-source.ts'
import { checkFieldGiven, newValueKeys, valueReaders } from './value-keys.ts'

/** Ranges of numbers or dates. */
export function rangeParser(type: 'range' | 'date_range'): AggregationParser {
  const byDefault = type === 'range' ? 'number' : 'date'
  return {
    takesChildren: true,
    sortable: 'no',
    parse({ name, node }) {
      const keys = newValueKeys()
      let ranges: readonly ParsedRange[] = []
      let keyed = false
      readFields(node, type, valueReaders(keys, { zone: type === 'date_range' }), {
        ranges: value => {
          ranges = readRanges(value, type)
        },
        keyed: value => {
          keyed = readBoolean(value)
        },
      })
      checkRanges(ranges, name)
      checkFieldGiven(keys)
      return {
        bind(context, children) {
          const source = bindNumbers(keys, { aggregation: type, byDefault }, context)
          return overValues(source, noNumbers(keys, byDefault), values => ({
            kind: 'range',
            type,
            name,
            children,
            values,
            ranges: sortedRanges(ranges, text => numberOf(values, text, context)),
            keyed,
          }))
        },
      }
    },
  }
}
