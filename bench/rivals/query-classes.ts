import { Random } from '../../dist/util/random.js'
import {
  FIRST_DATE,
  type PreparedCorpus,
  type SampleDocument,
  SECONDS_OF_DATES,
} from './prepared-corpus.ts'
import { type Clause, type RivalQuery, word, writeQuery } from './query.ts'

/** Queries by the name of their class. */
export type QueryClasses = ReadonlyMap<string, readonly RivalQuery[]>

const SEED = 1
const PER_CLASS = 24
/** The most frequent words, of which stop-word phrases are made. */
const STOP_WORDS = 30
/** Of phrases, at least one word stands in no more than this share of the documents. */
const RARER_SHARE = 0.06
const PLAIN = /^[a-z]{2,}$/
/** Terms that a pattern matches. */
const LEAST_MATCHING = 50
const MOST_MATCHING = 5000
/** Patterns made of a word: with a beginning, with none, with letters in the middle. */
const PATTERN_SHAPES: Readonly<
  Record<'wildcard' | 'regexp', readonly ((text: string) => string)[]>
> = {
  wildcard: [
    text => `${text.slice(0, 2)}*${text.slice(-1)}`,
    text => `${text.slice(0, 1)}?${text.slice(2, 3)}*`,
    text => `*${text.slice(-4)}`,
    text => `*${text.slice(1, 4)}*`,
  ],
  regexp: [
    text => `${text.slice(0, 2)}[a-m]+${text.slice(-1)}`,
    text => `${text.slice(0, 1)}[aeiou]${text.slice(2, 3)}.*`,
    text => `[${text.slice(0, 1)}-z].*${text.slice(-3)}`,
    text => `.*${text.slice(1, 4)}[a-z]{1,4}`,
  ],
}

/**
 * The query classes that the marks name. Words and pairs come from the corpus's queries.tsv; what it
 * has not is drawn here from a sample of the documents: the same corpus gives the same queries.
 */
export function drawQueries(corpus: PreparedCorpus): QueryClasses {
  const drawer = new ClassDrawer(corpus)
  const classes = new Map<string, RivalQuery[]>([
    ['term-rare', drawer.words(['term-L']).map(all('should'))],
    ['term-medium', drawer.words(['term-M']).map(all('should'))],
    ['term-frequent', drawer.words(['term-X', 'term-H']).map(all('should'))],
    ['or2', drawer.words(['or2-HH', 'or2-HM', 'or2-ML']).map(all('should'))],
    ['or3-5', drawer.words(['or3-HHM', 'or3-XHM', 'or3-nat', 'or5-nat']).map(all('should'))],
    ['or-nl', drawer.draw(() => drawer.naturalOr())],
    ['and2', drawer.words(['and2-HH', 'and2-HM', 'and2-HL']).map(all('must'))],
    ['and3-5', [...drawer.words(['and3-HHM'], 8).map(all('must')), ...drawer.ands()]],
    ['phrase', drawer.phrases()],
    ['phrase-stop', drawer.draw(() => drawer.stopPhrase())],
    ['must-should', drawer.words(['or3-HHM']).map(mustShould)],
    ['must-not', drawer.words(['or3-HHM']).map(mustNot)],
    ['filter', drawer.draw(() => drawer.inPackage())],
    ['filtered-or', drawer.words(['filtered-HHM']).map(filtered)],
    ['prefix', drawer.draw(() => drawer.prefix())],
    ['range', drawer.draw(() => drawer.range())],
    ['or-in-range', drawer.words(['filtered-HHM']).map(words => drawer.orInRange(words))],
    ['wildcard', drawer.patterns('wildcard')],
    ['regexp', drawer.patterns('regexp')],
    ['fuzzy1', drawer.draw(() => drawer.fuzzy(1))],
    ['fuzzy2', drawer.draw(() => drawer.fuzzy(2))],
    ['multi-match', drawer.words(['or2-HH', 'or2-HM', 'or2-ML']).map(best)],
    ['field-value', drawer.words(['or2-HH', 'or2-HM', 'or2-ML']).map(byLength)],
    ['decay', drawer.words(['or2-HH', 'or2-HM', 'or2-ML']).map(byDate)],
  ])
  for (const [name, queries] of classes) if (queries.length === 0) classes.delete(name)
  return classes
}

