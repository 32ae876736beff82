/** The generated table as an index of one segment, and requests to it. */

import type { EngineApi } from '../../dist/engine/api/engine-api.js'
import { openEngine } from '../../dist/engine/engine.js'
import { Dispatcher } from '../../dist/rest/dispatch.js'
import { openServices } from '../../dist/service/services.js'
import { encodeUtf8 } from '../../dist/util/bytes.js'
import { TABLE_MAPPINGS } from './table-request.mjs'
import { tableRows } from './table-rows.ts'

const CHUNK = 20_000
const MB = 2 ** 20

/** Sends a request, `METHOD /path` with a body; resolves to its milliseconds. @throws {Error} it was refused */
export type Send = (line: string, body: string) => Promise<number>

/** An engine with one search thread. @param folder null: in memory */
export function openTableEngine(folder: string | null): Promise<EngineApi> {
  return openEngine({
    folder,
    settings: new Map([
      ['lamella.threads.write', '1'],
      ['lamella.threads.search', '1'],
    ]),
  })
}

/** Whole requests, as the wire has them, without the wire; nothing is read from a cache. */
export function senderOver(engine: EngineApi): Send {
  const dispatcher = new Dispatcher(engine, openServices(engine), { maxContentLength: 100 * MB })
  return async (line, body) => {
    const [method = '', path = ''] = line.split(' ')
    const started = performance.now()
    const answer = await dispatcher.dispatch({
      method,
      path,
      query: path.endsWith('_search') ? 'request_cache=false' : '',
      headers: { 'content-type': 'application/json' },
      body: encodeUtf8(body),
    })
    if (answer.status >= 400) throw new Error(Buffer.from(answer.body).toString())
    return performance.now() - started
  }
}

/** Makes the index `table`, and indexes its first rows into one segment. */
export async function fillTable(send: Send, rows: number): Promise<void> {
  const settings = { number_of_shards: 1, refresh_interval: '-1' }
  await send('PUT /table', JSON.stringify({ settings, mappings: TABLE_MAPPINGS }))
  const lines: string[] = []
  for (const row of tableRows(rows)) {
    lines.push('{"index":{}}', JSON.stringify(row))
    if (lines.length < 2 * CHUNK) continue
    await send('POST /table/_bulk', `${lines.join('\n')}\n`)
    lines.length = 0
  }
  await send('POST /table/_refresh', '')
  await send('POST /table/_forcemerge?max_num_segments=1', '')
}
