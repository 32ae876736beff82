/** The content of JSON strings: well-formed UTF-8 and escapes. */

/** Keeps a leading U+FEFF, which is text here; the bytes are known to be valid. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** Text of validated bytes, unescaped if necessary. */
export function jsonText(
  bytes: Uint8Array,
  start: number,
  end: number,
  hasEscapes: boolean,
): string {
  if (!hasEscapes) return decoder.decode(bytes.subarray(start, end))
  const scratch = new Uint8Array(end - start)
  const length = fillEscapes(bytes, start, end, scratch, 0)
  return decoder.decode(scratch.subarray(0, length))
}

/** Whether a byte is 0 … 9. */
export function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39
}

/** Value of a hex digit, −1 for any other byte. */
export function hexDigit(byte: number): number {
  if (isDigit(byte)) return byte - 0x30
  const lower = byte | 0x20
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1
}

/**
 * Length of the well-formed UTF-8 sequence of two to four bytes at `at`, 0 when it is not well
 * formed (Unicode, table 3-7: no overlong forms, no surrogates, nothing past U+10FFFF).
 */
export function utf8Length(bytes: Uint8Array, at: number, limit: number): number {
  const b0 = bytes[at]!
  if (b0 < 0xc2 || b0 > 0xf4) return 0
  if (at + 1 >= limit) return 0
  const b1 = bytes[at + 1]!
  if ((b1 & 0xc0) !== 0x80) return 0
  if (b0 < 0xe0) return 2
  if (at + 2 >= limit || (bytes[at + 2]! & 0xc0) !== 0x80) return 0
  if (b0 < 0xf0) {
    if (b0 === 0xe0 && b1 < 0xa0) return 0
    if (b0 === 0xed && b1 > 0x9f) return 0
    return 3
  }
  if (b0 === 0xf0 && b1 < 0x90) return 0
  if (b0 === 0xf4 && b1 > 0x8f) return 0
  if (at + 3 >= limit || (bytes[at + 3]! & 0xc0) !== 0x80) return 0
  return 4
}

/** Unescapes a validated string; see `JsonReader.unescapeInto`. */
export function fillEscapes(
  bytes: Uint8Array,
  start: number,
  end: number,
  target: Uint8Array,
  at: number,
): number {
  let from = start
  let to = at
  while (from < end) {
    const byte = bytes[from]!
    if (byte !== 0x5c) {
      target[to++] = byte
      from++
      continue
    }
    const kind = bytes[from + 1]!
    if (kind !== 0x75) {
      target[to++] = SHORT_ESCAPES[kind]!
      from += 2
      continue
    }
    let point = hex4(bytes, from + 2)
    from += 6
    if (point >= 0xd800 && point < 0xe000) {
      const isPair =
        point < 0xdc00 && from + 6 <= end && bytes[from] === 0x5c && bytes[from + 1] === 0x75
      const low = isPair ? hex4(bytes, from + 2) : 0
      if (low >= 0xdc00 && low < 0xe000) {
        point = 0x10000 + ((point - 0xd800) << 10) + (low - 0xdc00)
        from += 6
      } else point = 0xfffd
    }
    if (point < 0x80) target[to++] = point
    else if (point < 0x800) {
      target[to++] = 0xc0 | (point >> 6)
      target[to++] = 0x80 | (point & 0x3f)
    } else if (point < 0x10000) {
      target[to++] = 0xe0 | (point >> 12)
      target[to++] = 0x80 | ((point >> 6) & 0x3f)
      target[to++] = 0x80 | (point & 0x3f)
    } else {
      target[to++] = 0xf0 | (point >> 18)
      target[to++] = 0x80 | ((point >> 12) & 0x3f)
      target[to++] = 0x80 | ((point >> 6) & 0x3f)
      target[to++] = 0x80 | (point & 0x3f)
    }
  }
  return to
}

function hex4(bytes: Uint8Array, at: number): number {
  return (
    (hexDigit(bytes[at]!) << 12) |
    (hexDigit(bytes[at + 1]!) << 8) |
    (hexDigit(bytes[at + 2]!) << 4) |
    hexDigit(bytes[at + 3]!)
  )
}

/** The character of each one-letter escape. */
const SHORT_ESCAPES = new Uint8Array(256)
SHORT_ESCAPES[0x22] = 0x22
SHORT_ESCAPES[0x5c] = 0x5c
SHORT_ESCAPES[0x2f] = 0x2f
SHORT_ESCAPES[0x62] = 0x08
SHORT_ESCAPES[0x66] = 0x0c
SHORT_ESCAPES[0x6e] = 0x0a
SHORT_ESCAPES[0x72] = 0x0d
SHORT_ESCAPES[0x74] = 0x09
