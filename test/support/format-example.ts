/**
 * Worked examples of byte formats, as the header comments of their files give them:
 *
 *   Example: what the bytes are, in a sentence.
 *
 *     05 00 00 00  | a number that they hold
 *     00 × 12
 *     => { decoded: [1, "text", null] }
 *
 * Bytes are hexadecimal, `00 × 12` stands for twelve of them, and what follows `|` is for the reader. What
 * follows `=>` is JSON whose keys need no quotes; it may go on over lines, to the end of the paragraph.
 */

/** An example's bytes, and what they decode to. */
export interface FormatExample {
  readonly title: string
  readonly bytes: Uint8Array
  readonly decoded: unknown
}

/**
 * The examples in the comments of a source file.
 * @throws {Error} an example without bytes or result, or with a line that is neither
 */
export function formatExamples(source: string): FormatExample[] {
  return [...source.matchAll(/\/\*\*[\s\S]*?\*\//g)].flatMap(([comment]) => {
    const lines = comment.split('\n').map(line => line.replace(/^ \*(\/$| {0,1})/, ''))
    return lines.flatMap((line, at) =>
      line.startsWith('Example: ') ? [readExample(lines.slice(at))] : [],
    )
  })
}

function readExample(lines: readonly string[]): FormatExample {
  const blank = lines.indexOf('')
  const title = lines.slice(0, blank).join(' ')
  const rest = lines.slice(blank + 1)
  const result = rest.findIndex(line => line.trimStart().startsWith('=>'))
  if (result < 0) throw new Error(`no result [=> …] follows ${title}`)
  const bytes = rest.slice(0, result).flatMap(bytesOf)
  if (bytes.length === 0) throw new Error(`no bytes follow ${title}`)
  const end = rest.indexOf('', result)
  const text = rest.slice(result, end < 0 ? rest.length : end).join(' ')
  return { title, bytes: Uint8Array.from(bytes), decoded: relaxedJson(text.replace('=>', '')) }
}

function bytesOf(line: string): number[] {
  const [left = ''] = line.split('|')
  const text = left.trim()
  const repeated = /^([0-9a-f]{2}) × (\d+)$/.exec(text)
  if (repeated !== null)
    return new Array<number>(Number(repeated[2])).fill(Number.parseInt(repeated[1]!, 16))
  if (!/^[0-9a-f]{2}( [0-9a-f]{2})*$/.test(text)) throw new Error(`no bytes: ${line}`)
  return text.split(' ').map(byte => Number.parseInt(byte, 16))
}

/** JSON whose keys need no quotes. */
function relaxedJson(text: string): unknown {
  const quoted = text.replace(/"(?:[^"\\]|\\.)*"|(\w+)(?=:)/g, (found, key?: string) =>
    key === undefined ? found : `"${key}"`,
  )
  return JSON.parse(quoted)
}
