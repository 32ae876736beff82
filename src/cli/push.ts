/** Copies an index of a data folder to a server. */
import { setTimeout as delay } from 'node:timers/promises'
import type { Clause } from '../embed/clause.ts'
import type { Database } from '../embed/database.ts'
import type { ReindexProgress } from '../embed/reindex.ts'
import { CliError } from './exit-code.ts'
import { type ServerCall, ServerRefusal } from './server-call.ts'

/** Characters of one bulk request. */
const BULK_LENGTH = 4 << 20
/** How often a server that has too much to do is asked again. */
const MAX_RETRIES = 8
/** Refused documents that are told. */
const TOLD_FAILURES = 20

/** A copy to a server. */
export interface Push {
  readonly db: Database
  readonly source: string
  readonly target: string
  readonly query: Clause | undefined
  readonly signal: AbortSignal
}

interface Counts {
  total: number
  created: number
  updated: number
  versionConflicts: number
  batches: number
  failures: unknown[]
}

/**
 * Copies mappings, where the server has no such index, and documents, with progress.
 * @throws {CliError} the server refuses
 */
export async function* pushTo(
  call: ServerCall,
  { db, source, target, query, signal }: Push,
): AsyncGenerator<ReindexProgress, void, undefined> {
  const index = await db.existing(source)
  const path = `/${encodeURIComponent(target)}`
  await createTarget(call, path, await definitionOf(db, source))
  await index.refresh()
  const total = await index.count(query)
  const counts = { total, created: 0, updated: 0, versionConflicts: 0, batches: 0, failures: [] }
  let lines = ''
  const flush = async (): Promise<void> => {
    if (lines !== '') await sendBulk(call, `${path}/_bulk`, lines, counts)
    lines = ''
  }
  for await (const { id, routing, source: document } of index.scan(query, { signal })) {
    if (document === null) throw new CliError(`[${source}][${id}] didn't store _source`)
    const action = { index: { _id: id, ...(routing === null ? {} : { routing }) } }
    lines += `${JSON.stringify(action)}\n${JSON.stringify(document)}\n`
    if (lines.length < BULK_LENGTH) continue
    await flush()
    yield recordOf(counts, false)
  }
  await flush()
  await call('POST', `${path}/_refresh`)
  yield recordOf(counts, true)
}

/** Mappings and number of shards of an index. */
async function definitionOf(db: Database, name: string): Promise<object> {
  const answer = await db.request({ method: 'GET', path: `/${encodeURIComponent(name)}` })
  const found = Object.values(
    answer.json() as Readonly<Record<string, { mappings: object; settings: Settings }>>,
  )
  const [definition] = found
  if (found.length !== 1 || definition === undefined)
    throw new CliError(`[${name}] stands for ${found.length} indices: name one of them`)
  const { number_of_shards, analysis } = definition.settings.index
  return {
    mappings: definition.mappings,
    settings: { index: { number_of_shards, ...(analysis === undefined ? {} : { analysis }) } },
  }
}

interface Settings {
  readonly index: { readonly number_of_shards: string; readonly analysis?: object }
}

/** An index that is there keeps its own mappings. */
async function createTarget(call: ServerCall, path: string, definition: object): Promise<void> {
  try {
    await call('PUT', path, JSON.stringify(definition))
  } catch (error) {
    if (!(error instanceof ServerRefusal && /already exists/.test(error.message))) throw error
  }
}

async function sendBulk(
  call: ServerCall,
  path: string,
  lines: string,
  counts: Counts,
): Promise<void> {
  const { items } = (await withRetries(() => call('POST', path, lines))) as {
    readonly items: readonly { readonly index: Item }[]
  }
  counts.batches++
  for (const { index: item } of items)
    if (item.error !== undefined) {
      if (counts.failures.length < TOLD_FAILURES) counts.failures.push(item)
    } else if (item.result === 'created') counts.created++
    else counts.updated++
}

interface Item {
  readonly result?: string
  readonly error?: unknown
}

async function withRetries<T>(request: () => Promise<T>): Promise<T> {
  for (let retry = 0; ; retry++)
    try {
      return await request()
    } catch (error) {
      const isBusy = error instanceof ServerRefusal && error.status === 429
      if (!isBusy || retry === MAX_RETRIES) throw error
      await delay(100 * 2 ** retry)
    }
}

function recordOf(counts: Counts, isLast: boolean): ReindexProgress {
  return { ...counts, deleted: 0, noops: 0, isLast }
}