function all(occur: 'must' | 'should'): (words: readonly string[]) => RivalQuery {
  return words => words.map(text => word(occur, text))
}

/** The rarest word stands last in queries.tsv. */
function mustShould([first, second, third]: readonly string[]): RivalQuery {
  return [word('must', third!), word('should', first!), word('should', second!)]
}

function mustNot([first, second, third]: readonly string[]): RivalQuery {
  return [word('should', third!), word('should', second!), word('must_not', first!)]
}

function filtered([first, second, third]: readonly string[]): RivalQuery {
  return [word('should', first!), word('should', second!), word('filter', third!)]
}

function best(words: readonly string[]): RivalQuery {
  return [{ occur: 'must', kind: 'best', field: 'body', values: words }]
}

function byLength(words: readonly string[]): RivalQuery {
  return [...all('should')(words), { occur: 'function', kind: 'log1p', field: 'words', values: [] }]
}

/** Half the score two years from the middle of all dates. */
function byDate(words: readonly string[]): RivalQuery {
  const values = [dateAt(0.5), 2 * 365 * 86_400_000]
  return [...all('should')(words), { occur: 'function', kind: 'gauss', field: 'date', values }]
}

class ClassDrawer {
  readonly #corpus: PreparedCorpus
  readonly #random = new Random(SEED)
  readonly #stopWords: ReadonlySet<string>

  constructor(corpus: PreparedCorpus) {
    this.#corpus = corpus
    const byFrequency = [...corpus.terms].filter(([term]) => PLAIN.test(term))
    byFrequency.sort(([a, x], [b, y]) => y.docFreq - x.docFreq || (a < b ? -1 : 1))
    this.#stopWords = new Set(byFrequency.slice(0, STOP_WORDS).map(([term]) => term))
  }

