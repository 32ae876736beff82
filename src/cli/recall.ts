/** Measures how many of the nearest vectors a field's graphs find, and how fast. */
import type { Index } from '../embed/index-handle.ts'
import { decodeUtf8 } from '../util/bytes.ts'
import type { Arguments, Verb } from './command-line.ts'
import { DATA_OPTION, existingIndex, openExisting } from './data-folder.ts'
import { type Column, drawTable } from './drawing/table.ts'
import { countedText, printable } from './drawing/text.ts'
import { CliError, EXIT, type ExitCode, UsageError } from './exit-code.ts'
import type { Terminal } from './terminal.ts'

const DEFAULT_K = 10
const DEFAULT_QUERIES = 100
const DEFAULT_SEED = 1
const CANDIDATES = [10, 20, 50, 100, 200, 400, 800]
const MAX_CANDIDATES = 10_000
/** As many candidates as a leaf may have vectors: all of them are compared. */
const ALL_CANDIDATES = 1_000_000

/** `lamella recall`: recall over the number of candidates. */
export const recall: Verb = {
  positionals: [
    { name: 'INDEX', description: 'an index of the data folder' },
    { name: 'FIELD', description: 'a field of vectors with the method hnsw' },
  ],
  options: {
    data: DATA_OPTION,
    k: { type: 'string', valueHint: 'N', description: `Nearest to find (default: ${DEFAULT_K})` },
    queries: {
      type: 'string',
      valueHint: 'N',
      description: `Vectors of documents to search for (default: ${DEFAULT_QUERIES})`,
    },
    seed: {
      type: 'string',
      valueHint: 'N',
      description: `Draws the documents (default: ${DEFAULT_SEED})`,
    },
    ef: {
      type: 'string',
      isList: true,
      valueHint: 'N',
      description: `Candidates; may be repeated (default: ${CANDIDATES.join(', ')})`,
    },
  },

  async run(given: Arguments, terminal: Terminal): Promise<ExitCode> {
    const [name = '', field = ''] = given.positionals
    const k = given.wholeNumber('k', 1, MAX_CANDIDATES) ?? DEFAULT_K
    const count = given.wholeNumber('queries', 1, MAX_CANDIDATES) ?? DEFAULT_QUERIES
    const seed = given.wholeNumber('seed', 0, 2 ** 31 - 1) ?? DEFAULT_SEED
    const candidates = candidatesOf(given.list('ef'))
    await using db = await openExisting(given)
    const index = await existingIndex(db, name)
    const vectors = await sample(index, field, count, seed)
    if (vectors.length === 0) throw new CliError(`no document of [${name}] has [${field}]`)
    const exact = await search(index, field, vectors, k, ALL_CANDIDATES)
    const points: RecallPoint[] = []
    for (const ef of candidates) {
      const { ids, micros } = await search(index, field, vectors, k, ef)
      points.push({ ef, recall: recallOf(ids, exact.ids), microsPerQuery: micros })
    }
    const report = { k, queries: vectors.length, exactMicrosPerQuery: exact.micros, points }
    if (given.flag('json')) terminal.out(JSON.stringify(report))
    else for (const line of drawRecall(report, terminal)) terminal.out(line)
    return EXIT.fine
  },
}

/** One number of candidates. */
interface RecallPoint {
  readonly ef: number
  /** Part of the exact hits that were found. */
  readonly recall: number
  readonly microsPerQuery: number
}

interface RecallReport {
  readonly k: number
  readonly queries: number
  readonly exactMicrosPerQuery: number
  readonly points: readonly RecallPoint[]
}

function candidatesOf(given: readonly string[]): readonly number[] {
  if (given.length === 0) return CANDIDATES
  return given.map(text => {
    const ef = /^\d{1,5}$/.test(text) ? Number(text) : 0
    if (ef >= 1 && ef <= MAX_CANDIDATES) return ef
    throw new UsageError(`--ef takes a whole number from 1 to ${MAX_CANDIDATES}, found [${text}]`)
  })
}

/** Hits of an answer, of which each has the first value of its vectors where it was asked for. */
interface PrintedHits {
  readonly hits: {
    readonly hits: readonly {
      readonly _id: string
      readonly fields?: Readonly<Record<string, readonly unknown[]>>
    }[]
  }
}

async function answerOf(index: Index, body: Record<string, unknown>): Promise<PrintedHits> {
  return JSON.parse(decodeUtf8(await index.searchRaw(body))) as PrintedHits
}

/** The vectors of some documents, the same for a seed. */
async function sample(
  index: Index,
  field: string,
  size: number,
  seed: number,
): Promise<readonly (readonly number[])[]> {
  const { hits } = await answerOf(index, {
    size,
    _source: false,
    fields: [field],
    query: {
      function_score: {
        query: { exists: { field } },
        random_score: { seed, field: '_seq_no' },
        boost_mode: 'replace',
      },
    },
  })
  return hits.hits.map(({ fields }) => {
    const [value] = fields?.[field] ?? []
    return (Array.isArray(value) ? value : (fields?.[field] ?? [])) as readonly number[]
  })
}

/** Searches for each vector in turn. */
async function search(
  index: Index,
  field: string,
  vectors: readonly (readonly number[])[],
  k: number,
  ef: number,
): Promise<{ ids: readonly (readonly string[])[]; micros: number }> {
  const ids: (readonly string[])[] = []
  const started = performance.now()
  for (const vector of vectors) {
    const { hits } = await answerOf(index, {
      size: k,
      _source: false,
      query: { knn: { [field]: { vector, k, method_parameters: { ef_search: ef } } } },
    })
    ids.push(hits.hits.map(({ _id }) => _id))
  }
  return { ids, micros: (1000 * (performance.now() - started)) / vectors.length }
}

function recallOf(
  found: readonly (readonly string[])[],
  exact: readonly (readonly string[])[],
): number {
  let hits = 0
  let all = 0
  for (const [i, wanted] of exact.entries()) {
    const own = new Set(found[i])
    hits += wanted.filter(id => own.has(id)).length
    all += wanted.length
  }
  return hits / Math.max(1, all)
}

const COLUMNS: readonly Column[] = [
  { title: 'ef', align: 'right' },
  { title: 'recall', align: 'right' },
  { title: 'µs a search', align: 'right' },
  { title: '', isFlexible: true },
]

/** Widest bar of the curve. */
const BAR_WIDTH = 40

/** The curve as lines. */
export function drawRecall(
  { k, queries, exactMicrosPerQuery, points }: RecallReport,
  { width, paint }: Pick<Terminal, 'width' | 'paint'>,
): string[] {
  const rows = points.map(({ ef, recall: found, microsPerQuery }) => [
    String(ef),
    found.toFixed(3),
    microsPerQuery.toFixed(0),
    '█'.repeat(Math.round(BAR_WIDTH * found)),
  ])
  rows.push(['all', '1.000', exactMicrosPerQuery.toFixed(0), printable('every vector compared')])
  const summary = `recall@${k} of searches for ${countedText(queries, 'vector')} of documents`
  return [paint.dim(summary), ...drawTable(COLUMNS, rows, width, paint)]
}
