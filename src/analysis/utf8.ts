/** Code points in UTF-8 bytes that are known to be well formed, and strings as such bytes. */

/** Length of the sequence that starts with this byte. */
export function utf8Length(byte: number): number {
  return byte < 0x80 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4
}

/** The code point at `at`. */
export function codePointAt(bytes: Uint8Array, at: number): number {
  const b0 = bytes[at]!
  if (b0 < 0x80) return b0
  if (b0 < 0xe0) return ((b0 & 0x1f) << 6) | (bytes[at + 1]! & 0x3f)
  if (b0 < 0xf0)
    return ((b0 & 0x0f) << 12) | ((bytes[at + 1]! & 0x3f) << 6) | (bytes[at + 2]! & 0x3f)
  return (
    ((b0 & 0x07) << 18) |
    ((bytes[at + 1]! & 0x3f) << 12) |
    ((bytes[at + 2]! & 0x3f) << 6) |
    (bytes[at + 3]! & 0x3f)
  )
}

/** Writes a code point at `at`; returns the place behind it. */
export function putCodePoint(target: Uint8Array, at: number, point: number): number {
  if (point < 0x80) {
    target[at] = point
    return at + 1
  }
  if (point < 0x800) {
    target[at] = 0xc0 | (point >> 6)
    target[at + 1] = 0x80 | (point & 0x3f)
    return at + 2
  }
  if (point < 0x10000) {
    target[at] = 0xe0 | (point >> 12)
    target[at + 1] = 0x80 | ((point >> 6) & 0x3f)
    target[at + 2] = 0x80 | (point & 0x3f)
    return at + 3
  }
  target[at] = 0xf0 | (point >> 18)
  target[at + 1] = 0x80 | ((point >> 12) & 0x3f)
  target[at + 2] = 0x80 | ((point >> 6) & 0x3f)
  target[at + 3] = 0x80 | (point & 0x3f)
  return at + 4
}

/** Room for one string's UTF-8 after the other. */
export class Utf8Scratch {
  bytes: Uint8Array = new Uint8Array(256)

  /** Writes a string from 0 on, lone surrogates as U+FFFD; returns its length in bytes. */
  put(text: string): number {
    const units = text.length
    if (units * 3 > this.bytes.length) this.bytes = new Uint8Array(units * 6)
    const { bytes } = this
    let to = 0
    for (let i = 0; i < units; i++) {
      const unit = text.charCodeAt(i)
      if (unit < 0x80) bytes[to++] = unit
      else if (unit < 0xd800 || unit > 0xdfff) to = putCodePoint(bytes, to, unit)
      else {
        const point = text.codePointAt(i)!
        if (point > 0xffff) i++
        to = putCodePoint(bytes, to, point > 0xffff ? point : 0xfffd)
      }
    }
    return to
  }
}
