import type { Arguments, Verb } from './command-line.ts'
import { drawNodeStats, type NodeStatistics } from './drawing/node-stats.ts'
import { CliError, EXIT, type ExitCode, UsageError } from './exit-code.ts'
import type { ServerCall } from './server-call.ts'
import { onServerOrFolder, SERVER_OR_FOLDER } from './server-or-folder.ts'
import type { Terminal } from './terminal.ts'
import { showOrWatch, WATCH_OPTIONS } from './watch.ts'

const PATH = '/_nodes/stats'

/** `lamella stats`: what a server, or a data folder, has and does. */
export const stats: Verb = {
  positionals: [],
  options: {
    ...SERVER_OR_FOLDER,
    ...WATCH_OPTIONS,
  },

  async run(given: Arguments, terminal: Terminal): Promise<ExitCode> {
    if (given.text('data') !== null && given.flag('watch'))
      throw new UsageError('--watch goes with a server: nothing else runs')
    await onServerOrFolder(given, {}, call => show(given, terminal, call))
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
