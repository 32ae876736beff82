import { expect, it } from 'vitest'
import {
  bestCorrections,
  type Correction,
  phraseScore,
} from '../../../src/search/suggest/phrase-corrections.ts'
import type { PhraseTerms, WordCount } from '../../../src/search/suggest/phrase-terms.ts'
import {
  type PhraseWord,
  type Smoothing,
  WordScorer,
} from '../../../src/search/suggest/word-scorer.ts'
import { Turn } from '../../../src/util/turns.ts'

const COUNTS: Readonly<Record<string, number>> = {
  amber: 900,
  umber: 40,
  sea: 500,
  'amber sea': 70,
  'umber sea': 2,
  calm: 300,
  'sea calm': 20,
  'amber sea calm': 9,
}
/** Yields of the count of one term, as a common one takes in a large shard. */
const TURNS_EACH = 5

/** Terms that are counted at once, or each in several turns when it is first asked for. */
class Terms implements PhraseTerms {
  readonly field = 'title'
  readonly leaves = []
  readonly isEmpty = false
  readonly maxDoc = 1_000
  readonly totalTermFreq = 5_000
  readonly termCount = 400
  readonly asked: string[] = []
  readonly #known: Set<string> | null

  constructor(isAtHand: boolean) {
    this.#known = isAtHand ? null : new Set()
  }

  count(term: string): WordCount {
    const count = COUNTS[term] ?? 0
    return { docFreq: count, totalTermFreq: count }
  }

  counted(term: string): WordCount | null {
    return this.#known?.has(term) === false ? null : this.count(term)
  }

  *docFreq(term: string): Generator<void, number, void> {
    this.asked.push(term)
    for (let i = 0; i < TURNS_EACH; i++) yield
    this.#known?.add(term)
    return this.count(term).docFreq
  }

  docFreqOf(term: string): Generator<void, number, void> {
    return this.docFreq(term)
  }

  *addUp(): Generator<void, void, void> {}
}

const word = (term: string, similarity = 1): PhraseWord => ({
  term,
  count: { docFreq: COUNTS[term] ?? 0, totalTermFreq: COUNTS[term] ?? 0 },
  similarity,
  score: similarity,
  isInput: similarity === 1,
})
const SETS = [
  { input: word('ymber'), candidates: [word('amber', 0.8), word('umber', 0.8)] },
  { input: word('sea'), candidates: [] },
  { input: word('calm'), candidates: [] },
]

/** Best phrases with the score of the input, and how often the work has yielded. */
function corrections(terms: Terms, smoothing: Smoothing): readonly [unknown, number] {
  const scorer = new WordScorer(terms, smoothing, ' ', 0.95, 3)
  function* work(): Generator<void, readonly [number, readonly Correction[]], void> {
    const turn = new Turn()
    const inputs = SETS.map(({ input }) => input)
    const score = yield* phraseScore(inputs, scorer, turn)
    return [score, yield* bestCorrections(SETS, scorer, 2, 5, 0, turn)]
  }
  const steps = work()
  for (let yields = 0; ; yields++) {
    const step = steps.next()
    if (step.done === true) return [step.value, yields]
  }
}

it.each<Smoothing>([
  { kind: 'stupidBackoff', discount: 0.4 },
  { kind: 'laplace', alpha: 0.5 },
  { kind: 'linear', unigram: 0.1, bigram: 0.3, trigram: 0.6 },
])('counts n-grams in turns, each once, with the same scores: %j', smoothing => {
  const [expected, none] = corrections(new Terms(true), smoothing)
  const terms = new Terms(false)
  const [found, yields] = corrections(terms, smoothing)
  expect(found).toEqual(expected)
  expect(none).toBe(0)
  expect(terms.asked.length).toBeGreaterThan(4)
  expect(new Set(terms.asked).size).toBe(terms.asked.length)
  expect(yields).toBe(terms.asked.length * TURNS_EACH)
})
