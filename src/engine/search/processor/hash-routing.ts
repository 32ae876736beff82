import { encodeUtf8 } from '../../../util/bytes.ts'
import { murmur128 } from '../../../util/murmur128.ts'

/** A text's hash as a routing value: the first half of it, without its sign. */
export function hashRouting(text: string): string {
  const hash = BigInt.asIntN(64, murmur128(encodeUtf8(text))[0])
  if (hash === -(2n ** 63n)) return '0'
  return String(hash < 0n ? -hash : hash)
}
