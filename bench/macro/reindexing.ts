/** Copies and deletions of what a search finds, beside a bulk of the same documents. */
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { EngineApi } from '../../dist/engine/api/engine-api.js'
import { openEngine } from '../../dist/engine/engine.js'
import { Dispatcher } from '../../dist/rest/dispatch.js'
import { openServices } from '../../dist/service/services.js'
import { encodeUtf8 } from '../../dist/util/bytes.js'
import { type Documents, readDocuments } from '../lib/documents.ts'
import { atLeast, atMost, type Bench, type BenchResult, resultOf } from '../lib/result.ts'
import { type Served, serve } from '../lib/served.ts'

const PASSAGES = 200_000
const BULK = 1000
const NUMBERS = 2_000_000
const MB = 2 ** 20

type Send = (method: string, path: string, body?: unknown) => Promise<Record<string, unknown>>

/** Bulk, reindex in one and two slices, from another process, and a deletion by query. */
export const reindexing: Bench = {
  name: 'reindexing',
  async run({ rounds, corpus, say }) {
    const documents = readDocuments(corpus, PASSAGES)
    say(`reindexing: ${documents.bounds.length - 1} documents of ${corpus}`)
    const bodies = bulkBodies(documents)
    const other = await serveOther(bodies)
    const settings = new Map([['reindex.remote.allowlist', new URL(other.url).host]])
    try {
      const readings = await withApi(settings, send => copies(send, bodies, other.url, rounds))
      return [
        ...readings,
        await withApi(new Map(), send => deletion(send, Math.min(rounds, 3), say)),
      ]
    } finally {
      other.process.kill()
      await once(other.process, 'exit')
    }
  },
}

async function copies(
  send: Send,
  bodies: readonly Uint8Array[],
  host: string,
  rounds: number,
): Promise<BenchResult[]> {
  const perSecond: Record<'bulk' | 'local' | 'sliced' | 'remote', number[]> = {
    bulk: [],
    local: [],
    sliced: [],
    remote: [],
  }
  const source = { index: 'source' }
  const remote = { index: 'source', remote: { host } }
  await newIndex(send, 'source')
  const count = await bulk(send, 'source', bodies)
  await send('POST', '/source/_refresh')
  const copy = (from: unknown, slices: number) => async (): Promise<void> => {
    const body = { source: from, dest: { index: 'target' } }
    const { created } = await send('POST', `/_reindex?slices=${slices}`, body)
    if (created !== count) throw new Error(`${created} of ${count} documents were copied`)
  }
  const cases = {
    bulk: async () => void (await bulk(send, 'target', bodies)),
    local: copy(source, 1),
    sliced: copy(source, 2),
    remote: copy(remote, 1),
  }
  for (let round = -1; round < rounds; round++)
    for (const [name, run] of Object.entries(cases)) {
      await newIndex(send, 'target')
      const started = performance.now()
      await run()
      const elapsed = (performance.now() - started) / 1000
      if (round >= 0) perSecond[name as keyof typeof cases].push(count / elapsed)
    }
  const best = (name: keyof typeof cases): number => Math.max(...perSecond[name])
  const line = (name: keyof typeof cases, text: string, more = {}): BenchResult => ({
    ...resultOf(`reindexing/${text}`, 'documents/s', perSecond[name], more),
    min: best(name),
  })
  const against = (name: keyof typeof cases, base: keyof typeof cases, mark: number) => {
    const ratio = best(name) / best(base)
    return { against: { name: base, ratio }, mark: atLeast(ratio, mark, `× ${base}`) }
  }
  return [
    line('bulk', 'bulk'),
    line('local', 'local', against('local', 'bulk', 0.8)),
    line('sliced', 'two slices', against('sliced', 'local', 1.6)),
    line('remote', 'remote', against('remote', 'local', 0.5)),
  ]
}

