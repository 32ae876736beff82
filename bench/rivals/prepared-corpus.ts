import { closeSync, existsSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { AnalysisRegistry } from '../../dist/analysis/registry.js'

/** How often a term occurs. */
export interface TermCounts {
  docFreq: number
  totalTermFreq: number
}

/** A corpus's documents in the forms that the engines read, and what queries are drawn from. */
export interface PreparedCorpus {
  readonly docCount: number
  /** Bytes of the text field over all documents. */
  readonly textBytes: number
  /** A line a document: package, words, date, head, body; between tabs. */
  readonly tabbed: string
  /** The same as objects, for Lamella. */
  readonly ndjson: string
  /** A line a document: package, words, date, then the body's tokens between spaces. */
  readonly tokens: string
  readonly terms: ReadonlyMap<string, TermCounts>
  /** Every so many documents: its tokens and its other fields. */
  readonly sample: readonly SampleDocument[]
  /** How many tokens the documents have, ascending. */
  readonly lengths: Uint32Array
  /** queries.tsv without its header: class, kind, words. */
  readonly queries: readonly (readonly [string, string, string])[]
}

/** One document that queries are drawn from. */
export interface SampleDocument {
  readonly tokens: readonly string[]
  readonly package: string
}

const SAMPLE_SIZE = 5000
/** Dates are spread over twenty years from here on, in whole seconds. */
export const FIRST_DATE = Date.UTC(2000, 0, 1)
export const SECONDS_OF_DATES = 20 * 365 * 86_400
/** First words of the body, a second field of text for the engines that score as Lamella does. */
const WORDS_OF_HEAD = 6
const BATCH_CHARS = 1 << 20
/**
 * What must not reach the engines: the separators of the files, and the modifiers that became
 * letters of words with Unicode 11. Lucene 8 breaks words by Unicode 9, and one token more changes
 * the mean length, and with it every score.
 */
const UNEQUAL =
  /[\t\n\r\u02c2-\u02c5\u02d2-\u02df\u02e5-\u02eb\u02ed\u02ef-\u02ff\u055a-\u055c\u055e\u058a\u05f3\ua708-\ua716\ua720\ua721\ua789\ua78a\uab5b]+/g

/**
 * Reads a corpus that `npm run corpus` made and writes its documents for the engines. Where fewer
 * are wanted than there are, they are taken evenly from the whole, so that the mix stays.
 *
 * The corpus has no numbers, so two are made: `words`, the tokens of the body, and `date`,
 * milliseconds spread evenly and without order; and a second text, `head`, the body's first words.
 */
export function prepareCorpus(name: string, most: number, folder: string): PreparedCorpus {
  const home = new URL(`../../corpora/${name}/`, import.meta.url)
  const source = fileURLToPath(new URL('documents.ndjson', home))
  if (!existsSync(source))
    throw new Error(`the corpus [${name}] is not there: make it by npm run corpus -- ${name}`)
  const manifest = JSON.parse(readFileSync(new URL('corpus.json', home), 'utf8')) as {
    textField: string
  }
  const all = linesOf(readFileSync(source))
  const docCount = Math.min(most, all.length)
  const analyzer = new AnalysisRegistry(new Map()).analyzer('standard')!
  const [tabbed, ndjson, tokens] = [
    join(folder, 'documents.tsv'),
    join(folder, 'documents.ndjson'),
    join(folder, 'tokens.tsv'),
  ]
  const [tabbedOut, ndjsonOut, tokensOut] = [tabbed, ndjson, tokens].map(path => new LineFile(path))
  const terms = new Map<string, TermCounts>()
  const sample: SampleDocument[] = []
  const lengths = new Uint32Array(docCount)
  const sampleStep = Math.max(1, Math.floor(docCount / SAMPLE_SIZE))
  let textBytes = 0
  for (let line = 0; line < docCount; line++) {
    const document = JSON.parse(all[Math.floor((line * all.length) / docCount)]!) as Record<
      string,
      unknown
    >
    const body = String(document[manifest.textField]).replace(UNEQUAL, ' ')
    const origin = String(document['package'] ?? name)
    const words = analyzer.tokens(body).tokens.map(token => token.term)
    const date = dateOf(line)
    const head = words.slice(0, WORDS_OF_HEAD).join(' ')
    textBytes += Buffer.byteLength(body)
    tabbedOut!.write(`${origin}\t${words.length}\t${date}\t${head}\t${body}`)
    ndjsonOut!.write(
      JSON.stringify({
        line,
        package: origin,
        words: words.length,
        date: String(date),
        head,
        body,
      }),
    )
    tokensOut!.write(`${origin}\t${words.length}\t${date}\t${words.join(' ')}`)
    count(terms, words)
    lengths[line] = words.length
    if (line % sampleStep === 0) sample.push({ tokens: words, package: origin })
  }
  for (const file of [tabbedOut, ndjsonOut, tokensOut]) file!.close()
  return {
    docCount,
    textBytes,
    tabbed,
    ndjson,
    tokens,
    terms,
    sample,
    lengths: lengths.sort(),
    queries: queriesOf(home),
  }
}

function linesOf(bytes: Buffer): string[] {
  const lines: string[] = []
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf(10, at)
    if (end < 0) break
    lines.push(bytes.toString('utf8', at, end))
    at = end + 1
  }
  return lines
}

/** In milliseconds; neighbours in the file lie far apart. */
function dateOf(line: number): number {
  const second = (Math.imul(line, 0x9e3779b1) >>> 0) % SECONDS_OF_DATES
  return FIRST_DATE + second * 1000
}

function count(terms: Map<string, TermCounts>, words: readonly string[]): void {
  const seen = new Set<string>()
  for (const word of words) {
    let counts = terms.get(word)
    if (counts === undefined) {
      counts = { docFreq: 0, totalTermFreq: 0 }
      terms.set(word, counts)
    }
    counts.totalTermFreq++
    if (seen.has(word)) continue
    seen.add(word)
    counts.docFreq++
  }
}

function queriesOf(home: URL): (readonly [string, string, string])[] {
  const file = new URL('queries.tsv', home)
  return readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .slice(1)
    .map(line => line.split('\t') as [string, string, string])
}

/** A file that is written line by line, in large pieces. */
class LineFile {
  readonly #file: number
  #batch = ''

  constructor(path: string) {
    this.#file = openSync(path, 'w')
  }

  write(line: string): void {
    this.#batch += `${line}\n`
    if (this.#batch.length >= BATCH_CHARS) this.#flush()
  }

  close(): void {
    this.#flush()
    closeSync(this.#file)
  }

  #flush(): void {
    writeFileSync(this.#file, this.#batch)
    this.#batch = ''
  }
}
