import { checkOptions } from './arguments.ts'
import type { Database } from './database.ts'
import { rethrown } from './lamella-error.ts'
import { OPEN_OPTIONS, type OpenOptions, open } from './open.ts'
import { type RunningServer, SERVE_OPTIONS, type ServeOptions } from './running-server.ts'

/** A database behind a server of its own. */
export interface ServedDatabase extends RunningServer {
  readonly database: Database
}

/**
 * Opens a database and serves it over HTTP; closing the server closes the database.
 * @param folder of its files; undefined keeps all in memory
 * @throws {LamellaError} as `open` does; a port that is taken; a host that needs `insecure`
 */
export async function serve(
  folder?: string,
  options: OpenOptions & ServeOptions = {},
): Promise<ServedDatabase> {
  await rethrown(() =>
    checkOptions('option of serve', options, { ...OPEN_OPTIONS, ...SERVE_OPTIONS }),
  )
  const { host, port, insecure, ...opening } = options
  const listening: ServeOptions = {
    ...(host === undefined ? {} : { host }),
    ...(port === undefined ? {} : { port }),
    ...(insecure === undefined ? {} : { insecure }),
  }
  const database = await open(folder, opening)
  let server: RunningServer
  try {
    server = await database.serve(listening)
  } catch (error) {
    await database.close()
    throw error
  }
  const close = async (graceInMillis?: number): Promise<void> => {
    await server.close(graceInMillis)
    await database.close()
  }
  const { url } = server
  return {
    database,
    host: server.host,
    port: server.port,
    url,
    close,
    [Symbol.asyncDispose]: () => close(),
  }
}
