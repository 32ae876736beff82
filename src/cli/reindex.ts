import type { Clause } from '../embed/clause.ts'
import type { ReindexOptions, ReindexProgress, RemoteSource } from '../embed/reindex.ts'
import type { Arguments, Verb } from './command-line.ts'
import { DATA_OPTION, dataFolder, existingIndex, openExisting, openFolder } from './data-folder.ts'
import { countedText, countText, printable } from './drawing/text.ts'
import { CliError, EXIT, type ExitCode, UsageError } from './exit-code.ts'
import { catchInterruption } from './interruption.ts'
import { QUIET_OPTION, startProgress } from './progress.ts'
import { pushTo } from './push.ts'
import { remoteFailure } from './remote-failure.ts'
import { baseOf, callsTo } from './server-call.ts'
import type { Terminal } from './terminal.ts'

/** The password stands in no command line, which others can see. */
const PASSWORD = 'LAMELLA_PASSWORD'

/** `lamella reindex`: an index copied within a folder, from a server into it, or out of it to a server. */
export const reindex: Verb = {
  positionals: [
    { name: 'SOURCE', description: 'the index to copy' },
    { name: 'TARGET', description: 'the index to write to, made when absent' },
  ],
  options: {
    data: DATA_OPTION,
    from: { type: 'string', valueHint: 'URL', description: 'Server that has SOURCE' },
    to: { type: 'string', valueHint: 'URL', description: 'Server that is to have TARGET' },
    user: {
      type: 'string',
      valueHint: 'NAME',
      description: `User of that server, whose password is in ${PASSWORD}`,
    },
    query: { type: 'string', valueHint: 'JSON', description: 'Copy what this query finds alone' },
    script: { type: 'string', valueHint: 'PAINLESS', description: 'Change documents on the way' },
    slices: { type: 'string', valueHint: 'N', description: 'Parts at the same time, or auto' },
    quiet: QUIET_OPTION,
  },

  async run(given: Arguments, terminal: Terminal): Promise<ExitCode> {
    const [source = '', target = ''] = given.positionals
    const [from, to] = [given.text('from'), given.text('to')]
    if (from !== null && to !== null) throw new UsageError('--from and --to exclude each other')
    const interruption = catchInterruption()
    try {
      const { signal } = interruption
      const last =
        to === null
          ? await pull(source, target, from, given, terminal, signal)
          : await push(source, target, to, given, terminal, signal)
      report(source, target, last, given, terminal)
      return last.failures.length === 0 ? EXIT.fine : EXIT.failure
    } catch (error) {
      if (interruption.signal.aborted) throw new CliError('interrupted: what was copied stays')
      throw error
    } finally {
      interruption.release()
    }
  },
}

async function pull(
  source: string,
  target: string,
  from: string | null,
  given: Arguments,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<ReindexProgress> {
  const remote = from === null ? null : remoteOf(from, given)
  const options = { ...optionsOf(given), refresh: true, signal }
  if (remote === null) {
    await using db = await openExisting(given)
    const index = await existingIndex(db, source)
    return await shown(index.reindexTo(target, options), given, terminal)
  }
  const settings = { 'reindex.remote.allowlist': remote.place }
  await using db = await openFolder(dataFolder(given), { settings })
  const copying = db.reindex(source, target, { ...options, remote: remote.source })
  try {
    return await shown(copying, given, terminal)
  } catch (error) {
    throw remoteFailure(error, remote.source.host)
  }
}

async function push(
  source: string,
  target: string,
  to: string,
  given: Arguments,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<ReindexProgress> {
  const { query, script, slices } = optionsOf(given)
  if (script !== undefined || slices !== undefined)
    throw new UsageError('--script and --slices do not go together with --to')
  const user = given.text('user')
  const headers: Record<string, string> = {}
  if (user !== null) {
    const credentials = Buffer.from(`${user}:${passwordOf()}`).toString('base64')
    headers['authorization'] = `Basic ${credentials}`
  }
  await using db = await openExisting(given)
  await existingIndex(db, source)
  const call = callsTo(baseOf(to, '--to'), headers)
  return await shown(pushTo(call, { db, source, target, query, signal }), given, terminal)
}

async function shown(
  records: AsyncIterable<ReindexProgress>,
  given: Arguments,
  terminal: Terminal,
): Promise<ReindexProgress> {
  // The total is known once another server has answered.
  using progress = startProgress(given, terminal, 'copying', 0)
  let last: ReindexProgress | null = null
  for await (const record of records) {
    progress.update(doneOf(record), countedText(doneOf(record), 'document'), record.total)
    last = record
  }
  progress.end(countedText(doneOf(last!), 'document'))
  return last!
}

function doneOf({ created, updated, deleted, noops, versionConflicts }: ReindexProgress): number {
  return created + updated + deleted + noops + versionConflicts
}

function optionsOf(given: Arguments): Pick<ReindexOptions, 'query' | 'script' | 'slices'> {
  const query = given.text('query')
  const script = given.text('script')
  const slices = given.text('slices')
  return {
    ...(query === null ? {} : { query: queryOf(query) }),
    ...(script === null ? {} : { script }),
    ...(slices === null ? {} : { slices: slices === 'auto' ? slices : slicesOf(slices) }),
  }
}

function queryOf(text: string): Clause {
  try {
    return JSON.parse(text) as Clause
  } catch (error) {
    throw new UsageError(`--query takes a query as JSON: ${(error as Error).message}`)
  }
}

function slicesOf(text: string): number {
  const number = Number(text)
  if (Number.isSafeInteger(number) && number >= 1) return number
  throw new UsageError(`--slices takes a whole number from 1, or auto, found [${text}]`)
}

function remoteOf(
  text: string,
  given: Arguments,
): { readonly place: string; readonly source: RemoteSource } {
  const host = baseOf(text, '--from')
  const url = new URL(host)
  // The API wants the port written out.
  const port = url.port === '' ? (url.protocol === 'https:' ? '443' : '80') : url.port
  const user = given.text('user')
  return {
    place: `${url.hostname}:${port}`,
    source: {
      host: `${url.protocol}//${url.hostname}:${port}${url.pathname.replace(/\/$/, '')}`,
      ...(user === null ? {} : { username: user, password: passwordOf() }),
    },
  }
}

function passwordOf(): string {
  const password = process.env[PASSWORD]
  if (password !== undefined) return password
  throw new UsageError(`--user needs the password in the environment, as ${PASSWORD}`)
}

function report(
  source: string,
  target: string,
  record: ReindexProgress,
  given: Arguments,
  terminal: Terminal,
): void {
  if (given.flag('json')) {
    terminal.out(JSON.stringify(record))
    return
  }
  for (const failure of record.failures) terminal.note(printable(JSON.stringify(failure)))
  const { created, updated, deleted, noops, versionConflicts } = record
  const further = [
    [updated, 'overwritten'],
    [deleted, 'deleted'],
    [noops, 'left out'],
    [versionConflicts, 'in conflict'],
  ] as const
  const more = further.map(([count, text]) => (count > 0 ? `, ${countText(count)} ${text}` : ''))
  const copied = `${countedText(created, 'document')} copied from [${source}] to [${target}]`
  terminal.out(`${copied}${more.join('')}`)
}
