/** Factories of filters over filters. */
import { IllegalArgumentError } from '../../util/errors.ts'
import { bindFilters } from '../analyzer/chain.ts'
import type { TokenFilterFactory } from '../component.ts'
import { booleanOption, listOption } from '../options.ts'
import type { ChainBefore, TokenFilterComponent } from '../token-stream.ts'
import { FlattenGraphFilter } from './flatten-graph.ts'
import { notForSynonyms } from './for-synonyms.ts'
import { multiplex } from './multiplexer.ts'

/** The filters of one chain. */
type BoundChain = Required<Pick<TokenFilterComponent, 'make' | 'isForSearches'>>

const multiplexer: TokenFilterFactory = (name, options, context) => {
  const lists = listOption(options, 'filters').map(list =>
    list
      .split(',')
      .map(item => item.trim())
      .filter(item => item !== ''),
  )
  const preservesOriginal = booleanOption(options, 'preserve_original', true)
  const forSynonyms = notForSynonyms(name)
  const bindChain = (names: readonly string[], before: ChainBefore): BoundChain => {
    const filters = names.map((each): TokenFilterComponent => {
      const filter = context.filter(each)
      if (filter === null)
        throw new IllegalArgumentError(
          `Multiplexing filter [${name}] refers to undefined tokenfilter [${each}]`,
        )
      return filter
    })
    const bound = bindFilters(filters, before)
    return {
      make: input => bound.reduce((stream, filter) => filter.make(stream), input),
      isForSearches: bound.some(filter => filter.isForSearches),
    }
  }
  return {
    name,
    forSynonyms,
    make: () => {
      throw new Error(`token filter [${name}] has not been bound to a chain`)
    },
    bind: before => {
      const bound = lists.map(names => bindChain(names, before))
      const chains = bound.map(({ make }) => make)
      if (preservesOriginal) chains.unshift(input => input)
      const isForSearches = bound.some(chain => chain.isForSearches)
      return { name, forSynonyms, isForSearches, make: input => multiplex(input, chains) }
    },
  }
}

/** Type → factory. */
export const COMPOSED_FILTERS: readonly (readonly [string, TokenFilterFactory])[] = [
  ['flatten_graph', name => ({ name, make: input => new FlattenGraphFilter(input) })],
  ['multiplexer', multiplexer],
]
