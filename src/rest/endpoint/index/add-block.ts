import type { BlockName } from '../../../engine/api/indices.ts'
import { IllegalArgumentError, validationFailed } from '../../../util/errors.ts'
import type { JsonRecord } from '../../../util/json/json-value.ts'
import {
  type Answer,
  defineEndpoint,
  type Endpoint,
  MASTER_PARAMS,
  TARGET_PARAMS,
  targetOf,
} from '../../endpoint.ts'

const NAMES: readonly BlockName[] = ['read_only', 'read', 'write', 'metadata']

/** `PUT /{index}/_block/{block}`. */
export const addBlock: Endpoint = defineEndpoint({
  routes: [['PUT', '/{index}/_block/{block}']],
  action: 'indices:admin/block/add',
  params: { ...TARGET_PARAMS, ...MASTER_PARAMS },
  body: 'none',
  async handle({ engine, params, part, context }): Promise<Answer> {
    const name = blockName(part('block'))
    const target = targetOf(part('index'), params, 'open,closed')
    const names = await engine.indices.addBlock(target, name, context)
    return {
      json: {
        acknowledged: true,
        shards_acknowledged: names.length > 0,
        indices: names.map((index): JsonRecord => ({ name: index, blocked: true })),
      },
    }
  },
})

function blockName(text: string): BlockName {
  if (text.toLowerCase() === 'read_only_allow_delete')
    throw validationFailed(['read_only_allow_delete block is for internal use only'])
  const name = NAMES.find(one => one === text.toLowerCase())
  if (name === undefined) throw new IllegalArgumentError(`No block found with name ${text}`)
  return name
}
