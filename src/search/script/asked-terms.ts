/** Terms whose frequencies a score script asks for. Plain data. */
export interface AskedTerms {
  /** Fields that the script may name. */
  readonly fields: readonly { readonly name: string; readonly field: string }[]
  /** Texts of the script and its parameters, which it may ask for as terms. */
  readonly texts: readonly string[]
  /** Occurrences in the shard, by field and then by text; empty before a shard is known. */
  readonly occurrences: readonly (readonly number[])[]
  /** Tokens of the fields in the shard; empty before a shard is known. */
  readonly tokens: readonly number[]
}

/** Max terms whose postings a script may have open on a leaf. */
export const MAX_OPEN_TERMS = 16
