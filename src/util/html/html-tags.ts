/** The rest of a start tag: attributes, whose quoted values may hold `>`, and the text between. */
import { Automaton, DEAD, START } from '../automaton/automaton.ts'
import { complement, type Expression, Expressions } from '../automaton/expression.ts'
import { propertyRanges } from '../automaton/property-ranges.ts'

/** Blanks of a page. */
export const HTML_BLANK: RegExp = /[\t\n\v\f\r\u0085\p{Z}]/u

const NAME_START = /^[:_\p{ID_Start}]/u
const NAME_PART = /^[-.:_\p{ID_Continue}]/u

/** Names whose tags leave nothing in the text, not even a line break. */
export const INLINE_TAGS: ReadonlySet<string> = new Set(
  (
    'a b i q s u abbr acronym basefont bdo big cite code dfn em font img input kbd label samp select ' +
    'small span strike strong sub sup textarea tt var'
  ).split(' '),
)

/** Where the name that starts at `at` ends; `at` where there is none. */
export function nameEnd(text: string, at: number): number {
  let end = at
  while (end < text.length) {
    const char = String.fromCodePoint(text.codePointAt(end)!)
    if (!(end === at ? NAME_START : NAME_PART).test(char)) break
    end += char.length
  }
  return end
}

/** Where the blanks that start at `at` end. */
export function blankEnd(text: string, at: number): number {
  let end = at
  while (end < text.length && HTML_BLANK.test(text[end]!)) end++
  return end
}

/** The tail of any start tag. */
export const TAG_TAIL = 1
/** That of a script's or style's, which must not close itself. */
export const ELEMENT_TAIL = 2

let shared: Automaton | null = null

function grammar(): Automaton {
  if (shared !== null) return shared
  const e = new Expressions()
  const seq = (...parts: Expression[]): Expression => e.sequence(...parts)
  const but = (...ranges: number[]): Expression => e.set(complement(ranges))
  const blanks = e.set(propertyRanges('[\\t\\n\\v\\f\\r\\u0085\\p{Z}]'))
  const name = seq(
    e.set(propertyRanges('[:_\\p{ID_Start}]')),
    e.star(e.set(propertyRanges('[-.:_\\p{ID_Continue}]'))),
  )
  const single = seq(e.text("'"), e.star(e.either(e.text("\\'"), but(0x27, 0x27))), e.text("'"))
  const double = seq(e.text('"'), e.star(e.either(e.text('\\"'), but(0x22, 0x22))), e.text('"'))
  const include = seq(
    e.text('<!--#'),
    e.star(e.either(but(0x22, 0x22, 0x27, 0x27), single, double)),
    e.text('-->'),
  )
  // Lucene 8 lets only event handlers hold brackets; later versions, and browsers, any attribute.
  const attribute = seq(name, e.star(blanks), e.text('='), e.star(blanks), e.either(single, double))
  const content = e.star(e.either(but(0x3c, 0x3c, 0x3e, 0x3e), include, attribute))
  const end = e.text('>')
  const spaced = seq(e.plus(blanks), content, end)
  // In the order of the bits above.
  shared = new Automaton(e, [
    e.either(
      seq(e.star(blanks), e.optional(e.text('/')), end),
      seq(e.text('='), content, end),
      spaced,
    ),
    e.either(seq(e.star(blanks), end), spaced),
  ])
  return shared
}

/** So far a run may go before what it learned is kept. */
const SHORT_RUN = 64

/** Ends of start tags in one text. */
export class TagTails {
  readonly #text: string
  /**
   * Places and states from which no tag ends, two of sixteen places: tags that never end are told
   * at the first place where one before them has been, so that the whole stays linear.
   */
  readonly #hopeless = new Set<number>()

  constructor(text: string) {
    this.#text = text
    grammar().trim()
  }

  /**
   * The place behind the longest tail of a start tag from `start` on; −1 where there is none.
   * @param tail `TAG_TAIL` or `ELEMENT_TAIL`
   */
  end(start: number, tail: number): number {
    const text = this.#text
    const automaton = grammar()
    let state = START
    let found = -1
    let at = start
    while (at < text.length) {
      const point = text.codePointAt(at)!
      state = automaton.step(state, point)
      if (state === DEAD) break
      at += point > 0xffff ? 2 : 1
      if ((automaton.accepts(state) & tail) !== 0) found = at
      if ((at & 15) < 2 && this.#hopeless.size > 0 && this.#hopeless.has(keyOf(at, state, tail)))
        break
    }
    const from = Math.max(found, start)
    if (at - from > SHORT_RUN) this.#learn(start, from, at, tail)
    return found
  }

  /** Walks once more from `start` and notes the states behind `from`, up to `to`. */
  #learn(start: number, from: number, to: number, tail: number): void {
    const text = this.#text
    const automaton = grammar()
    let state = START
    for (let at = start; at < to; ) {
      const point = text.codePointAt(at)!
      state = automaton.step(state, point)
      if (state === DEAD) return
      at += point > 0xffff ? 2 : 1
      if (at > from && (at & 15) < 2) this.#hopeless.add(keyOf(at, state, tail))
    }
  }
}

function keyOf(at: number, state: number, tail: number): number {
  return (at * 32_768 + state) * 2 + tail - 1
}
