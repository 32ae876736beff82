/** Which filters rules of synonyms are read through. */
import { IllegalArgumentError } from '../../util/errors.ts'
import type { TokenFilterComponent } from '../token-stream.ts'

/** For filters that rules cannot be read through: they give several tokens for one. */
export function notForSynonyms(name: string): () => never {
  return () => {
    throw new IllegalArgumentError(`Token filter [${name}] cannot be used to parse synonyms`)
  }
}

/**
 * The filters of a chain as rules pass through them.
 * @throws {IllegalArgumentError} one of them cannot be used for that
 */
export function synonymFilters(
  filters: readonly TokenFilterComponent[],
): readonly TokenFilterComponent[] {
  const kept: TokenFilterComponent[] = []
  for (const filter of filters) {
    const own = filter.forSynonyms === undefined ? filter : filter.forSynonyms()
    if (own !== null) kept.push(own)
  }
  return kept
}
