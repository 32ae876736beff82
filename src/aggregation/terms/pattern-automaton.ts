import { DEAD, START } from '../../util/automaton/automaton.ts'
import { luceneAutomaton } from '../../util/automaton/lucene-pattern.ts'
import { decodeUtf8 } from '../../util/bytes.ts'

/**
 * Tells whether terms match a pattern of Lucene's syntax.
 * @throws {IllegalArgumentError} a syntax error, or too many states
 */
export function patternAutomaton(pattern: string): (term: Uint8Array) => boolean {
  const automaton = luceneAutomaton(pattern)
  return term => {
    let state = START
    for (const char of decodeUtf8(term)) {
      state = automaton.step(state, char.codePointAt(0)!)
      if (state === DEAD) return false
    }
    return automaton.accepts(state) !== 0
  }
}
