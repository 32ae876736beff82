/** Scores of `function_score`, the plain way. */
import type { FunctionScoreQuery, Query } from '../../src/search/query/query.ts'
import type { ScoreFunction } from '../../src/search/weight/function/score-function.ts'
import type { PlainDocument } from './plain-leaf.ts'
import { plainScript } from './plain-scripts.ts'

const f32 = Math.fround

/** The document's score; null when it does not match. @param score of a query on the document */
export function plainFunctionScore(
  { query, functions, combination }: FunctionScoreQuery,
  document: PlainDocument,
  score: (query: Query, boost: number) => number | null,
  boost: number,
): number | null {
  const own = score(query, boost)
  if (own === null) return null
  const { scoreMode, boostMode, maxBoost, minScore } = combination
  let result = own
  if (functions.length > 0) {
    const holding = functions.filter(({ filter }) => filter === null || score(filter, 1) !== null)
    const values = holding.map(
      each => functionValue(each.function, document, own) * (each.weight ?? 1),
    )
    const weights = holding.reduce((sum, { weight }) => sum + (weight ?? 1), 0)
    const sum = values.reduce((total, value) => total + value, 0)
    const value =
      values.length === 0
        ? 1
        : {
            first: values[0]!,
            multiply: values.reduce((product, each) => product * each, 1),
            sum,
            avg: sum / weights,
            max: Math.max(...values),
            min: Math.min(...values),
          }[scoreMode]
    const bounded = Math.min(value, maxBoost)
    result = f32(
      {
        multiply: own * bounded,
        replace: bounded,
        sum: own + bounded,
        avg: (bounded + own) / 2,
        max: Math.max(own, bounded),
        min: Math.min(own, bounded),
      }[boostMode],
    )
  }
  return minScore !== null && result < minScore ? null : result
}

function functionValue(fn: ScoreFunction, document: PlainDocument, own: number): number {
  switch (fn.kind) {
    case 'script':
      return plainScript(fn.script, document, own)
    case 'one':
      return 1
    case 'fieldValue': {
      const [first] = document.numbers.get(fn.field) ?? []
      const value = (first === undefined ? fn.missing! : Number(first)) * fn.factor
      return value * value
    }
    case 'decay': {
      if (fn.origin.kind !== 'number') throw new Error('the oracle has no places')
      const { value: origin } = fn.origin
      const values = document.numbers.get(fn.field) ?? []
      const all = values.map(value => Math.max(0, Math.abs(Number(value) - origin) - fn.offset))
      const far = all.length === 0 ? 0 : fn.mode === 'max' ? Math.max(...all) : Math.min(...all)
      const { scale, decay } = fn
      if (fn.shape === 'gauss')
        return Math.exp((0.5 * far * far) / ((0.5 * scale * scale) / Math.log(decay)))
      if (fn.shape === 'exp') return Math.exp((Math.log(decay) / scale) * far)
      const reach = scale / (1 - decay)
      return Math.max(0, (reach - far) / reach)
    }
    case 'random':
      throw new Error('the oracle does not know random scores')
  }
}
