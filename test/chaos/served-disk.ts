import { expect } from 'vitest'
import { openEngineOver } from '../../src/engine/engine.ts'
import { Dispatcher } from '../../src/rest/dispatch.ts'
import { openServices } from '../../src/service/services.ts'
import { encodeUtf8 } from '../../src/util/bytes.ts'
import type { FaultDisk } from './fault-disk.ts'
import type { Send } from './writers.ts'

const SETTINGS = { 'lamella.threads.write': '1', 'lamella.threads.search': '1' }

export interface Served {
  readonly send: Send
  /** From now on no answer comes, and the disk is left as it is. */
  cut(): void
  close(): Promise<void>
}

/** The whole API over a disk, without a socket. */
export async function serve(disk: FaultDisk): Promise<Served> {
  const options = { folder: null, settings: new Map(Object.entries(SETTINGS)) }
  const engine = await openEngineOver(options, disk)
  const defects: unknown[] = []
  const dispatcher = new Dispatcher(engine, openServices(engine), {
    maxContentLength: 1 << 20,
    onDefect: error => defects.push(error),
  })
  let isCut = false
  return {
    async send(method, url, body) {
      if (isCut) return null
      const [path = '', query = ''] = url.split('?')
      const type = path.endsWith('_bulk') ? 'application/x-ndjson' : 'application/json'
      const request = body === undefined ? {} : { body: encodeUtf8(body) }
      const headers: Record<string, string> = body === undefined ? {} : { 'content-type': type }
      const { status, body: bytes } = await dispatcher.dispatch({
        method,
        path,
        query,
        headers,
        ...request,
      })
      if (isCut) return null
      // The disk's own errors are the only ones that nobody need have foreseen.
      for (const defect of defects) expect((defect as NodeJS.ErrnoException).code).toMatch(/^E/)
      const text = Buffer.from(bytes).toString()
      return { status, json: text === '' ? null : JSON.parse(text) }
    },
    cut() {
      isCut = true
    },
    close: () => engine.close().catch(() => {}),
  }
}
