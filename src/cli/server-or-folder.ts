import type { OpenOptions } from '../embed/open.ts'
import type { Arguments, OptionSpec } from './command-line.ts'
import { openExisting } from './data-folder.ts'
import { UsageError } from './exit-code.ts'
import { type ServerCall, serverCall, URL_OPTION } from './server-call.ts'

/** The options that name a server, or a folder in its place. */
export const SERVER_OR_FOLDER: Readonly<Record<'url' | 'data', OptionSpec>> = {
  url: URL_OPTION,
  data: {
    type: 'string',
    valueHint: 'DIR',
    description: 'This data folder, which no server holds, in place of a server',
  },
}

/**
 * Runs a step with calls of the server, or of the folder, that a command line means.
 * @param options of the folder
 * @throws {UsageError} it names both; {CliError}: no such folder, or another process holds it
 */
export async function onServerOrFolder<T>(
  given: Arguments,
  options: OpenOptions,
  step: (call: ServerCall) => Promise<T>,
): Promise<T> {
  if (given.text('data') === null) return await step(serverCall(given))
  if (given.text('url') !== null)
    throw new UsageError('--url names a server and --data a folder: give one of them')
  await using db = await openExisting(given, options)
  return await step(async (method, path) => (await db.request({ method, path })).json())
}
