import type { Database } from './database.ts'
import { type OpenOptions, open } from './open.ts'
import type { RunningServer, ServeOptions } from './running-server.ts'

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
  const database = await open(folder, options)
  let server: RunningServer
  try {
    server = await database.serve(options)
  } catch (error) {
    await database.close()
    throw error
  }
  const close = async (graceInMillis?: number): Promise<void> => {
    await server.close(graceInMillis)
    await database.close()
  }
  const { host, port, url } = server
  return { database, host, port, url, close, [Symbol.asyncDispose]: () => close() }
}
