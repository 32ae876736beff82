import { expect, it } from 'vitest'
import { termRangeAutomaton } from '../../../src/search/query/term-range-automaton.ts'
import { DEAD, START } from '../../../src/util/automaton/automaton.ts'
import { compareBytes, encodeUtf8 } from '../../../src/util/bytes.ts'
import { Random } from '../../../src/util/random.ts'

const SEED = 61
const CHARS = ['a', 'b', 'z', '\u00e9', '\uffee', '\u{1f40b}']

it(`accepts what lies between two ends in order of bytes (seed ${SEED})`, () => {
  const random = new Random(SEED)
  const text = (): string =>
    Array.from({ length: random.below(5) }, () => CHARS[random.below(CHARS.length)]).join('')
  let accepted = 0
  for (let i = 0; i < 5000; i++) {
    const query = {
      lower: random.below(4) === 0 ? null : text(),
      upper: random.below(4) === 0 ? null : text(),
      includeLower: random.below(2) === 0,
      includeUpper: random.below(2) === 0,
    }
    const automaton = termRangeAutomaton(query)
    const term = random.below(3) === 0 ? (query.lower ?? query.upper ?? text()) : text()
    const order = (end: string): number => compareBytes(encodeUtf8(term), encodeUtf8(end))
    const above = query.lower === null ? 1 : order(query.lower)
    const below = query.upper === null ? -1 : order(query.upper)
    const isWithin =
      (above > 0 || (above === 0 && query.includeLower)) &&
      (below < 0 || (below === 0 && query.includeUpper))
    let state: number = START
    for (const char of term) {
      const point = char.codePointAt(0)!
      const next = automaton.step(state, point)
      // The next possible code point is this one, exactly where it leads on.
      expect(automaton.nextPoint(state, point) === point).toBe(next !== DEAD)
      if (automaton.isTotal(state)) expect(automaton.isTotal(next)).toBe(true)
      state = next
    }
    expect(automaton.accepts(state), `${term} in ${JSON.stringify(query)}`).toBe(isWithin)
    if (automaton.isTotal(state)) expect(isWithin).toBe(true)
    if (isWithin) accepted++
  }
  expect(accepted).toBeGreaterThan(1500)
})
