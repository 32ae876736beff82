import { encodeUtf8 } from '../../../../util/bytes.ts'
import { murmur128 } from '../../../../util/murmur128.ts'
import { queriesIn, valuesOn } from '../query-leaves.ts'
import type { RequestProcessorType } from '../search-processor.ts'
import { sourceKey } from '../search-source.ts'

const EXACT: readonly string[] = ['term', 'terms']

/** `acl_routing_search`: a search looks at the shards of the groups that its query names in a field. */
export const ACL_ROUTING_SEARCH: RequestProcessorType = {
  name: 'acl_routing_search',
  parse(config) {
    const field = config.text('acl_field')
    const extracts = config.flag('extract_from_query', true)
    return call => {
      if (!extracts) return call
      const groups = Array.from(queriesIn(sourceKey(call, 'query'), () => true))
        .filter(({ name }) => EXACT.includes(name))
        .flatMap(query => valuesOn(query, field))
      if (groups.length === 0) return call
      return { ...call, options: { ...call.options, routing: groups.map(routingOf) } }
    }
  },
}

/** The hash of a group in base64 of URLs, as the processor of documents makes it. */
function routingOf(group: string): string {
  const bytes = Buffer.alloc(16)
  const [high, low] = murmur128(encodeUtf8(group))
  bytes.writeBigUInt64BE(high, 0)
  bytes.writeBigUInt64BE(low, 8)
  return bytes.toString('base64url')
}