/** Half of the documents of an index, found by a number. */
async function deletion(
  send: Send,
  rounds: number,
  say: (line: string) => void,
): Promise<BenchResult> {
  say(`reindexing: ${NUMBERS / 2} of ${NUMBERS} documents deleted`)
  const bodies = numbers()
  const seconds: number[] = []
  for (let round = 0; round < rounds; round++) {
    await newIndex(send, 'numbers')
    await bulk(send, 'numbers', bodies)
    await send('POST', '/numbers/_refresh')
    const started = performance.now()
    const { deleted } = await send('POST', '/numbers/_delete_by_query?scroll_size=10000', {
      query: { range: { n: { lt: NUMBERS / 2 } } },
    })
    seconds.push((performance.now() - started) / 1000)
    if (deleted !== NUMBERS / 2) throw new Error(`${deleted} documents were deleted`)
  }
  return resultOf('reindexing/delete 1 of 2 million by query', 's', seconds, {
    mark: atMost(Math.min(...seconds), 10, 's'),
  })
}

async function newIndex(send: Send, name: string): Promise<void> {
  await send('DELETE', `/${name}?ignore_unavailable=true`)
  await send('PUT', `/${name}`, {
    settings: { refresh_interval: '-1', number_of_replicas: 0 },
  })
}

async function bulk(send: Send, index: string, bodies: readonly Uint8Array[]): Promise<number> {
  let count = 0
  for (const body of bodies) {
    const { errors, items } = await send('POST', `/${index}/_bulk`, body)
    if (errors === true) throw new Error('a bulk failed')
    count += (items as readonly unknown[]).length
  }
  return count
}

function bulkBodies({ bytes, bounds }: Documents): Uint8Array[] {
  const bodies: Uint8Array[] = []
  for (let start = 0; start + 1 < bounds.length; start += BULK) {
    const parts: Uint8Array[] = []
    for (let i = start; i < Math.min(start + BULK, bounds.length - 1); i++)
      parts.push(
        encodeUtf8(`{"index":{"_id":"${i}"}}\n`),
        bytes.subarray(bounds[i]!, bounds[i + 1]!),
      )
    bodies.push(Buffer.concat(parts))
  }
  return bodies
}

function numbers(): Uint8Array[] {
  const bodies: Uint8Array[] = []
  for (let start = 0; start < NUMBERS; start += 10_000) {
    const lines: string[] = []
    for (let i = start; i < start + 10_000; i++)
      // Those that go lie among those that stay.
      lines.push(`{"index":{"_id":"${i}"}}\n{"n":${(i * 7919) % NUMBERS}}\n`)
    bodies.push(encodeUtf8(lines.join('')))
  }
  return bodies
}

async function withApi<T>(
  settings: ReadonlyMap<string, string>,
  step: (send: Send, engine: EngineApi) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'lamella-reindex-'))
  const engine = await openEngine({ folder, settings: new Map(settings) })
  const dispatcher = new Dispatcher(engine, openServices(engine), { maxContentLength: 100 * MB })
  const send: Send = async (method, path, body) => {
    const isBytes = body instanceof Uint8Array
    const type = isBytes ? 'application/x-ndjson' : 'application/json'
    const answer = await dispatcher.dispatch({
      method,
      path,
      headers: body === undefined ? {} : { 'content-type': type },
      ...(body === undefined ? {} : { body: isBytes ? body : encodeUtf8(JSON.stringify(body)) }),
    })
    const text = Buffer.from(answer.body).toString()
    if (answer.status >= 400 && answer.status !== 404) throw new Error(text)
    return JSON.parse(text) as Record<string, unknown>
  }
  try {
    return await step(send, engine)
  } finally {
    await engine.close()
    rmSync(folder, { recursive: true })
  }
}

/** Another process that serves the same documents. */
async function serveOther(bodies: readonly Uint8Array[]): Promise<Served> {
  const other = await serve()
  const headers = { 'content-type': 'application/x-ndjson' }
  for (const body of bodies) {
    const answer = await fetch(`${other.url}/source/_bulk`, {
      method: 'POST',
      headers,
      body: Buffer.from(body),
    })
    await answer.arrayBuffer()
  }
  await (await fetch(`${other.url}/source/_refresh`, { method: 'POST' })).arrayBuffer()
  return other
}
