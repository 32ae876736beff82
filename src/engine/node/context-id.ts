/**
 * The ids of scrolls and points in time: 15 bytes as URL-safe base64, 20 characters.
 *
 *   0  u8      kind: 1 a scroll, 2 a point in time
 *   1  u8[8]   session: random bytes of the node's run, which another run or node does not share
 *   9  u48     number of the context, from 1; big-endian
 *
 * Example: a scroll of the session 0 with the number 5 is `AQAAAAAAAAAAAAAAAAAF`.
 */

/** The kinds of contexts. */
export type ContextKind = 'scroll' | 'pit'

/** Bytes of a session. */
export const SESSION_BYTES = 8

const KINDS: readonly ContextKind[] = ['scroll', 'pit']
const BYTES = 1 + SESSION_BYTES + 6

/** The id of a context. */
export function encodeContextId(kind: ContextKind, session: Uint8Array, number: number): string {
  const bytes = Buffer.alloc(BYTES)
  bytes[0] = 1 + KINDS.indexOf(kind)
  bytes.set(session, 1)
  bytes.writeUIntBE(number, 1 + SESSION_BYTES, 6)
  return bytes.toString('base64url')
}

/** The parts of an id; null where it is none of that kind. */
export function decodeContextId(
  kind: ContextKind,
  id: string,
): { readonly session: Uint8Array; readonly number: number } | null {
  const bytes = Buffer.from(id, 'base64url')
  // The decoder passes over what is no base64.
  if (bytes.length !== BYTES || bytes.toString('base64url') !== id) return null
  if (bytes[0] !== 1 + KINDS.indexOf(kind)) return null
  const session = bytes.subarray(1, 1 + SESSION_BYTES)
  return { session, number: bytes.readUIntBE(1 + SESSION_BYTES, 6) }
}
