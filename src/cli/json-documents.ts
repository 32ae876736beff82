/** Documents out of streams of JSON: one a line, or the items of one array. Bytes stay as they are. */

const NEWLINE = 10
const QUOTE = 34
const BACKSLASH = 92
const COMMA = 44
const ARRAY_START = 91
const ARRAY_END = 93
const OBJECT_START = 123
const OBJECT_END = 125

/** Longest document that is read; the API takes none longer either. */
const LONGEST_DOCUMENT = 100 * 2 ** 20

/** The non-blank lines of a stream. */
export async function* jsonLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let rest: Uint8Array = new Uint8Array()
  for await (const chunk of chunks) {
    let start = 0
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      const line = joined(rest, chunk.subarray(start, end))
      rest = new Uint8Array()
      if (!isBlank(line)) yield line
      start = end + 1
    }
    rest = joined(rest, chunk.subarray(start))
    checkLength(rest.length)
  }
  if (!isBlank(rest)) yield rest
}

/**
 * The items of the array that a stream holds, cut at the commas between them; whether an item is
 * JSON is for its reader to find.
 * @throws {Error} what is no array, or one that does not end
 */
export async function* jsonItems(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let rest: Uint8Array = new Uint8Array()
  // 0: before the array, 1: among its items, 2 and more: within an item.
  let depth = 0
  let isText = false
  let isEscaped = false
  let hasEnded = false
  for await (const chunk of chunks) {
    let start = 0
    for (let i = 0; i < chunk.length; i++) {
      const byte = chunk[i]!
      if (isText) {
        if (isEscaped) isEscaped = false
        else if (byte === BACKSLASH) isEscaped = true
        else if (byte === QUOTE) isText = false
        continue
      }
      if (byte <= 32) continue
      if (hasEnded) throw new Error('there is more behind the end of the array')
      if (depth === 0) {
        if (byte !== ARRAY_START) throw new Error('the text does not start with [')
        depth = 1
        start = i + 1
      } else if (byte === QUOTE) isText = true
      else if (byte === ARRAY_START || byte === OBJECT_START) depth++
      else if (byte === OBJECT_END || (byte === ARRAY_END && depth > 1)) depth--
      else if (depth === 1 && (byte === COMMA || byte === ARRAY_END)) {
        const item = joined(rest, chunk.subarray(start, i))
        rest = new Uint8Array()
        start = i + 1
        hasEnded = byte === ARRAY_END
        if (!isBlank(item)) yield item
      }
      if (depth === 0) throw new Error('a closing brace has no opening one')
    }
    if (depth > 0 && !hasEnded) rest = joined(rest, chunk.subarray(start))
    checkLength(rest.length)
  }
  if (!hasEnded) throw new Error('the array does not end with ]')
}

function checkLength(length: number): void {
  if (length > LONGEST_DOCUMENT)
    throw new Error(`a document is longer than ${LONGEST_DOCUMENT} bytes, or the format is another`)
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
  if (a.length === 0) return b
  if (b.length === 0) return a
  const both = new Uint8Array(a.length + b.length)
  both.set(a)
  both.set(b, a.length)
  return both
}

function isBlank(bytes: Uint8Array): boolean {
  return bytes.every(byte => byte <= 32)
}
