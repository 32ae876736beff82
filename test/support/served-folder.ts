import { Client } from '@opensearch-project/opensearch'
import { Dispatcher } from '../../src/rest/dispatch.ts'
import { startHttpServer } from '../../src/rest/http-server.ts'
import { Settings } from '../../src/schema/settings.ts'
import { openServices } from '../../src/service/services.ts'
import { engineWith } from './engine-calls.ts'

/** A node over a data folder, served to the official client. */
export interface ServedFolder {
  readonly client: Client
  /** Ends the server and the node, as a clean stop does. */
  close(): Promise<void>
}

/** Opens a data folder and serves it on a port of its own. */
export async function serveFolder(folder: string): Promise<ServedFolder> {
  const engine = await engineWith(folder)
  const dispatcher = new Dispatcher(engine, openServices(engine), { maxContentLength: 2 ** 20 })
  const server = await startHttpServer(dispatcher, {
    host: '127.0.0.1',
    port: 0,
    settings: Settings.EMPTY,
  })
  const client = new Client({ node: `http://127.0.0.1:${server.port}` })
  return {
    client,
    async close() {
      await client.close()
      await server.close(1000)
      await engine.close()
    },
  }
}
