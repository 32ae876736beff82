import type { Database } from '../embed/database.ts'
import type { Arguments, Verb } from './command-line.ts'
import { openExisting } from './data-folder.ts'
import { drawNodeStats, type NodeStatistics } from './drawing/node-stats.ts'
import { CliError, EXIT, type ExitCode, UsageError } from './exit-code.ts'
import { type ServerCall, serverCall, URL_OPTION } from './server-call.ts'
import type { Terminal } from './terminal.ts'
import { showOrWatch, WATCH_OPTIONS } from './watch.ts'

const PATH = '/_nodes/stats'

/** `lamella stats`: what a server, or a data folder, has and does. */
export const stats: Verb = {
  positionals: [],
  options: {
    url: URL_OPTION,
    data: {
      type: 'string',
      valueHint: 'DIR',
      description: 'Statistics of this data folder, which no server holds, in place of a server’s',
    },
    ...WATCH_OPTIONS,
  },

  async run(given: Arguments, terminal: Terminal): Promise<ExitCode> {
    if (given.text('data') === null) {
      await show(given, terminal, serverCall(given))
      return EXIT.fine
    }
    if (given.text('url') !== null)
      throw new UsageError('--url names a server and --data a folder: give one of them')
    if (given.flag('watch')) throw new UsageError('--watch goes with a server: nothing else runs')
    await using db = await openExisting(given)
    await show(given, terminal, folderCall(db))
    return EXIT.fine
  },
}

async function show(given: Arguments, terminal: Terminal, call: ServerCall): Promise<void> {
  let before: NodeStatistics | null = null
  await showOrWatch(given, terminal, async () => {
    const answer = await call('GET', PATH)
    if (given.flag('json')) return [JSON.stringify(answer)]
    const { nodes } = answer as { readonly nodes: Readonly<Record<string, NodeStatistics>> }
    const [now] = Object.values(nodes)
    if (now === undefined) throw new CliError('the server tells of no node')
    const lines = drawNodeStats(now, before, terminal)
    before = now
    return lines
  })
}

function folderCall(db: Database): ServerCall {
  return async (method, path) => (await db.request({ method, path })).json()
}
