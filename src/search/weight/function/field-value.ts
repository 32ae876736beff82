import { EngineError, IllegalArgumentError } from '../../../util/errors.ts'
import { doubleText, floatText } from '../../../util/json/float-text.ts'
import { NumberValues } from '../../scorer/number-values.ts'
import { step } from '../explanation.ts'
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
    const score = (docId: number): number => {
      const has = values !== null && values.open(docId) > 0
      if (!has && missing === null)
        throw new EngineError({
          type: 'exception',
          reason: `Missing value for field [${field}]`,
          status: 400,
        })
      const value = has ? values.value(0) : missing!
      const result = MODIFIERS[modifier](value * factor)
      if (result < 0)
        throw new IllegalArgumentError(
          'field value function must not produce negative scores, but got: ' +
            `[${doubleText(result)}] for field value: [${doubleText(value)}]${hint(modifier)}`,
        )
      return result
    }
    const description = `field value function: ${formula(of)}`
    return { score, explain: docId => step(score(docId), description) }
  },
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
