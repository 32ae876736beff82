/** The filter `hunspell`. */
import { IllegalArgumentError } from '../../../util/errors.ts'
import type { TokenFilterFactory } from '../../component.ts'
import { booleanOption, textOption } from '../../options.ts'
import { ownString, TermMemory } from '../../term-memory.ts'
import { TokenFilter, TokenState, type TokenStream } from '../../token-stream.ts'
import { notForSynonyms } from '../for-synonyms.ts'
import { HunspellDictionary } from './dictionary.ts'
import { HunspellStemmer } from './stemmer.ts'

/** How many of a word's stems come out. */
type Kept = 'all' | 'different' | 'longest'

/** Gives each word its stems, one upon the other; words without any stay. */
class HunspellFilter extends TokenFilter {
  readonly #memory: TermMemory<readonly string[]>
  readonly #word: TokenState = new TokenState()
  #stems: readonly string[] = []
  #next = 0

  constructor(input: TokenStream, dictionary: HunspellDictionary, kept: Kept) {
    super(input)
    const stemmer = new HunspellStemmer(dictionary)
    this.#memory = new TermMemory(term => choose(stemmer.stems(term), kept).map(ownString))
  }

  override next(): boolean {
    const { token } = this
    if (this.#next < this.#stems.length) {
      token.copyFrom(this.#word)
      token.positionIncrement = 0
      token.term = this.#stems[this.#next++]!
      return true
    }
    if (!this.input.next()) return false
    if (token.isKeyword) return true
    this.#stems = this.#memory.get(token.term)
    this.#next = 1
    if (this.#stems.length > 1) this.#word.copyFrom(token)
    token.term = this.#stems[0] ?? token.term
    return true
  }

  override reset(): void {
    super.reset()
    this.#stems = []
    this.#next = 0
  }
}

function choose(stems: readonly string[], kept: Kept): readonly string[] {
  if (kept === 'all' || stems.length < 2) return stems
  if (kept === 'different') return [...new Set(stems)]
  let longest = stems[0]!
  for (const stem of stems)
    if (stem.length > longest.length || (stem.length === longest.length && stem > longest))
      longest = stem
  return [longest]
}

/**
 * `hunspell` with `locale` (or `language`, `lang`): reads the `.aff` file of the folder
 * `hunspell/⟨locale⟩` and all its `.dic` files, below the configuration folder, or below
 * `analyzers/⟨ref_path⟩` in it.
 */
export const hunspell: TokenFilterFactory = (name, options, context) => {
  const locale =
    textOption(options, 'locale') ?? textOption(options, 'language') ?? textOption(options, 'lang')
  if (locale === null)
    throw new IllegalArgumentError(
      'missing [locale | language | lang] configuration for hunspell token filter',
    )
  if (!/^[\w-]{1,64}$/.test(locale))
    throw new IllegalArgumentError(`Unknown hunspell dictionary [${locale}]`)
  const set = textOption(options, 'ref_path')
  if (set !== null && !/^[\w-]{1,64}$/.test(set))
    throw new IllegalArgumentError(
      `Invalid [ref_path] of hunspell token filter: [${set}], only letters, digits, hyphens and ` +
        'underscores are allowed',
    )
  const folder = `${set === null ? '' : `analyzers/${set}/`}hunspell/${locale}`
  const names = context.words(folder, 'names')
  const affixes = names.filter(file => file.endsWith('.aff'))
  if (affixes.length !== 1) {
    const what = affixes.length === 0 ? 'Missing affix file' : 'Too many affix files exist'
    throw new IllegalArgumentError(`${what} for hunspell dictionary [${locale}]`)
  }
  const lists = names
    .filter(file => file.endsWith('.dic'))
    .map(file => context.words(`${folder}/${file}`))
  const dictionary = new HunspellDictionary(context.words(`${folder}/${affixes[0]!}`), [
    '',
    ...lists.flatMap(lines => lines.slice(1)),
  ])
  const dedup = booleanOption(options, 'dedup', true)
  const longest = booleanOption(options, 'longest_only', false)
  const kept = longest ? 'longest' : dedup ? 'different' : 'all'
  return {
    name,
    showsKeyword: true,
    make: input => new HunspellFilter(input, dictionary, kept),
    forSynonyms: notForSynonyms(name),
  }
}
