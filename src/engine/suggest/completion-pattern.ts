/** The pattern of a completion's keys: a prefix, a fuzzy prefix, or a regular expression. */

import type { KeyAutomaton, KeyPattern } from '../../search/suggest/completion-paths.ts'
import { Automaton } from '../../util/automaton/automaton.ts'
import { Expressions } from '../../util/automaton/expression.ts'
import { LevenshteinAutomaton } from '../../util/automaton/levenshtein.ts'
import { type LuceneOperators, luceneExpression } from '../../util/automaton/lucene-pattern.ts'
import { encodeUtf8 } from '../../util/bytes.ts'

/** How far beginnings may be from a text. */
export interface FuzzyOptions {
  edits: 0 | 1 | 2
  transpositions: boolean
  /** Shorter texts are taken as they are. */
  minLength: number
  /** So much of the start is taken as it is. */
  prefixLength: number
  /** Whether lengths and edits are of code points; else of bytes. */
  unicodeAware: boolean
}

/** How an expression is read. */
export interface RegexOptions {
  operators: LuceneOperators
  maxStates: number
}

/** Keys that begin with one of some texts. */
export function prefixPattern(keys: readonly string[]): KeyPattern {
  return { prefixes: keys.map(encodeUtf8), automata: [], boostOf: () => 0 }
}

/** Keys that begin with a text near one of some; the more of it they have, the more they count. */
export function fuzzyPattern(keys: readonly string[], options: FuzzyOptions): KeyPattern {
  const { edits, transpositions, minLength, prefixLength, unicodeAware } = options
  const words = keys.map(key =>
    unicodeAware ? [...key].map(char => char.codePointAt(0)!) : [...encodeUtf8(key)],
  )
  const prefixes: Uint8Array[] = []
  const automata: KeyAutomaton[] = []
  for (const [i, word] of words.entries()) {
    if (edits === 0 || word.length <= prefixLength || word.length < minLength)
      prefixes.push(encodeUtf8(keys[i]!))
    else
      automata.push(
        fuzzyAutomaton(
          new LevenshteinAutomaton(word, edits, prefixLength, transpositions),
          unicodeAware,
        ),
      )
  }
  return {
    prefixes,
    automata,
    boostOf: prefix => Math.max(...words.map(word => commonLength(word, prefix))),
  }
}

function fuzzyAutomaton(near: LevenshteinAutomaton, unicodeAware: boolean): KeyAutomaton {
  return {
    unit: unicodeAware ? 'point' : 'byte',
    step: (state, unit) => near.step(state, unit),
    nextPoint: (state, from) => near.nextPoint(state, from),
    accepts: state => near.accepts(state),
  }
}

/** Units that a word and a byte string have in common from the start. */
function commonLength(word: readonly number[], bytes: Uint8Array): number {
  let length = 0
  while (length < Math.min(word.length, bytes.length) && word[length] === bytes[length]) length++
  return length
}

/**
 * Keys that begin with a text that an expression matches; an empty expression matches none.
 * @throws {EngineError} `illegal_argument_exception`: a syntax error, or too many states
 */
export function regexPattern(regex: string, { operators, maxStates }: RegexOptions): KeyPattern {
  if (regex === '') return prefixPattern([])
  const make = new Expressions()
  const automaton = new Automaton(make, [luceneExpression(regex, make, operators, false)])
  automaton.complete(maxStates)
  const keys: KeyAutomaton = {
    unit: 'point',
    step: (state, unit) => automaton.step(state, unit),
    nextPoint: (state, from) => automaton.nextPoint(state, from),
    accepts: state => automaton.accepts(state) !== 0,
  }
  return { prefixes: [], automata: [keys], boostOf: () => 0 }
}
