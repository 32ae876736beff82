/** Factories of filters over filters. */
import { IllegalArgumentError } from '../../util/errors.ts'
import { bindFilters } from '../analyzer/chain.ts'
import type { TokenFilterFactory } from '../component.ts'
import { booleanOption, listOption } from '../options.ts'
import type { ChainBefore, TokenFilterComponent, TokenStream } from '../token-stream.ts'
import { FlattenGraphFilter } from './flatten-graph.ts'
import { notForSynonyms } from './for-synonyms.ts'
import { multiplex } from './multiplexer.ts'

type ChainMaker = (input: TokenStream) => TokenStream

const multiplexer: TokenFilterFactory = (name, options, context) => {
  const lists = listOption(options, 'filters').map(list =>
    list
      .split(',')
      .map(item => item.trim())
      .filter(item => item !== ''),
  )
  const preservesOriginal = booleanOption(options, 'preserve_original', true)
  const forSynonyms = notForSynonyms(name)
  const bindChain = (names: readonly string[], before: ChainBefore): ChainMaker => {
    const filters = names.map((each): TokenFilterComponent => {
      const filter = context.filter(each)
      if (filter === null)
        throw new IllegalArgumentError(
          `Multiplexing filter [${name}] refers to undefined tokenfilter [${each}]`,
        )
      return filter
    })
    const bound = bindFilters(filters, before)
    return input => bound.reduce((stream, filter) => filter.make(stream), input)
  }
  return {
    name,
    forSynonyms,
    make: () => {
      throw new Error(`token filter [${name}] has not been bound to a chain`)
    },
    bind: before => {
      const chains = lists.map(names => bindChain(names, before))
      if (preservesOriginal) chains.unshift(input => input)
      return { name, forSynonyms, make: input => multiplex(input, chains) }
    },
  }
}

/** Type → factory. */
export const COMPOSED_FILTERS: readonly (readonly [string, TokenFilterFactory])[] = [
  ['flatten_graph', name => ({ name, make: input => new FlattenGraphFilter(input) })],
  ['multiplexer', multiplexer],
]
