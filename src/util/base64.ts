/**
 * The bytes of a text in Base64 (RFC 4648) with its padding; blanks and line ends between groups of
 * four characters are passed over. Null for any other text.
 */
export function decodeBase64(text: string): Uint8Array | null {
  const plain = /\s/.test(text) ? text.replace(/\s+/g, '') : text
  if (plain.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(plain)) return null
  return Buffer.from(plain, 'base64')
}
