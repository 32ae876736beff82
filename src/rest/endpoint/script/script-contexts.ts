/** Script contexts and languages. */
import { type Answer, defineEndpoint, type Endpoint } from '../../endpoint.ts'

/** `GET /_script_context`. */
export const scriptContexts: Endpoint = defineEndpoint({
  routes: [['GET', '/_script_context']],
  action: 'cluster:admin/script_context/get',
  params: {},
  body: 'none',
  handle({ engine }): Answer {
    const contexts = engine.scripts.contexts()
    return { json: { contexts: contexts.map(({ name, methods }) => ({ name, methods })) } }
  },
})

/** `GET /_script_language`. */
export const scriptLanguages: Endpoint = defineEndpoint({
  routes: [['GET', '/_script_language']],
  action: 'cluster:admin/script_language/get',
  params: {},
  body: 'none',
  handle({ engine }): Answer {
    const { typesAllowed, languages } = engine.scripts.languages()
    return {
      json: {
        types_allowed: typesAllowed,
        language_contexts: languages.map(({ language, contexts }) => ({ language, contexts })),
      },
    }
  },
})
