import { floatText } from '../../util/json/float-text.ts'
import { functionTypeOf } from '../weight/function/score-functions.ts'
import type { FunctionScoreQuery, Query } from './query.ts'
import type { QueryOps, QueryType } from './query-type.ts'

/** A query's documents, their scores changed by functions. */
export const functionScoreQuery: QueryType<FunctionScoreQuery> = {
  className: () => 'FunctionScoreQuery',
  text({ query, functions }, of) {
    const texts = functions.map(each => `{${functionText(each, of)}}`)
    return `function score (${of.text(query)}, functions: [${texts.join('')}])`
  },
  clauseCount: ({ query, functions }, of) =>
    functions.reduce(
      (sum, { filter }) => sum + (filter === null ? 0 : of.clauseCount(filter)),
      of.clauseCount(query),
    ),
  mapInner: mapped,
  rewrite(query, of) {
    const inner = of.rewrite(query.query)
    if (inner.kind === 'matchNone') return inner
    return mapped(query, each => (each === query.query ? inner : of.rewrite(each)))
  },
  unscored: (query, of) => (query.combination.minScore === null ? of.unscored(query.query) : query),
  visitTerms: (query, visitor, of) => of.visitTerms(query.query, visitor),
  createWeight({ query, functions, combination, names }, builder, id, boost, scored) {
    if (!scored && combination.minScore === null) return builder.createAs(id, query, boost, false)
    const readsScores =
      combination.boostMode !== 'replace' ||
      functions.length === 0 ||
      functions.some(({ function: fn }) => fn.kind === 'script' && fn.script.readsScore)
    const child = builder.child(query, boost, readsScores, id)
    const nodes = functions.map(each => {
      const sections = functionTypeOf(each.function).sections(each.function)
      for (const [field, kind] of sections) builder.terms.use(field, kind)
      const { function: fn } = each
      const bound = fn.kind === 'script' ? { ...fn, script: builder.useScript(fn.script) } : fn
      const filter = each.filter === null ? null : builder.child(each.filter, 1, false, id)
      return { filter, function: bound, weight: each.weight }
    })
    const node = { id, child, functions: nodes, combination, readsScores }
    return { kind: 'functionScore', ...node, ...(names === undefined ? {} : { names }) }
  },
}

function functionText(
  { filter, function: fn, weight }: FunctionScoreQuery['functions'][number],
  of: QueryOps,
): string {
  const own = functionTypeOf(fn).text(fn)
  const text = weight === null ? own : `weight(${floatText(weight)}) of ${own}`
  return filter === null ? text : `filter(${of.text(filter)}), function [${text}]`
}

function mapped(query: FunctionScoreQuery, change: (inner: Query) => Query): FunctionScoreQuery {
  const inner = change(query.query)
  const functions = query.functions.map(each => {
    const filter = each.filter === null ? null : change(each.filter)
    return filter === each.filter ? each : { ...each, filter }
  })
  if (inner === query.query && functions.every((each, i) => each === query.functions[i]))
    return query
  return { ...query, query: inner, functions }
}