  /** Queries of the corpus's own file whose words all occur, evenly from each class. */
  words(classes: readonly string[], most: number = PER_CLASS): string[][] {
    const lists = classes.map(name =>
      this.#corpus.queries
        .filter(([className]) => className === name)
        .map(([, , text]) => text.split(' '))
        .filter(words => words.every(text => this.#corpus.terms.has(text))),
    )
    const taken: string[][] = []
    for (let i = 0; taken.length < most && lists.some(list => i < list.length); i++)
      for (const list of lists) if (i < list.length && taken.length < most) taken.push(list[i]!)
    return taken
  }

  /** Distinct results of `make`, as many as a class has, or fewer where it seldom succeeds. */
  draw(
    make: () => RivalQuery | null,
    most: number = PER_CLASS,
    triesForEach: number = 2000,
  ): RivalQuery[] {
    const found = new Map<string, RivalQuery>()
    for (let tries = 0; tries < triesForEach * most && found.size < most; tries++) {
      const query = make()
      if (query !== null) found.set(writeQuery(query), query)
    }
    return [...found.values()]
  }

  /** Six to twelve words as they follow each other in a document. */
  naturalOr(): RivalQuery | null {
    const count = 6 + this.#random.below(7)
    const words = [...new Set(this.#run(count) ?? [])]
    return words.length < 6 ? null : words.map(text => word('should', text))
  }

  /** Conjunctions of four and of five words of one document. */
  ands(): RivalQuery[] {
    return [4, 5].flatMap(count =>
      this.draw(() => {
        const words = new Set<string>()
        const { tokens } = this.#document()
        const plain = tokens.filter(token => PLAIN.test(token))
        if (new Set(plain).size < count) return null
        while (words.size < count) words.add(plain[this.#random.below(plain.length)]!)
        return [...words].map(text => word('must', text))
      }, PER_CLASS / 3),
    )
  }

  phrases(): RivalQuery[] {
    const two = this.words(['phrase2'], PER_CLASS / 3).map(phrase)
    const more = [3, 4].flatMap(count =>
      this.draw(() => {
        const words = this.#run(count)
        if (words === null || !words.some(text => this.#shareOf(text) <= RARER_SHARE)) return null
        return phrase(words)
      }, PER_CLASS / 3),
    )
    return [...two, ...more]
  }

  /** Two to four words that are all among the most frequent. */
  stopPhrase(): RivalQuery | null {
    const words = this.#run(2 + this.#random.below(3))
    return words?.every(text => this.#stopWords.has(text)) === true ? phrase(words) : null
  }

  /** A frequent word within the package of a document that has it. */
  inPackage(): RivalQuery | null {
    const { tokens, package: origin } = this.#document()
    const text = tokens[this.#random.below(Math.max(1, tokens.length))]
    if (text === undefined || !PLAIN.test(text) || this.#shareOf(text) < RARER_SHARE / 3)
      return null
    return [
      word('must', text),
      { occur: 'filter', kind: 'term', field: 'package', values: [origin] },
    ]
  }

  /** The beginning of a word. */
  prefix(): RivalQuery | null {
    const { tokens } = this.#document()
    const text = tokens[this.#random.below(Math.max(1, tokens.length))]
    const length = 3 + this.#random.below(3)
    if (text === undefined || !PLAIN.test(text) || text.length <= length) return null
    return [{ occur: 'should', kind: 'prefix', field: 'body', values: [text.slice(0, length)] }]
  }

  /** Patterns of {@link PATTERN_SHAPES} that 50 to 5,000 terms match, evenly by shape. */
  patterns(kind: 'wildcard' | 'regexp'): RivalQuery[] {
    const shapes = PATTERN_SHAPES[kind]
    return shapes.flatMap(shape =>
      this.draw(
        () => {
          const text = this.#word(6)
          if (text === null) return null
          const pattern = shape(text)
          const count = this.#countMatching(kind, pattern)
          if (count < LEAST_MATCHING || count > MOST_MATCHING) return null
          return [{ occur: 'should', kind, field: 'body', values: [pattern] }]
        },
        PER_CLASS / shapes.length,
        100,
      ),
    )
  }

  /** A word of five letters or more, with so many edits. */
  fuzzy(edits: 1 | 2): RivalQuery | null {
    const text = this.#word(5)
    if (text === null) return null
    return [{ occur: 'should', kind: 'fuzzy', field: 'body', values: [text, edits] }]
  }

  #word(minLength: number): string | null {
    const { tokens } = this.#document()
    const text = tokens[this.#random.below(Math.max(1, tokens.length))]
    return text !== undefined && PLAIN.test(text) && text.length >= minLength ? text : null
  }

  #countMatching(kind: 'wildcard' | 'regexp', pattern: string): number {
    const expression =
      kind === 'regexp' ? pattern : pattern.replace(/\*/g, '.*').replace(/\?/g, '.')
    const whole = new RegExp(`^(?:${expression})$`, 'u')
    let count = 0
    for (const term of this.#corpus.terms.keys()) if (whole.test(term)) count++
    return count
  }

  /** From a few to most of the documents, by length or by date. */
  range(): RivalQuery {
    const { lengths, docCount } = this.#corpus
    const share = [0.001, 0.01, 0.1, 0.5][this.#random.below(4)]!
    const from = Math.floor(this.#random.next() * (1 - share) * docCount)
    const to = Math.min(docCount - 1, from + Math.ceil(share * docCount))
    if (this.#random.below(2) === 0) return [range('words', lengths[from]!, lengths[to]!)]
    return [range('date', dateAt(from / docCount), dateAt(to / docCount))]
  }

  orInRange([first, second]: readonly string[]): RivalQuery {
    const [within] = this.range()
    return [word('should', first!), word('should', second!), { ...within!, occur: 'filter' }]
  }

  /** Consecutive plain words of a document. */
  #run(count: number): string[] | null {
    const { tokens } = this.#document()
    if (tokens.length < count) return null
    const at = this.#random.below(tokens.length - count + 1)
    const words = tokens.slice(at, at + count)
    return words.every(text => PLAIN.test(text)) ? words : null
  }

  #document(): SampleDocument {
    const { sample } = this.#corpus
    return sample[this.#random.below(sample.length)]!
  }

  #shareOf(text: string): number {
    return (this.#corpus.terms.get(text)?.docFreq ?? 0) / this.#corpus.docCount
  }
}

function phrase(words: readonly string[]): RivalQuery {
  return [{ occur: 'must', kind: 'phrase', field: 'body', values: words }]
}

function range(field: 'words' | 'date', from: number, to: number): Clause {
  return { occur: 'should', kind: 'range', field, values: [from, to] }
}

/** A date as far into the spread of the documents' dates; they fill it evenly. */
function dateAt(share: number): number {
  return FIRST_DATE + Math.floor(SECONDS_OF_DATES * share) * 1000
}
