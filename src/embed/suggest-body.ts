/** Suggestions as a program asks for them, and the key `suggest` of the body that the engine reads. */
import { checkOptions, checkRecord } from './arguments.ts'

/** The text that something is suggested for: one of the three. */
interface SuggestText {
  readonly text?: string
  /** The beginning of a completion. */
  readonly prefix?: string
  /** An expression that completions begin with. */
  readonly regex?: string
}

interface CommonOptions {
  readonly field: string
  /** Default: that of the field's searches. */
  readonly analyzer?: string
  /** Default 5. */
  readonly size?: number
  readonly shardSize?: number
}

/** A value of a context: all of them that begin so with `prefix`; a place, and how far around it. */
export type SuggestContext =
  | string
  | number
  | boolean
  | {
      readonly context?: string | { readonly lat: number; readonly lon: number }
      readonly lat?: number
      readonly lon?: number
      readonly boost?: number
      readonly prefix?: boolean
      readonly precision?: number | string
      readonly neighbours?: readonly (number | string)[]
    }

/** Completes the beginnings of inputs of a field of type `completion`. */
export interface CompletionSuggester extends CommonOptions {
  readonly skipDuplicates?: boolean
  readonly fuzzy?:
    | boolean
    | {
        readonly fuzziness?: number | string
        readonly transpositions?: boolean
        readonly minLength?: number
        readonly prefixLength?: number
        readonly unicodeAware?: boolean
      }
  readonly regex?: { readonly flags?: string; readonly maxDeterminizedStates?: number }
  /** By name of the context. */
  readonly contexts?: Readonly<Record<string, SuggestContext | readonly SuggestContext[]>>
}

/** How similar terms are found. */
interface SpellCheck {
  readonly suggestMode?: 'missing' | 'popular' | 'always'
  readonly accuracy?: number
  readonly sort?: 'score' | 'frequency'
  readonly stringDistance?:
    | 'internal'
    | 'damerau_levenshtein'
    | 'levenshtein'
    | 'jaro_winkler'
    | 'ngram'
  readonly maxEdits?: 1 | 2
  readonly maxInspections?: number
  readonly maxTermFreq?: number
  readonly prefixLength?: number
  readonly minWordLength?: number
  readonly minDocFreq?: number
}

/** Suggests terms for each word of a text. */
export interface TermSuggester extends CommonOptions, SpellCheck {}

/** Corrects a whole text. */
export interface PhraseSuggester extends CommonOptions {
  readonly gramSize?: number
  readonly realWordErrorLikelihood?: number
  readonly confidence?: number
  /** Words that may be wrong: a number of them from 1 on, below a share of the text's. Default 1. */
  readonly maxErrors?: number
  readonly separator?: string
  readonly forceUnigrams?: boolean
  readonly tokenLimit?: number
  readonly highlight?: { readonly preTag: string; readonly postTag: string }
  /** Phrases stay where a document matches the query that the template makes of `suggestion`. */
  readonly collate?: {
    readonly query: { readonly source: string } | { readonly id: string }
    readonly params?: Readonly<Record<string, unknown>>
    /** Whether the others stay too, and each says whether one does. */
    readonly prune?: boolean
  }
  readonly smoothing?:
    | { readonly stupidBackoff: { readonly discount?: number } }
    | { readonly laplace: { readonly alpha?: number } }
    | {
        readonly linear: {
          readonly trigramLambda: number
          readonly bigramLambda: number
          readonly unigramLambda: number
        }
      }
  readonly directGenerator?: readonly (SpellCheck & {
    readonly field: string
    readonly size?: number
    readonly preFilter?: string
    readonly postFilter?: string
  })[]
}

/** One suggestion: a text, and who suggests. */
export type SuggestionRequest = SuggestText &
  (
    | { readonly completion: CompletionSuggester }
    | { readonly term: TermSuggester }
    | { readonly phrase: PhraseSuggester }
  )

/** Suggestions by names that the answer has too. */
export type SuggestionRequests = Readonly<Record<string, SuggestionRequest>>

const KEYS = { text: '', prefix: '', regex: '', completion: '', term: '', phrase: '' }

/**
 * The suggestions in wire form.
 * @throws {IllegalArgumentError} unknown key, with a suggestion
 */
export function suggestBody(requests: SuggestionRequests): object {
  checkRecord('suggest', requests)
  return Object.fromEntries(
    Object.entries(requests).map(([name, request]) => {
      checkOptions('key of a suggestion', request, KEYS)
      return [name, wireKeys(request)]
    }),
  )
}

/** A value whose keys are in wire form; names of contexts and parameters stay as they are. */
function wireKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(wireKeys)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [
      wireName(key),
      key === 'contexts' || key === 'params' ? each : wireKeys(each),
    ]),
  )
}

/** A camelCase name as the API has it. */
export function wireName(key: string): string {
  return key.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)
}
