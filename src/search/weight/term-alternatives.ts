import type { PositionPostings } from '../scorer/freq-postings.ts'
import { UnionPostings } from '../scorer/union-postings.ts'
import { openPostings, type ScorerContext } from './scorer-context.ts'

/** Synonyms as the postings of one term. */
interface Alternatives {
  readonly cost: number
  open(): PositionPostings
}

/** The union of the postings of the terms that the leaf has; null when it has none. */
export function alternatives(
  field: string,
  termIds: readonly number[],
  context: ScorerContext,
): Alternatives | null {
  const states = termIds.flatMap(termId => context.states.terms[termId] ?? [])
  if (states.length === 0) return null
  return {
    cost: states.reduce((sum, state) => sum + state.docFreq, 0),
    open: () => {
      const postings = states.map(state => openPostings(field, state, context))
      return postings.length === 1 ? postings[0]! : new UnionPostings(postings)
    },
  }
}
