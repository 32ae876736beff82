import type { Leaf } from '../../../segment/leaf.ts'
import { EngineError, IllegalArgumentError } from '../../../util/errors.ts'
import { doubleText, floatText } from '../../../util/json/float-text.ts'
import { NumberValues } from '../../scorer/number-values.ts'
import { decodePoint } from '../../scorer/point-encoding.ts'
import { step } from '../explanation.ts'
import { nameBehind } from './named.ts'
import type { FieldValueFunction, ValueModifier } from './score-function.ts'
import type { ScoreFunctionType } from './score-function-type.ts'

const MODIFIERS: Readonly<Record<ValueModifier, (value: number) => number>> = {
  none: value => value,
  log: Math.log10,
  log1p: value => Math.log10(value + 1),
  log2p: value => Math.log10(value + 2),
  ln: Math.log,
  ln1p: Math.log1p,
  ln2p: value => Math.log1p(value + 1),
  square: value => value * value,
  sqrt: Math.sqrt,
  reciprocal: value => 1 / value,
}

/** A document's number, times a factor, changed. */
export const fieldValueFunction: ScoreFunctionType<FieldValueFunction> = {
  text: of => `field value function: ${formula(of)}`,
  sections: ({ column }) => (column === null ? [] : [[column.field, 'numericValues']]),
  open(of, leaf) {
    const { field, column, factor, modifier, missing } = of
    const values = column === null ? null : new NumberValues(leaf.numericValues(field), column)
    const modified = remembered(modifier, factor)
    const score = (docId: number): number => {
      const has = values !== null && values.open(docId) > 0
      if (!has && missing === null)
        throw new EngineError({
          type: 'exception',
          reason: `Missing value for field [${field}]`,
          status: 400,
        })
      const value = has ? values.value(0) : missing!
      const result = modified(value)
      if (result < 0)
        throw new IllegalArgumentError(
          'field value function must not produce negative scores, but got: ' +
            `[${doubleText(result)}] for field value: [${doubleText(value)}]${hint(modifier)}`,
        )
      return result
    }
    return {
      score,
      maxScore: maxOf(of, leaf),
      explain: (docId, _query, name) =>
        step(score(docId), `field value function${nameBehind(name)}: ${formula(of)}`),
    }
  },
}

/** Results for numbers from 0 up to this are kept: what is counted is often small. */
const REMEMBERED = 1024

/** Tables of results at most; all go when there would be more. */
const MAX_TABLES = 16
const tables = new Map<string, Float64Array>()

/** A modifier that keeps its results for small integers, as logarithms take longer than the rest. */
function remembered(modifier: ValueModifier, factor: number): (value: number) => number {
  const key = `${modifier} ${factor}`
  let results = tables.get(key)
  if (results === undefined) {
    if (tables.size === MAX_TABLES) tables.clear()
    results = new Float64Array(REMEMBERED).fill(Number.NaN)
    tables.set(key, results)
  }
  const known = results
  const compute = MODIFIERS[modifier]
  return value => {
    if (!(value >= 0 && value < REMEMBERED && Number.isInteger(value)))
      return compute(value * factor)
    const result = known[value]!
    // A result that is not a number is computed each time.
    return Number.isNaN(result) ? (known[value] = compute(value * factor)) : result
  }
}

/** Every modifier has its extremes at the ends of the values, but for poles, which are not finite there. */
function maxOf(
  { field, column, factor, modifier, missing }: FieldValueFunction,
  leaf: Leaf,
): number {
  const values = column === null ? null : leaf.numericValues(field)
  const ends = missing === null ? [] : [missing]
  if (missing === null && values?.docCount !== leaf.maxDoc) return Number.POSITIVE_INFINITY
  if (values !== null && column !== null && values.docCount > 0) {
    const { minHi, minLo, maxHi, maxLo } = values
    const { encoding, scale } = column
    const [min, max] = [decodePoint(minHi, minLo, encoding), decodePoint(maxHi, maxLo, encoding)]
    ends.push(min / scale, max / scale)
    // Between the ends lies the pole of a reciprocal.
    if (modifier === 'reciprocal' && min <= 0) return Number.POSITIVE_INFINITY
  }
  const results = ends.map(end => MODIFIERS[modifier](end * factor))
  const isKnown = results.every(result => result >= 0)
  return isKnown ? Math.max(...results) : Number.POSITIVE_INFINITY
}

function formula({ field, factor, modifier, missing }: FieldValueFunction): string {
  const otherwise = missing === null ? '' : `?:${doubleText(missing)}`
  return `${modifier}(doc['${field}'].value${otherwise} * factor=${floatText(factor)})`
}

function hint(modifier: ValueModifier): string {
  const [kind] = /^(log|ln)/.exec(modifier) ?? []
  if (kind === undefined) return ''
  return `; consider using ${kind}1p or ${kind}2p instead of ${kind} to avoid negative scores`
}
