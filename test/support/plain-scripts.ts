/** Scripts of random queries, each with what it computes, the plain way. */
import type { ScriptPlan } from '../../src/search/script/script-plan.ts'
import { encodeUtf8 } from '../../src/util/bytes.ts'
import { parseJsonTree } from '../../src/util/json/json-tree.ts'
import type { Random } from '../../src/util/random.ts'
import type { PlainDocument } from './plain-leaf.ts'

/** The result for a document with numbers, a parameter and the score of a query. */
type Model = (numbers: readonly number[], n: number, score: number) => number

/** Sources of the context `score`; expressions where they begin with a sign. */
const SCORES: Readonly<Record<string, Model>> = {
  '_score * 2 + doc["num"].size()': (numbers, _n, score) => score * 2 + numbers.length,
  'doc["num"].empty ? params.n : Math.abs(doc["num"].value)': ([first], n) =>
    first === undefined ? n : Math.abs(first),
  'double s = 0; for (def v : doc["num"]) { s += v * v } return s / params.n;': (numbers, n) =>
    numbers.reduce((sum, v) => sum + v * v, 0) / n,
  '+_score + n + (doc["num"].empty ? 0 : 0.25)': (numbers, n, score) =>
    score + n + (numbers.length === 0 ? 0 : 0.25),
}

/** Sources of the context `filter`. */
const FILTERS: Readonly<Record<string, Model>> = {
  'doc["num"].size() > 0 && doc["num"].value % params.n == 0': ([first], n) =>
    first !== undefined && first % n === 0 ? 1 : 0,
  'doc.containsKey("num") && doc["num"].length == params.n': (numbers, n) =>
    numbers.length === n ? 1 : 0,
  '+doc["num"].sum() < n': (numbers, n) => (numbers.reduce((a, b) => a + b, 0) < n ? 1 : 0),
}

const TABLES = { score: SCORES, filter: FILTERS } as const

/** A script of a context. */
export function randomScript(random: Random, context: keyof typeof TABLES): ScriptPlan {
  const sources = Object.keys(TABLES[context])
  const source = sources[random.below(sources.length)]!
  const params = parseJsonTree(encodeUtf8(`{"n":${1 + random.below(4)}}`))
  if (params.kind !== 'object') throw new Error('parameters are an object')
  const column = { field: 'num', encoding: 'long', scale: 1 } as const
  return {
    lang: source.startsWith('+') ? 'expression' : 'painless',
    context,
    source,
    name: null,
    params,
    regex: { regex: 'limited', regexLimitFactor: 6 },
    fields: [{ name: 'num', field: { kind: 'long', column } }],
    terms: null,
    readsScore: source.includes('_score'),
    salt: 0,
    text: source,
  }
}

/** The result of a random script. @param score of the query around it */
export function plainScript(
  { context, source, params }: ScriptPlan,
  document: PlainDocument,
  score: number,
): number {
  const [entry] = params!.entries
  if (entry?.value.kind !== 'number') throw new Error('the parameter is a number')
  const numbers = (document.numbers.get('num') ?? []).map(Number).sort((a, b) => a - b)
  return TABLES[context as keyof typeof TABLES][source]!(numbers, entry.value.value, score)
}
