/**
 * Draws a corpus's query file: words by document frequency, in the classes that the benches
 * compare. X stands in more than 30 % of the documents, H in 6–30 %, M in 0.8–6 %, L in 0.05–0.8 %;
 * `nat` queries are words drawn from one document.
 *
 *   queries.tsv := header line, then per query: class TAB kind TAB words
 *   kind        := term | or | and | phrase | filtered (the last word is the filter)
 */
import { Random } from '../../src/util/random.ts'
import { wordsOf } from './words.ts'

/** Word classes of a query, a letter a word, and how the words are joined. */
const CLASSES: readonly (readonly [kind: string, letters: string])[] = [
  ['term', 'X'],
  ['term', 'H'],
  ['term', 'M'],
  ['term', 'L'],
  ['or', 'HH'],
  ['or', 'HM'],
  ['or', 'ML'],
  ['or', 'HHM'],
  ['or', 'XHM'],
  ['and', 'HH'],
  ['and', 'HM'],
  ['and', 'HL'],
  ['and', 'HHM'],
  ['filtered', 'HHM'],
]

/** Words per natural query. */
const NATURAL = [3, 5]
const QUERIES_PER_CLASS = 20
/** Documents kept for natural queries and phrases. */
const SAMPLE_SIZE = 2000

const NUMBER_WORDS = new Map([
  [1, ''],
  [2, '2'],
  [3, '3'],
  [5, '5'],
])

/** Counts documents as they pass and draws queries at the end; the same input, the same queries. */
export class QueryDrawer {
  readonly #random: Random
  readonly #docFreqs = new Map<string, number>()
  readonly #sample: string[][] = []
  #docCount = 0

  constructor(seed: number) {
    this.#random = new Random(seed)
  }

  add(text: string): void {
    const words = wordsOf(text)
    for (const word of new Set(words)) {
      this.#docFreqs.set(word, (this.#docFreqs.get(word) ?? 0) + 1)
    }
    // Reservoir sampling: every document is as likely to be kept as any other.
    if (this.#sample.length < SAMPLE_SIZE) this.#sample.push(words)
    else {
      const at = this.#random.below(this.#docCount + 1)
      if (at < SAMPLE_SIZE) this.#sample[at] = words
    }
    this.#docCount++
  }

  /** @returns the text of queries.tsv; classes without words enough are left out */
  draw(): string {
    const byLetter = this.#wordsByLetter()
    const lines = ['class\tkind\twords']
    for (const [kind, letters] of CLASSES) {
      const count = NUMBER_WORDS.get(letters.length)
      const name = kind === 'filtered' ? 'filtered' : `${kind}${count}`
      for (const words of this.#distinct(() => this.#pick(byLetter, letters))) {
        lines.push(`${name}-${letters}\t${kind}\t${words}`)
      }
    }
    for (const count of NATURAL) {
      for (const words of this.#distinct(() => this.#natural(count))) {
        lines.push(`or${count}-nat\tor\t${words}`)
      }
    }
    for (const words of this.#distinct(() => this.#phrase())) {
      lines.push(`phrase2\tphrase\t${words}`)
    }
    return `${lines.join('\n')}\n`
  }

  #wordsByLetter(): Map<string, string[]> {
    const bounds: [string, number, number][] = [
      ['X', 0.3, 1.01],
      ['H', 0.06, 0.3],
      ['M', 0.008, 0.06],
      ['L', 0.0005, 0.008],
    ]
    const byLetter = new Map<string, string[]>(bounds.map(([letter]) => [letter, []]))
    for (const [word, docFreq] of this.#docFreqs) {
      if (!/^[a-z]{2,}$/.test(word)) continue
      const share = docFreq / this.#docCount
      for (const [letter, low, high] of bounds) {
        if (share > low && share <= high) byLetter.get(letter)!.push(word)
      }
    }
    for (const words of byLetter.values()) words.sort()
    return byLetter
  }

  /** Distinct results of `make`, at most the number per class; gives up on a class too small. */
  #distinct(make: () => string | null): string[] {
    const found = new Set<string>()
    for (let tries = 0; tries < 50 * QUERIES_PER_CLASS && found.size < QUERIES_PER_CLASS; tries++) {
      const words = make()
      if (words !== null) found.add(words)
    }
    return [...found]
  }

  #pick(byLetter: Map<string, string[]>, letters: string): string | null {
    const words = new Set<string>()
    for (const letter of letters) {
      const choice = byLetter.get(letter)!
      if (choice.length === 0) return null
      words.add(choice[this.#random.below(choice.length)]!)
    }
    return words.size === letters.length ? [...words].join(' ') : null
  }

  #document(): string[] {
    return this.#sample[this.#random.below(this.#sample.length)] ?? []
  }

  #natural(count: number): string | null {
    const words = [...new Set(this.#document().filter(word => /^[a-z]{3,}$/.test(word)))]
    if (words.length < count) return null
    const picked = new Set<string>()
    while (picked.size < count) picked.add(words[this.#random.below(words.length)]!)
    return [...picked].join(' ')
  }

  #phrase(): string | null {
    const words = this.#document()
    if (words.length < 2) return null
    const at = this.#random.below(words.length - 1)
    const [first, second] = [words[at]!, words[at + 1]!]
    if (first === second || !/^[a-z]{2,}$/.test(first) || !/^[a-z]{2,}$/.test(second)) return null
    const rarest = Math.min(this.#docFreqs.get(first)!, this.#docFreqs.get(second)!)
    return rarest >= 3 ? `${first} ${second}` : null
  }
}
