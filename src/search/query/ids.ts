import { encodeUtf8 } from '../../util/bytes.ts'
import type { IdsQuery } from './query.ts'
import type { QueryType } from './query-type.ts'

/** Documents by `_id`. */
export const idsQuery: QueryType<IdsQuery> = {
  className: () => 'TermInSetQuery',
  text: query => `_id:(${query.ids.map(idText).join(' ')})`,
  clauseCount: () => 1,
  mapInner: null,
  createWeight(query, builder, id, boost) {
    builder.terms.use('', 'ids')
    builder.cost += query.ids.length
    return { kind: 'ids', id, score: boost, ids: query.ids.map(encodeUtf8) }
  },
}

/**
 * An id in the reference engine's encoding, printed as hex bytes. All digits: `fe`, then two a
 * byte; unpadded URL-safe base64: the decoded bytes (behind `fd` if they start at `fd` or above);
 * else `ff`, then UTF-8.
 */
function idText(id: string): string {
  const hex = [...idBytes(id)].map(byte => byte.toString(16)).join(' ')
  return `[${hex}]`
}

function idBytes(id: string): Uint8Array {
  if (/^[0-9]+$/.test(id)) {
    const packed = new Uint8Array(1 + ((id.length + 1) >>> 1))
    packed[0] = 0xfe
    for (let i = 0; i < id.length; i += 2) {
      const high = id.charCodeAt(i) - 48
      const low = i + 1 < id.length ? id.charCodeAt(i + 1) - 48 : 0xf
      packed[1 + (i >>> 1)] = (high << 4) | low
    }
    return packed
  }
  if (isUnpaddedBase64(id)) {
    const decoded = Buffer.from(id, 'base64url')
    return (decoded[0] ?? 0) >= 0xfd ? Uint8Array.of(0xfd, ...decoded) : decoded
  }
  return Uint8Array.of(0xff, ...encodeUtf8(id))
}

function isUnpaddedBase64(id: string): boolean {
  if (!/^[A-Za-z0-9_-]+$/.test(id)) return false
  // The unused bits of the last character must be zero.
  const rest = id.length % 4
  if (rest === 1) return false
  if (rest === 2) return /[AQgw]$/.test(id)
  return rest === 0 || /[AEIMQUYcgkosw048]$/.test(id)
}
