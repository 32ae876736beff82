import type { QuantileMethod, Quantiles } from '../../../aggregation/quantile/quantiles.ts'
import { EngineError, IllegalArgumentError } from '../../../util/errors.ts'
import { doubleText } from '../../../util/json/float-text.ts'
import type { JsonNode } from '../../../util/json/json-tree.ts'
import { readBoolean, readInteger, readNumber } from '../json-scalars.ts'
import { parsingError, tokenName } from '../parse-error.ts'
import type { AggregationParser } from './aggregation-parser.ts'
import { bindNumbers, overValues } from './bind-values.ts'
import { readFields } from './object-fields.ts'
import { noNumbers } from './typed-source.ts'
import { checkFieldGiven, newValueKeys, valueReaders } from './value-keys.ts'

const DEFAULT_PERCENTS: readonly number[] = [1, 5, 25, 50, 75, 95, 99]
const DEFAULT_COMPRESSION = 100
const DEFAULT_DIGITS = 3

/** percentiles and percentile_ranks. */
export function quantiles(asks: Quantiles['asks']): AggregationParser {
  const list = asks === 'percentiles' ? 'percents' : 'values'
  return {
    takesChildren: false,
    sortable: 'stats',
    parse({ name, node }) {
      const source = newValueKeys()
      let numbers = asks === 'percentiles' ? DEFAULT_PERCENTS : null
      let keyed = true
      let method: QuantileMethod | null = null
      const choose = (chosen: QuantileMethod): void => {
        if (method !== null)
          throw new EngineError({
            type: 'illegal_state_exception',
            reason: 'Only one percentiles method should be declared.',
          })
        method = chosen
      }
      readFields(node, asks, valueReaders(source), {
        [list]: value => {
          numbers = readNumbers(value, list, name)
          if (asks === 'percentiles') checkPercents(numbers, name)
        },
        keyed: value => {
          keyed = readBoolean(value)
        },
        tdigest: value => choose(readDigest(value)),
        hdr: value => choose(readHighDynamicRange(value)),
      })
      if (numbers === null) throw new IllegalArgumentError(`Required [${list}]`)
      checkFieldGiven(source)
      const keys = Float64Array.from(numbers).sort()
      return {
        hasMetric: asked => asked.trim() !== '' && keys.includes(Number(asked)),
        bind(context) {
          const taken = { aggregation: asks, byDefault: 'number' } as const
          const bound = bindNumbers(source, taken, context)
          return overValues(bound, noNumbers(source, 'number'), values => ({
            kind: 'quantiles',
            name,
            children: [],
            asks,
            values,
            method: method ?? { kind: 'tdigest', compression: DEFAULT_COMPRESSION },
            keys: [...keys],
            keyed,
          }))
        },
      }
    },
  }
}

/** One number or a list of them. */
function readNumbers(node: JsonNode, list: string, name: string): readonly number[] {
  if (node.kind === 'null') throw new IllegalArgumentError(`[${list}] must not be null: [${name}]`)
  const numbers = node.kind === 'array' ? node.items.map(readNumber) : [readNumber(node)]
  if (numbers.length === 0)
    throw new IllegalArgumentError(`[${list}] must not be an empty array: [${name}]`)
  return numbers
}

function checkPercents(percents: readonly number[], name: string): void {
  for (const percent of percents)
    if (percent < 0 || percent > 100)
      throw new IllegalArgumentError(
        `percent must be in [0,100], got [${doubleText(percent)}]: [${name}]`,
      )
}

function readDigest(node: JsonNode): QuantileMethod {
  let compression = DEFAULT_COMPRESSION
  readMethod(node, 'tdigest', {
    compression: value => {
      compression = readNumber(value)
      if (compression < 0)
        throw new IllegalArgumentError(
          `[compression] must be greater than or equal to 0. Found [${doubleText(compression)}]`,
        )
    },
  })
  return { kind: 'tdigest', compression }
}

function readHighDynamicRange(node: JsonNode): QuantileMethod {
  let digits = DEFAULT_DIGITS
  readMethod(node, 'hdr', {
    number_of_significant_value_digits: value => {
      digits = readInteger(value)
      if (digits < 0 || digits > 5)
        throw new IllegalArgumentError('[numberOfSignificantValueDigits] must be between 0 and 5')
    },
  })
  return { kind: 'hdr', digits }
}

function readMethod(node: JsonNode, name: string, readers: Parameters<typeof readFields>[2]): void {
  if (node.kind !== 'object')
    throw parsingError(node, `Expected [START_OBJECT] but found [${tokenName(node.kind)}]`)
  readFields(node, name, readers)
}
