import { type Answer, defineEndpoint, type Endpoint, MASTER_PARAMS } from '../../endpoint.ts'
import { list } from '../../params.ts'

/** `DELETE /{index}/_alias/{name}`; both may hold patterns. */
export const deleteAlias: Endpoint = defineEndpoint({
  routes: [
    ['DELETE', '/{index}/_alias/{name}'],
    ['DELETE', '/{index}/_aliases/{name}'],
  ],
  action: 'indices:admin/aliases',
  params: MASTER_PARAMS,
  body: 'none',
  async handle({ engine, part, context }): Promise<Answer> {
    const indices = list(part('index'))
    const aliases = list(part('name'))
    await engine.aliases.update([{ kind: 'remove', indices, aliases, mustExist: null }], context)
    return { json: { acknowledged: true } }
  },
})
