import type { JsonNode } from '../../../util/json/json-tree.ts'
import { parseDuration } from '../../../util/units.ts'
import { type Answer, defineEndpoint, type Endpoint } from '../../endpoint.ts'
import { flag, list, millis, text } from '../../params.ts'
import { contextEntries, idsOf, unknownParameter } from './context-body.ts'

/** `GET|POST /_search/scroll[/{scroll_id}]`: the next page. */
export const scroll: Endpoint = defineEndpoint({
  routes: [
    ['GET', '/_search/scroll'],
    ['POST', '/_search/scroll'],
    ['GET', '/_search/scroll/{scroll_id}'],
    ['POST', '/_search/scroll/{scroll_id}'],
  ],
  action: 'indices:data/read/scroll',
  params: { scroll: millis, scroll_id: text, rest_total_hits_as_int: flag },
  body: 'json',
  async handle({ engine, params, part, body, context }): Promise<Answer> {
    const ofUrl = part('scroll_id') === '' ? (params.scroll_id ?? null) : part('scroll_id')
    const asked = { scrollId: ofUrl, keepAliveInMillis: params.scroll ?? null, ...readPage(body) }
    const totalAsInt = params.rest_total_hits_as_int ?? false
    const outcome = await engine.contexts.nextPage({ ...asked, totalAsInt }, context)
    return { json: outcome.body }
  },
})

/** `DELETE /_search/scroll[/{scroll_id}]`. */
export const clearScroll: Endpoint = defineEndpoint({
  routes: [
    ['DELETE', '/_search/scroll'],
    ['DELETE', '/_search/scroll/{scroll_id}'],
  ],
  action: 'indices:data/read/scroll/clear',
  params: { scroll_id: text },
  body: 'json',
  async handle({ engine, params, part, body, context }): Promise<Answer> {
    const ofUrl = list(part('scroll_id') === '' ? (params.scroll_id ?? '') : part('scroll_id'))
    const ids = contextEntries(body).flatMap(entry => {
      if (entry.key !== 'scroll_id') throw unknownParameter(entry)
      return idsOf(entry, 'scroll_id')
    })
    const freed = await engine.contexts.clearScrolls({ ids: ids.length > 0 ? ids : ofUrl }, context)
    return { status: freed === 0 ? 404 : 200, json: { succeeded: true, num_freed: freed } }
  },
})

/** The body of a page, which wins over the URL. */
function readPage(body: JsonNode | null): {
  readonly scrollId?: string
  readonly keepAliveInMillis?: number
} {
  let read: ReturnType<typeof readPage> = {}
  for (const entry of contextEntries(body)) {
    const { key, value } = entry
    if (value.kind !== 'string') throw unknownParameter(entry)
    if (key === 'scroll_id') read = { ...read, scrollId: value.value }
    else if (key === 'scroll')
      read = { ...read, keepAliveInMillis: parseDuration(value.value, key) / 1e6 }
    else throw unknownParameter(entry)
  }
  return read
}
