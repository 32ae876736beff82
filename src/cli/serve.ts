import { existsSync } from 'node:fs'
import type { Database } from '../embed/database.ts'
import { LamellaError } from '../embed/lamella-error.ts'
import { isLoopback, type RunningServer } from '../embed/running-server.ts'
import type { SettingInput } from '../embed/setting-values.ts'
import type { LogLine } from '../engine/api/log-line.ts'
import type { Arguments, Verb } from './command-line.ts'
import { DATA_OPTION, dataFolder, openFolder } from './data-folder.ts'
import { CliError, EXIT, type ExitCode, UsageError } from './exit-code.ts'
import { catchInterruption, type Interruption } from './interruption.ts'
import type { Terminal } from './terminal.ts'

/** How long requests that run may take to finish once the server is told to stop. */
const GRACE_IN_MILLIS = 4_000
/** When stopping has taken this long, the process ends without more waiting. */
const FUSE_IN_MILLIS = 9_500

/** `lamella serve`: the HTTP API over a data folder, until it is told to stop. */
export const serve: Verb = {
  positionals: [],
  options: {
    data: DATA_OPTION,
    port: {
      type: 'string',
      valueHint: 'N',
      description: 'Port (default: 9200; 0: any free one; a taken one is an error)',
    },
    host: { type: 'string', valueHint: 'H', description: 'Address (default: 127.0.0.1)' },
    threads: { type: 'string', valueHint: 'N', description: 'Search threads (default: cores)' },
    setting: {
      type: 'string',
      alias: 'E',
      isList: true,
      valueHint: 'key=value',
      description: 'A node setting; may be repeated',
    },
    insecure: {
      type: 'boolean',
      description: 'Allow a host that other machines reach without users, or without TLS',
    },
  },

  async run(given: Arguments, terminal: Terminal): Promise<ExitCode> {
    const folder = dataFolder(given)
    const settings = givenSettings(given)
    const port = given.wholeNumber('port', 0, 65_535)
    const threads = given.wholeNumber('threads', 0, 1024)
    const host = given.text('host')
    if (port !== null) settings.set('http.port', port)
    if (host !== null) settings.set('http.host', host)
    if (threads !== null) settings.set('lamella.threads.search', threads)
    const insecure = given.flag('insecure')
    const address = String(settings.get('http.host') ?? '127.0.0.1')
    // A folder that is not there has no users: none is made for a server that would not start.
    if (!isLoopback(address) && !insecure && !existsSync(folder))
      throw new UsageError(
        `--host ${address} can be reached from other machines, and [${folder}] has no users: make one ` +
          'with `lamella security init`, leave it out for 127.0.0.1, or add --insecure',
      )
    // No body of a request can then change what all objects inherit, whatever we overlooked.
    Object.freeze(Object.prototype)
    // Caught before anything is open, so that an early signal still ends in a clean close.
    const interruption = catchInterruption()
    let nodeName = ''
    const database = await openFolder(folder, {
      settings: Object.fromEntries(settings),
      onDefect: error => terminal.note(stackOf(error)),
      onLog: line => terminal.note(logText(line, nodeName)),
    }).catch((error: unknown) => {
      const isSetting = error instanceof LamellaError && error.type === 'illegal_argument_exception'
      throw isSetting && given.list('setting').length > 0 ? new UsageError(error.message) : error
    })
    nodeName = database.identity.nodeName
    let server: RunningServer
    try {
      server = await database.serve({ insecure })
    } catch (error) {
      await database.close()
      // Of a host that settings of the folder name the command line is not to blame.
      const isHost = error instanceof LamellaError && error.message.includes('--insecure')
      throw isHost && host !== null ? new UsageError(error.message) : error
    }
    if (given.flag('json'))
      terminal.out(JSON.stringify({ url: server.url, folder, pid: process.pid }))
    else terminal.out(`lamella serves ${folder} at ${server.url}`)
    await serveUntil(interruption, server, database, terminal)
    return EXIT.fine
  },
}

/**
 * Node settings given as `-E key=value`; the folder's own are read when it is opened.
 * @throws {UsageError} an `-E` without `=`
 */
function givenSettings(given: Arguments): Map<string, SettingInput> {
  const settings = new Map<string, SettingInput>()
  for (const pair of given.list('setting')) {
    const at = pair.indexOf('=')
    if (at <= 0) throw new UsageError(`-E takes key=value, found [${pair}]`)
    settings.set(pair.slice(0, at), pair.slice(at + 1))
  }
  return settings
}

/**
 * Waits for a signal or a defect, then stops: nothing more is accepted, what runs finishes or is cancelled, and
 * what was written is committed.
 * @throws {CliError} a defect, or a stop that failed
 */
export async function serveUntil(
  interruption: Interruption,
  server: RunningServer,
  database: Database,
  terminal: Terminal,
): Promise<void> {
  const cause = await interruption.happened
  if (cause !== null) terminal.note(stackOf(cause.defect))
  terminal.note('stopping')
  const fuse = setTimeout(() => {
    terminal.note('stopping took too long: what was not committed may be lost')
    process.exit(EXIT.failure)
  }, FUSE_IN_MILLIS)
  try {
    await server.close(GRACE_IN_MILLIS)
    await database.close()
  } catch (error) {
    throw new CliError(`could not stop cleanly: ${(error as Error).message}`, { cause: error })
  } finally {
    clearTimeout(fuse)
    interruption.release()
  }
  if (cause !== null)
    throw new CliError('a defect stopped the server; what was written is committed: report it')
}

/** A defect as a report needs it. */
function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

/** A line of the log as the reference server writes its own, without a line break. */
function logText({ logger, level, message }: LogLine, nodeName: string): string {
  const time = new Date().toISOString().slice(0, -1).replace('.', ',')
  const names = logger.split('.')
  const short = names.map((name, i) => (i < names.length - 1 ? name.slice(0, 1) : name)).join('.')
  return `[${time}][${level.padEnd(5)}][${short}] [${nodeName}] ${message.replaceAll(/[\r\n]+/g, ' ')}`
}
