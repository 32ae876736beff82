/** The answers of suggesters, as the library gives them. */

/** Suggestions by their names. */
export type Suggestions<T> = Readonly<Record<string, readonly SuggestedText<T>[]>>

/** Suggestions for a text, or for one word of it. */
export interface SuggestedText<T> {
  readonly text: string
  /** In the text that was given, UTF-16 units. */
  readonly offset: number
  readonly length: number
  /** Best first. */
  readonly options: readonly SuggestOption<T>[]
}

/** One suggestion; parts that its suggester does not give are null. */
export interface SuggestOption<T> {
  readonly text: string
  /** A float32; a completion's weight, times the boosts of its contexts. */
  readonly score: number
  /** Documents that have the term. */
  readonly freq: number | null
  /** The phrase with tags around what was corrected. */
  readonly highlighted: string | null
  /** Whether a document matches the phrase's query. */
  readonly collateMatch: boolean | null
  /** The document that a completion stands in. */
  readonly index: string | null
  readonly id: string | null
  readonly source: T | null
  /** Contexts asked for that a completion has, by name; empty without. */
  readonly contexts: Readonly<Record<string, readonly string[]>>
}

/** Suggestions as the engine printed them. */
export type WireSuggestions<T> = Readonly<
  Record<
    string,
    readonly (Omit<SuggestedText<T>, 'options'> & { readonly options: readonly WireOption<T>[] })[]
  >
>

interface WireOption<T> {
  readonly text: string
  readonly score?: number
  readonly freq?: number
  readonly highlighted?: string
  readonly collate_match?: boolean
  readonly _index?: string
  readonly _id?: string
  readonly _score?: number
  readonly _source?: T
  readonly contexts?: Readonly<Record<string, readonly string[]>>
}

/** Reads the suggestions of an answer. */
export function suggestions<T>(wire: WireSuggestions<T>): Suggestions<T> {
  return Object.fromEntries(
    Object.entries(wire).map(([name, entries]) => [
      name,
      entries.map(entry => ({ ...entry, options: entry.options.map(readOption) })),
    ]),
  )
}

function readOption<T>(option: WireOption<T>): SuggestOption<T> {
  return {
    text: option.text,
    score: option.score ?? option._score ?? 0,
    freq: option.freq ?? null,
    highlighted: option.highlighted ?? null,
    collateMatch: option.collate_match ?? null,
    index: option._index ?? null,
    id: option._id ?? null,
    source: option._source ?? null,
    contexts: option.contexts ?? {},
  }
}
