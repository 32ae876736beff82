/** Scores of `function_score`, the plain way. */
import type { FunctionScoreQuery, Query } from '../../src/search/query/query.ts'
import type {
  ScoreFunction,
  ValueModifier,
} from '../../src/search/weight/function/score-function.ts'
import { encodeUtf8 } from '../../src/util/bytes.ts'
import { arcDistance } from '../../src/util/geo-distance.ts'
import { murmur3 } from '../../src/util/murmur3.ts'
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
    // The only function, if it has no filter, is not put together with others, as in the reference server.
    const [only] = functions
    const isAlone = functions.length === 1 && only!.filter === null
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
          }[isAlone ? 'first' : scoreMode]
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

const MODIFIED: Readonly<Record<ValueModifier, (value: number) => number>> = {
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

/** The last steps of MurmurHash3. */
function finalMix(value: number): number {
  let hash = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return hash ^ (hash >>> 16)
}

function functionValue(fn: ScoreFunction, document: PlainDocument, own: number): number {
  switch (fn.kind) {
    case 'script':
      return plainScript(fn.script, document, own)
    case 'one':
      return 1
    case 'vector':
      throw new Error('the model has no vectors')
    case 'fieldValue': {
      const [first] = document.numbers.get(fn.field) ?? []
      const value = (first === undefined ? fn.missing! : Number(first)) * fn.factor
      return MODIFIED[fn.modifier](value)
    }
    case 'decay': {
      const { origin } = fn
      const distances =
        origin.kind === 'place'
          ? (document.places?.get(fn.field) ?? []).map(each => arcDistance(each, origin.place))
          : (document.numbers.get(fn.field) ?? []).map(each =>
              Math.abs(Number(each) - origin.value),
            )
      const all = distances.map(each => Math.max(0, each - fn.offset)).sort((a, b) => a - b)
      const sum = all.reduce((total, each) => total + each, 0)
      const far =
        all.length === 0
          ? 0
          : { min: all[0]!, max: all.at(-1)!, sum, avg: sum / all.length }[fn.mode]
      const { scale, decay } = fn
      if (fn.shape === 'gauss')
        return Math.exp((0.5 * far * far) / ((0.5 * scale * scale) / Math.log(decay)))
      if (fn.shape === 'exp') return Math.exp((Math.log(decay) / scale) * far)
      const reach = scale / (1 - decay)
      return Math.max(0, (reach - far) / reach)
    }
    case 'random': {
      if (fn.source.kind !== 'ids') throw new Error('the oracle knows random scores by id alone')
      return (murmur3(encodeUtf8(document.id), finalMix(fn.seed ^ fn.salt)) & 0xffffff) / 2 ** 24
    }
  }
}
