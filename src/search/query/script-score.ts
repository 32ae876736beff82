import type { ScriptScoreQuery } from './query.ts'
import type { QueryType } from './query-type.ts'

/** A query's documents, scored by a script. */
export const scriptScoreQuery: QueryType<ScriptScoreQuery> = {
  className: () => 'ScriptScoreQuery',
  text: ({ query, script }, of) => `script_score (${of.text(query)}, script: {${script.text}})`,
  clauseCount: ({ query }, of) => of.clauseCount(query),
  mapInner(query, change) {
    const inner = change(query.query)
    return inner === query.query ? query : { ...query, query: inner }
  },
  rewrite(query, of) {
    const inner = of.rewrite(query.query)
    if (inner.kind === 'matchNone') return inner
    return inner === query.query ? query : { ...query, query: inner }
  },
  unscored: (query, of) => (query.minScore === null ? of.unscored(query.query) : query),
  visitTerms: ({ query }, visitor, of) => of.visitTerms(query, visitor),
  createWeight({ query, script, minScore, name }, builder, id, boost, scored) {
    if (!scored && minScore === null) return builder.createAs(id, query, boost, false)
    const bound = builder.useScript(script)
    const child = builder.child(query, 1, script.readsScore, id)
    const node = { id, child, script: bound, minScore, boost }
    return { kind: 'scriptScore', ...node, ...(name === undefined ? {} : { name }) }
  },
}
