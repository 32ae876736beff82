import type { FetchedDocument } from '../fetch-part.ts'
import { type FieldAnalyzer, tokensOf } from './field-tokens.ts'
import type { FoundTerms } from './found-terms.ts'

/**
 * The tokens of a document's values whose terms are looked for.
 * @param limit tokens that start behind it are left out, by offset within their value
 */
export type TokenSource = (
  document: FetchedDocument,
  values: readonly string[],
  has: (term: string) => boolean,
  limit: number,
) => FoundTerms

/** Tokens by analysing the values again. */
export function analysedTokens(by: FieldAnalyzer | null): TokenSource {
  return (_document, values, has, limit) => tokensOf(values, by, has, limit)
}
