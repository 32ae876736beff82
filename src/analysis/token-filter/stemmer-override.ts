/** Stems that are given word by word; what has one is left alone by stemmers. */
import { IllegalArgumentError } from '../../util/errors.ts'
import type { TokenFilterFactory } from '../component.ts'
import { textOption, wordListOption } from '../options.ts'
import { TokenFilter, type TokenFilterComponent, type TokenStream } from '../token-stream.ts'

class StemmerOverrideFilter extends TokenFilter {
  readonly #stems: ReadonlyMap<string, string>

  constructor(input: TokenStream, stems: ReadonlyMap<string, string>) {
    super(input)
    this.#stems = stems
  }

  override next(): boolean {
    if (!this.input.next()) return false
    const { token } = this
    if (token.isKeyword) return true
    const stem = this.#stems.get(token.term)
    if (stem === undefined) return true
    token.term = stem
    token.isKeyword = true
    return true
  }
}

/** Gives words their stems. */
export function overriding(name: string, stems: ReadonlyMap<string, string>): TokenFilterComponent {
  return { name, showsKeyword: true, make: input => new StemmerOverrideFilter(input, stems) }
}

/** `stemmer_override` with rules `running, runs => run`; of two rules for a word the first holds. */
export const stemmerOverride: TokenFilterFactory = (name, options, context) => {
  const rules = rulesOption(options, context.words)
  if (rules === null)
    throw new IllegalArgumentError(
      'stemmer override filter requires either `rules` or `rules_path` to be configured',
    )
  const stems = new Map<string, string>()
  for (const rule of rules) {
    const sides = rule.split('=>')
    const stem = sides[1]?.trim() ?? ''
    const words = (sides[0] ?? '').split(',').map(word => word.trim())
    if (sides.length !== 2 || stem === '' || stem.includes(',') || words.includes(''))
      throw new IllegalArgumentError(`Invalid Keyword override Rule:${rule}`)
    for (const word of words) if (!stems.has(word)) stems.set(word, stem)
  }
  return overriding(name, stems)
}

/** A rule that is given alone may have commas. */
function rulesOption(
  options: Parameters<TokenFilterFactory>[1],
  words: Parameters<typeof wordListOption>[2],
): readonly string[] | null {
  const rules = options.get('rules')
  const isOne = textOption(options, 'rules_path') === null && typeof rules === 'string'
  return isOne ? [rules] : wordListOption(options, 'rules', words)
}
