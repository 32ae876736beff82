import type { ScriptQuery } from './query.ts'
import type { QueryType } from './query-type.ts'

/** Documents that a script takes. */
export const scriptQuery: QueryType<ScriptQuery> = {
  className: () => 'ScriptQuery',
  text: ({ script }) => `ScriptQuery(${script.text})`,
  clauseCount: () => 1,
  mapInner: null,
  createWeight({ script }, builder, id, boost) {
    builder.useScript(script)
    for (const leaf of builder.leaves) builder.cost += leaf.maxDoc
    return { kind: 'script', id, score: boost, script }
  },
}
