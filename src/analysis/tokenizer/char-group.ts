/** Lists of characters and kinds of them, as the options of tokenizers name them. */
import { IllegalArgumentError } from '../../util/errors.ts'
import { type ComponentOptions, listOption, textOption } from '../options.ts'
import { CHAR_KINDS } from './char-kinds.ts'
import type { TokenCharTest } from './char-tokenizer.ts'

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['\\', '\\'],
  ['n', '\n'],
  ['t', '\t'],
  ['r', '\r'],
  ['b', '\b'],
  ['f', '\f'],
])

/**
 * `tokenize_on_chars` of `char_group`: single characters, escapes (`\n`, `\u00e9`) and kinds.
 * @throws {IllegalArgumentError} an item that is none of them
 */
export function charGroupTest(items: readonly string[]): TokenCharTest {
  const kinds: TokenCharTest[] = []
  const points = new Set<number>()
  for (const item of items) {
    if (item === '')
      throw new IllegalArgumentError('[tokenize_on_chars] cannot contain empty characters')
    const kind = CHAR_KINDS.get(item)
    if (item.length === 1) points.add(item.charCodeAt(0))
    else if (item.startsWith('\\')) points.add(unescaped(item).charCodeAt(0))
    else if (kind !== undefined) kinds.push(kind)
    else throw new IllegalArgumentError(`Invalid escaped char in [${item}]`)
  }
  return point => points.has(point) || kinds.some(kind => kind(point))
}

/** A character behind a backslash. */
function unescaped(item: string): string {
  const simple = item.length === 2 ? ESCAPES.get(item[1]!) : undefined
  if (simple !== undefined) return simple
  if (/^\\u[0-9A-Fa-f]{4}$/.test(item))
    return String.fromCharCode(Number.parseInt(item.slice(2), 16))
  throw new IllegalArgumentError(`Invalid escaped char in [${item}]`)
}

/**
 * `token_chars` of the n-gram tokenizers: kinds, and `custom` for those of `custom_token_chars`.
 * @returns null where every character belongs to tokens
 * @throws {IllegalArgumentError} an unknown kind, or `custom` without its characters
 */
export function tokenCharTest(options: ComponentOptions): TokenCharTest | null {
  const names = listOption(options, 'token_chars').map(name => name.trim().toLowerCase())
  if (names.length === 0) return null
  const kinds = names.map(name => {
    const kind = name === 'custom' ? customTest(options) : CHAR_KINDS.get(name)
    if (kind === undefined)
      throw new IllegalArgumentError(
        `Unknown token type: '${name}', must be one of ` +
          `[${[...CHAR_KINDS.keys(), 'custom'].sort().join(', ')}]`,
      )
    return kind
  })
  return kinds.length === 1 ? kinds[0]! : point => kinds.some(kind => kind(point))
}

function customTest(options: ComponentOptions): TokenCharTest {
  const chars = textOption(options, 'custom_token_chars')
  if (chars === null)
    throw new IllegalArgumentError("Token type: 'custom' requires setting `custom_token_chars`")
  const points = new Set([...chars].map(char => char.codePointAt(0)!))
  return point => points.has(point)
}
