/** A kind of suggester, from the request's JSON to the answer's. */
import type { CompletionsShard } from '../../search/suggest/completion-search.ts'
import type { VisibleShard } from '../../search/suggest/visible-words.ts'
import type { JsonObjectNode } from '../../util/json/json-tree.ts'
import type { JsonRecord } from '../../util/json/json-value.ts'
import type { Turn } from '../../util/turns.ts'
import type { IndexView } from '../metadata/index-view.ts'
import type { PrintedHit } from '../response/printed-hit.ts'
import type { Collate } from './collate-options.ts'

/** The texts of a suggestion; null where one was not given. At least one is not. */
export interface SuggestTexts {
  readonly text: string | null
  readonly prefix: string | null
  readonly regex: string | null
}

/** The shard that is asked. */
export type SuggestShard = CompletionsShard & Pick<VisibleShard, 'segments' | 'withPostings'>

/** One suggestion for a text. */
export interface SuggestOption {
  readonly text: string
  /** Float32. */
  readonly score: number
  /** Documents that have it; 0 where it is no term. */
  readonly freq: number
  /** With tags around what was corrected; null: nobody asked. */
  readonly highlighted: string | null
  /** Whether a document of a shard matches it; null: nobody asked. */
  readonly collateMatch: boolean | null
  /** The document that it stands in: of its shard, and the shard's ord; null: it is of no document. */
  readonly document: { readonly shard: number; readonly globalDoc: number } | null
  /** Names of contexts with the values asked for that it has. */
  readonly contexts: ReadonlyMap<string, readonly string[]>
}

/** Suggestions for a text, or for a part of one. */
export interface SuggestEntry {
  readonly text: string
  /** In the text that was given, UTF-16 units. */
  readonly offset: number
  readonly length: number
  /** Scores must be above it. */
  readonly cutoff: number
  /** Best first. */
  readonly options: readonly SuggestOption[]
}

/** A suggestion made for an index. */
export interface MadeSuggestion {
  /** How its options are held against documents; absent or null: not at all. */
  readonly collate?: Collate | null
  /** Runs it in one shard; yields where a turn is over. */
  run(shard: SuggestShard, turn: Turn): Generator<void, readonly SuggestEntry[], void>
  /**
   * Puts the answers of shards together.
   * @param answers in order of index and shard, one at least
   * @throws {EngineError} `illegal_state_exception`: they are of different texts
   */
  reduce(answers: readonly (readonly SuggestEntry[])[]): readonly SuggestEntry[]
}

/** A suggestion that has been read and checked, but not yet made for an index. */
export interface SuggestionPlan {
  /** @throws {EngineError} `illegal_argument_exception`: it does not fit the index */
  make(texts: SuggestTexts, view: IndexView): MadeSuggestion
}

/** A kind of suggester; it has a file of its own in `kind/` and a line in `suggesters.ts`. */
export interface Suggester {
  /** @throws {EngineError} 400 */
  parse(options: JsonObjectNode): SuggestionPlan
  /** @param hit of the option's document; null where it is of none */
  print(option: SuggestOption, hit: PrintedHit | null): JsonRecord
}

/** An option of no document and without a highlight. */
export const PLAIN_OPTION: Omit<SuggestOption, 'text' | 'score'> = {
  freq: 0,
  collateMatch: null,
  highlighted: null,
  document: null,
  contexts: new Map(),
}
