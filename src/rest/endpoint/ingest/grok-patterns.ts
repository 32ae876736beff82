import { type Answer, defineEndpoint, type Endpoint } from '../../endpoint.ts'
import { flag } from '../../params.ts'

/** `GET /_ingest/processor/grok`: the patterns that expressions may name; `s=true` sorts them. */
export const grokPatterns: Endpoint = defineEndpoint({
  routes: [['GET', '/_ingest/processor/grok']],
  action: 'cluster:admin/ingest/processor/grok/get',
  params: { s: flag },
  body: 'none',
  handle({ engine, params }): Answer {
    const patterns = [...engine.pipelines.grokPatterns()]
    if (params.s ?? false) patterns.sort(([a], [b]) => (a < b ? -1 : 1))
    return { json: { patterns: new Map(patterns) } }
  },
})
