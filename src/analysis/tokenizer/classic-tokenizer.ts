/**
 * The tokenizer that was Lucene's standard up to 3.0: words, host names, mail addresses, acronyms,
 * companies and numbers of European languages by a grammar of its own, over Unicode 3.0.
 */
import { Automaton, DEAD, START } from '../../util/automaton/automaton.ts'
import { type Expression, Expressions } from '../../util/automaton/expression.ts'
import { Tokenizer } from '../token-stream.ts'
import { CLASSIC_DIGITS, CLASSIC_LETTERS } from './generated/classic-letters.ts'

/** Of the rules, in order: of two that match the same text the first gives the type. */
const TYPES = [
  '<ALPHANUM>',
  '<APOSTROPHE>',
  '<ACRONYM>',
  '<COMPANY>',
  '<EMAIL>',
  '<HOST>',
  '<NUM>',
  '<CJ>',
  '<ACRONYM_DEP>',
] as const
const ACRONYM_DEP = 8

/** Units that are looked at behind the last place where a token may end. */
const MOST_AHEAD = 512

let shared: Automaton | null = null

/** Made with the first text of a thread. */
function grammar(): Automaton {
  if (shared !== null) return shared
  const make = new Expressions()
  const { sequence, either, plus, star } = {
    sequence: (...parts: Expression[]) => make.sequence(...parts),
    either: (...parts: Expression[]) => make.either(...parts),
    plus: (part: Expression) => make.plus(part),
    star: (part: Expression) => make.star(part),
  }
  const one = (chars: string): Expression => either(...[...chars].map(char => make.text(char)))
  const letter = make.set(CLASSIC_LETTERS)
  const digit = make.set(CLASSIC_DIGITS)
  const cj = make.set([
    0x3040, 0x312f, 0x31f0, 0x31ff, 0x3300, 0x337f, 0x3400, 0x4dbf, 0x4e00, 0x9fff, 0xf900, 0xfaff,
    0xff65, 0xff9f,
  ])
  const word = plus(either(letter, make.set([0x0e00, 0x0e59]), digit))
  const alpha = plus(letter)
  const mixed = star(either(letter, digit))
  const hasDigit = sequence(mixed, digit, mixed)
  const mark = one('_-/.,')
  const [dot, at] = [one('.'), one('@')]
  shared = new Automaton(make, [
    word,
    sequence(alpha, plus(sequence(one("'"), alpha))),
    sequence(letter, dot, plus(sequence(letter, dot))),
    sequence(alpha, one('&@'), alpha),
    sequence(word, star(sequence(one('.-_'), word)), at, word, plus(sequence(one('.-'), word))),
    sequence(word, plus(sequence(dot, word))),
    either(
      sequence(word, mark, hasDigit),
      sequence(hasDigit, mark, word),
      sequence(word, plus(sequence(mark, hasDigit, mark, word))),
      sequence(hasDigit, plus(sequence(mark, word, mark, hasDigit))),
      sequence(word, mark, hasDigit, plus(sequence(mark, word, mark, hasDigit))),
      sequence(hasDigit, mark, word, plus(sequence(mark, hasDigit, mark, word))),
    ),
    cj,
    sequence(word, dot, plus(sequence(word, dot))),
  ])
  return shared
}

/** Tokenizer `classic`. */
export class ClassicTokenizer extends Tokenizer {
  readonly #maxTokenLength: number
  readonly #grammar: Automaton = grammar()
  #at = 0
  #skipped = 0

  /** @param maxTokenLength UTF-16 units; longer tokens are left out */
  constructor(maxTokenLength: number) {
    super()
    this.#maxTokenLength = maxTokenLength
  }

  reset(): void {
    this.#grammar.trim()
    this.#at = 0
    this.#skipped = 0
  }

  next(): boolean {
    const { text, token } = this
    const automaton = this.#grammar
    this.#skipped = 0
    while (this.#at < text.length) {
      const start = this.#at
      let state = START
      let end = start
      let rules = 0
      for (let at = start; at < text.length && at - end < MOST_AHEAD; at++) {
        state = automaton.step(state, text.charCodeAt(at))
        if (state === DEAD) break
        const accepts = automaton.accepts(state)
        if (accepts === 0) continue
        end = at + 1
        rules = accepts
      }
      if (rules === 0) {
        this.#at = start + 1
        continue
      }
      this.#at = end
      if (end - start > this.#maxTokenLength) {
        this.#skipped++
        continue
      }
      const rule = 31 - Math.clz32(rules & -rules)
      token.clear()
      token.positionIncrement = 1 + this.#skipped
      token.startOffset = this.correctOffset(start)
      token.endOffset = this.correctOffset(end)
      // A match like an acronym of longer parts is a host with a dot too many.
      token.term = text.slice(start, rule === ACRONYM_DEP ? end - 1 : end)
      token.type = rule === ACRONYM_DEP ? '<HOST>' : TYPES[rule]!
      return true
    }
    return false
  }

  override end(): void {
    super.end()
    this.token.positionIncrement += this.#skipped
  }
}
