import { IllegalArgumentError } from '../../../util/errors.ts'
import {
  type Answer,
  defineEndpoint,
  type Endpoint,
  NO_TARGET_PARAMS,
  targetOf,
} from '../../endpoint.ts'
import { list } from '../../params.ts'
import { shardsWithFailures } from '../../shard-failures.ts'

/** `POST /_plugins/_refresh_search_analyzers/{index}`: files of filters with `updateable` are read again. */
export const refreshSearchAnalyzers: Endpoint = defineEndpoint({
  routes: [
    ['POST', '/_plugins/_refresh_search_analyzers'],
    ['POST', '/_plugins/_refresh_search_analyzers/{index}'],
  ],
  action: 'indices:admin/refresh_search_analyzers',
  params: {},
  body: 'none',
  async handle({ engine, part, context }): Promise<Answer> {
    const names = part('index')
    if (list(names).length === 0) throw new IllegalArgumentError('Missing indices')
    const target = targetOf(names, NO_TARGET_PARAMS, 'open')
    const { counts, failures, indices } = await engine.analysis.reload(target, context)
    return {
      json: {
        _shards: shardsWithFailures(counts, failures),
        successful_refresh_details: indices.map(({ index, analyzers }) => ({
          index,
          refreshed_analyzers: analyzers,
        })),
      },
    }
  },
})
