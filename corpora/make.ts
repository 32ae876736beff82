/**
 * Makes a corpus: `npm run corpus -- NAME [--size N] [--seed N]`.
 *
 * Writes documents.ndjson and made.json (what this run made and from what; not committed) into the
 * corpus's folder, and, with --queries, draws queries.tsv anew (committed).
 */
import { createHash } from 'node:crypto'
import { createWriteStream, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import { parseArgs } from 'node:util'
import { debianDocs } from './debian-docs/generate.ts'
import type { Corpus } from './lib/corpus.ts'
import { QueryDrawer } from './lib/queries.ts'
import { countWords } from './lib/words.ts'
import { sotu } from './sotu/generate.ts'
import { zipf } from './zipf/generate.ts'

const CORPORA: readonly Corpus[] = [sotu, debianDocs, zipf]
const DEFAULT_SEED = 1
/** Bytes collected before they are hashed and written at once. */
const BATCH_CHARS = 1 << 20

async function main(): Promise<void> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      size: { type: 'string' },
      seed: { type: 'string' },
      queries: { type: 'boolean', default: false },
    },
  })
  const corpus = CORPORA.find(({ name }) => name === positionals[0])
  if (corpus === undefined || positionals.length !== 1) {
    console.error(
      `usage: npm run corpus -- ${CORPORA.map(({ name }) => name).join('|')} ` +
        '[--size N] [--seed N] [--queries]',
    )
    process.exitCode = 2
    return
  }
  const size = wholeNumber('size', values.size)
  await make(corpus, size, wholeNumber('seed', values.seed) ?? DEFAULT_SEED, values.queries)
}

async function make(
  corpus: Corpus,
  size: number | null,
  seed: number,
  drawsQueries: boolean,
): Promise<void> {
  const folder = join(import.meta.dirname, corpus.name)
  const manifest = JSON.parse(readFileSync(join(folder, 'corpus.json'), 'utf8'))
  console.log(`${corpus.name}: ${manifest.description}`)
  const notes: Record<string, unknown> = Object.create(null)
  const out = createWriteStream(join(folder, 'documents.ndjson'))
  const hash = createHash('sha256')
  const drawer = new QueryDrawer(seed)
  let [documents, bytes, words] = [0, 0, 0]
  let batch = ''
  const flush = async (): Promise<void> => {
    const encoded = Buffer.from(batch)
    batch = ''
    hash.update(encoded)
    bytes += encoded.length
    if (!out.write(encoded)) await new Promise<void>(resolve => out.once('drain', resolve))
  }
  const options = {
    size,
    seed,
    cache: join(import.meta.dirname, '.cache'),
    note: (key: string, value: unknown) => {
      notes[key] = value
    },
    say: (line: string) => console.log(`  ${line}`),
  }
  for await (const document of corpus.generate(options)) {
    batch += `${JSON.stringify(document)}\n`
    documents++
    const text = String(document[corpus.textField])
    words += countWords(text)
    if (drawsQueries) drawer.add(text)
    if (batch.length >= BATCH_CHARS) await flush()
  }
  await flush()
  out.end()
  await finished(out)
  const made = { documents, bytes, words, sha256: hash.digest('hex'), size, seed, ...notes }
  writeFileSync(join(folder, 'made.json'), `${JSON.stringify(made, null, 2)}\n`)
  if (drawsQueries) writeFileSync(join(folder, 'queries.tsv'), drawer.draw())
  console.log(`${documents} documents, ${words} words, ${bytes} bytes, sha256 ${made.sha256}`)
}

function wholeNumber(name: string, text: string | undefined): number | null {
  if (text === undefined) return null
  if (!/^\d{1,10}$/.test(text)) throw new Error(`--${name} takes a whole number, found ${text}`)
  return Number(text)
}

await main()
