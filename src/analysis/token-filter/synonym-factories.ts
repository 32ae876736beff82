/** Factories of `synonym` and `synonym_graph`. */
import { IllegalArgumentError } from '../../util/errors.ts'
import { Chain } from '../analyzer/chain.ts'
import type { TokenFilterFactory } from '../component.ts'
import { notSupported } from '../not-supported.ts'
import { booleanOption, listOption, textOption } from '../options.ts'
import type { ChainBefore, TokenStream } from '../token-stream.ts'
import { synonymFilters } from './for-synonyms.ts'
import { SynonymFilter } from './synonym-filter.ts'
import { SynonymGraphFilter } from './synonym-graph-filter.ts'
import type { SynonymMap } from './synonym-map.ts'
import { readSynonyms } from './synonym-rules.ts'

function synonyms(makeFilter: (input: TokenStream, map: SynonymMap) => TokenStream) {
  const factory: TokenFilterFactory = (name, options, context) => {
    const path = textOption(options, 'synonyms_path')
    if (path === null && !options.has('synonyms'))
      throw new IllegalArgumentError(
        'synonym requires either `synonyms` or `synonyms_path` to be configured',
      )
    if (options.has('synonym_analyzer')) throw notSupported('synonym_analyzer')
    const lines = options.has('synonyms')
      ? listOption(options, 'synonyms')
      : context.words(path ?? '')
    const isWordnet = textOption(options, 'format')?.toLowerCase() === 'wordnet'
    const expand = booleanOption(options, 'expand', true)
    const lenient = booleanOption(options, 'lenient', false)
    const isForSearches = booleanOption(options, 'updateable', false)
    // Rules of one filter are not put through the rules of another.
    const forSynonyms = (): null => null
    return {
      name,
      forSynonyms,
      isForSearches,
      make: () => {
        throw new Error(`token filter [${name}] has not been bound to a chain`)
      },
      bind: before => {
        const analyze = wordsOf(before)
        const map = readSynonyms({ lines, isWordnet, expand, lenient, analyze })
        const make = (input: TokenStream): TokenStream =>
          map.isEmpty ? input : makeFilter(input, map)
        return { name, forSynonyms, isForSearches, make }
      },
    }
  }
  return factory
}

/** Puts one side of a rule through the stages before the filter. */
function wordsOf(before: ChainBefore): (text: string) => readonly string[] {
  const chain = new Chain({
    charFilters: before.charFilters,
    tokenizer: { name: '', make: () => before.makeTokenizer() },
    filters: synonymFilters(before.filters),
  })
  return text => {
    const words: string[] = []
    for (const { term, positionIncrement } of chain.tokens(text).tokens) {
      if (term === '')
        throw new IllegalArgumentError(`term: ${text} analyzed to a zero-length token`)
      if (positionIncrement !== 1)
        throw new IllegalArgumentError(
          `term: ${text} analyzed to a token (${term}) with position increment != 1 ` +
            `(got: ${positionIncrement})`,
        )
      words.push(term)
    }
    if (words.length === 0)
      throw new IllegalArgumentError(`term: ${text} was completely eliminated by analyzer`)
    return words
  }
}

/** Type → factory. */
export const SYNONYM_FILTERS: readonly (readonly [string, TokenFilterFactory])[] = [
  ['synonym', synonyms((input, map) => new SynonymFilter(input, map))],
  ['synonym_graph', synonyms((input, map) => new SynonymGraphFilter(input, map))],
]
