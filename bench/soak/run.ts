/**
 * Memory of a process after hours: `npm run soak [-- --minutes 30]`.
 *
 * Writers, searchers and whoever creates and deletes indices work on one database in a folder. Every few
 * seconds the process is measured: resident memory, heap, open files, threads, timers, bytes of index in
 * memory. Reads are held against the writes. Prints a line a minute and at the end how much
 * each measure rose from minute 5 on; `--save` writes docs/soak.md with a drawing.
 */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Database, open } from '../../dist/index.js'
import { Random } from '../../dist/util/random.js'
import { machineNow, whereLine } from '../lib/report.ts'
import { runOptions } from '../lib/run-options.ts'
import { MEASURES, type Sample, soakPage } from './page.ts'

const values = runOptions('soak', 'shows what a process holds after hours', {
  minutes: { kind: 'number', help: 'how long it runs', by: 30 },
  save: { kind: 'flag', help: 'writes docs/soak.md and its drawing' },
  seed: { kind: 'count', help: 'of all that is random', by: 1 },
})
const { minutes } = values
const SAMPLE_IN_MILLIS = 5000
/** Documents written over and over, so that the data themselves do not grow. */
const IDS = 20_000
const WRITERS = 3
const SEARCHERS = 3
const WORDS = Array.from({ length: 3000 }, (_, i) => `word${i.toString(36)}`)

const folder = mkdtempSync(join(tmpdir(), 'lamella-soak-'))
const machine = machineNow()
console.log(whereLine(machine))
const database = await open(folder, { settings: { 'memory.limit': '256mb' } })
const counts = { written: 0, deleted: 0, searches: 0, indices: 0, merges: 0, flushes: 0 }
const samples: Sample[] = []
const started = performance.now()
const isOver = (): boolean => performance.now() - started > minutes * 60_000

await database.request({
  method: 'PUT',
  path: '/soak',
  body: {
    settings: { number_of_shards: 2, refresh_interval: '200ms' },
    mappings: {
      properties: {
        text: { type: 'text' },
        n: { type: 'long' },
        tag: { type: 'keyword' },
        at: { type: 'date' },
      },
    },
  },
})
const measuring = setInterval(measure, SAMPLE_IN_MILLIS)
measure()
const versions = Array.from({ length: WRITERS }, () => new Map<string, number>())
try {
  await Promise.all([
    ...versions.map((known, writer) => write(writer, known)),
    ...Array.from({ length: SEARCHERS }, (_, i) => search(new Random(values.seed + 50 + i))),
    churn(),
    maintain(),
  ])
  await checkAll()
} finally {
  clearInterval(measuring)
  await database.close()
  rmSync(folder, { recursive: true, force: true })
}
const page = soakPage(samples, { minutes, where: whereLine(machine), counts })
console.log(page.table)
if (values.save) {
  const docs = fileURLToPath(new URL('../../docs/', import.meta.url))
  writeFileSync(join(docs, 'soak.md'), page.text)
  writeFileSync(join(docs, 'soak.svg'), page.drawing)
}
process.exitCode = page.isFlat ? 0 : 1

/** Answers of the API as JSON; anything but the statuses expected ends the run. */
async function ask(
  to: Database,
  line: string,
  body: object | string | null,
  ...expected: number[]
): Promise<Record<string, unknown>> {
  const [method = '', path = ''] = line.split(' ')
  const isBulk = path.includes('_bulk')
  const answer = await to.request({
    method,
    path,
    ...(body === null ? {} : { body }),
    ...(isBulk ? { headers: { 'content-type': 'application/x-ndjson' } } : {}),
  })
  const json = answer.body.length === 0 ? {} : answer.json()
  if (!expected.includes(answer.status))
    throw new Error(`${line} answers ${answer.status}: ${JSON.stringify(json)}`)
  return json as Record<string, unknown>
}

async function write(writer: number, known: Map<string, number>): Promise<void> {
  const random = new Random(values.seed + writer)
  const document = (n: number): string => {
    const text = Array.from({ length: 20 + random.below(40) }, () => WORDS[skewed(random)]).join(
      ' ',
    )
    return JSON.stringify({ text, n, tag: `t${random.below(20)}`, at: 1.6e12 + n * 1000 })
  }
  for (let n = 0; !isOver(); n++) {
    const id = (): string => `${writer}-${random.below(IDS / WRITERS)}`
    const what = random.below(10)
    if (what < 6) {
      const ids = Array.from({ length: 100 }, id)
      const lines = ids.map(each => `{"index":{"_id":"${each}"}}\n${document(n)}\n`)
      const json = await ask(database, 'POST /soak/_bulk', lines.join(''), 200)
      if (json['errors'] !== false) throw new Error('a bulk request has errors')
      for (const each of ids) known.set(each, n)
      counts.written += ids.length
    } else if (what < 8) {
      const each = id()
      await ask(database, `PUT /soak/_doc/${each}`, document(n), 200, 201)
      known.set(each, n)
      counts.written++
    } else {
      const each = id()
      await ask(database, `DELETE /soak/_doc/${each}`, null, 200, 404)
      known.delete(each)
      counts.deleted++
    }
  }
}

