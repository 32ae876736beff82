import { completion } from './kind/completion.ts'
import { phrase } from './kind/phrase.ts'
import { term } from './kind/term.ts'
import type { Suggester } from './suggester.ts'

/** The name of a kind of suggester. */
export type SuggesterName = 'completion' | 'phrase' | 'term'

/** The kinds of suggesters, by their names in a request. */
export const SUGGESTERS: Readonly<Record<SuggesterName, Suggester>> = { completion, phrase, term }

/** Whether there is a suggester of that name. */
export function isSuggesterName(name: string): name is SuggesterName {
  return Object.hasOwn(SUGGESTERS, name)
}