async function search(random: Random): Promise<void> {
  const word = (): string => WORDS[skewed(random)]!
  const bodies: readonly (() => object)[] = [
    () => ({ query: { match: { text: `${word()} ${word()} ${word()}` } } }),
    () => ({ query: { match_phrase: { text: `${word()} ${word()}` } }, size: 50 }),
    () => ({
      query: { bool: { must: { match: { text: word() } }, filter: { term: { tag: 't3' } } } },
      track_total_hits: true,
    }),
    () => ({ query: { prefix: { text: word().slice(0, 5) } }, sort: [{ n: 'desc' }], size: 100 }),
    () => ({ query: { match: { text: word() } }, profile: true }),
    () => ({
      query: { range: { n: { gte: random.below(100) } } },
      size: 0,
      track_total_hits: true,
    }),
  ]
  while (!isOver()) {
    const json = await ask(database, 'POST /soak/_search', bodies[random.below(6)]!(), 200)
    const { failed } = json['_shards'] as { failed: number }
    if (failed > 0) throw new Error(`a shard failed: ${JSON.stringify(json['_shards'])}`)
    counts.searches++
  }
}

/** Indices that come and go, with fields that nobody else has. */
async function churn(): Promise<void> {
  for (let n = 0; !isOver(); n++) {
    const name = `churn-${n % 7}`
    await ask(database, `PUT /${name}`, null, 200)
    const lines = Array.from({ length: 20 }, (_, i) => `{"index":{}}\n{"f${i}":"x ${n}"}\n`)
    await ask(database, `POST /${name}/_bulk?refresh=true`, lines.join(''), 200)
    await ask(database, `POST /${name}/_search`, { query: { match: { f3: 'x' } } }, 200)
    await ask(database, `DELETE /${name}`, null, 200)
    counts.indices++
  }
}

async function maintain(): Promise<void> {
  for (let n = 0; !isOver(); n++) {
    await new Promise(resolve => setTimeout(resolve, 1500))
    if (n % 4 === 0) {
      await ask(database, 'POST /soak/_flush', null, 200)
      counts.flushes++
    } else if (n % 10 === 1) {
      await ask(database, 'POST /soak/_forcemerge?max_num_segments=2', null, 200)
      counts.merges++
    } else await ask(database, 'POST /soak/_refresh', null, 200)
  }
}

/** Everything that was acknowledged is there, in its last version, and nothing else. */
async function checkAll(): Promise<void> {
  await ask(database, 'POST /soak/_refresh', null, 200)
  const json = await ask(database, 'GET /soak/_count', null, 200)
  const expected = versions.reduce((sum, known) => sum + known.size, 0)
  if (json['count'] !== expected) throw new Error(`${json['count']} documents, not ${expected}`)
  for (const known of versions)
    for (const [id, n] of known) {
      const answer = await ask(database, `GET /soak/_doc/${id}`, null, 200)
      const source = answer['_source'] as { n: number }
      if (source.n !== n) throw new Error(`[${id}] has version ${source.n}, not ${n}`)
    }
}

function measure(): void {
  const { rss, heapUsed, external } = process.memoryUsage()
  const timers = process.getActiveResourcesInfo().filter(name => name === 'Timeout').length
  samples.push({
    minute: (performance.now() - started) / 60_000,
    resident: rss / 2 ** 20,
    heap: heapUsed / 2 ** 20,
    external: external / 2 ** 20,
    files: readdirSync('/proc/self/fd').length,
    threads: readdirSync('/proc/self/task').length,
    timers,
  })
  if (samples.length % 12 === 1) console.log(lineOf(samples.at(-1)!))
}

function lineOf(sample: Sample): string {
  const parts = MEASURES.map(({ key, label }) => `${label} ${Math.round(sample[key])}`)
  return `  minute ${sample.minute.toFixed(1)}: ${parts.join(', ')}; ${JSON.stringify(counts)}`
}

/** Few words make most of the text. */
function skewed(random: Random): number {
  return Math.floor(WORDS.length ** (random.below(1 << 20) / (1 << 20))) - 1
}
