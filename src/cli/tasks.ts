import { readTask } from '../embed/task-record.ts'
import type { Arguments, Verb } from './command-line.ts'
import { drawTasks } from './drawing/tasks.ts'
import { printable } from './drawing/text.ts'
import { EXIT, type ExitCode } from './exit-code.ts'
import { type ServerCall, serverCall, URL_OPTION } from './server-call.ts'
import type { Terminal } from './terminal.ts'
import { showOrWatch, WATCH_OPTIONS } from './watch.ts'

/** The listing itself, and its step. */
const LISTING = 'cluster:monitor/tasks/lists'

/** `lamella tasks`: the tasks that run on a server, and their cancellation. */
export const tasks: Verb = {
  positionals: [],
  options: {
    url: URL_OPTION,
    action: {
      type: 'string',
      isList: true,
      valueHint: 'A',
      description: 'Tasks of this action alone, with * for any part; may be repeated',
    },
    cancel: { type: 'string', valueHint: 'TASK', description: 'Cancel this task and its steps' },
    ...WATCH_OPTIONS,
  },

  async run(given: Arguments, terminal: Terminal): Promise<ExitCode> {
    const call = serverCall(given)
    const cancelled = given.text('cancel')
    if (cancelled !== null) return await cancel(call, cancelled, given, terminal)
    const actions = given.list('action').join(',')
    const filter = actions === '' ? '' : `&actions=${encodeURIComponent(actions)}`
    await showOrWatch(given, terminal, async () => {
      const answer = await call('GET', `/_tasks?group_by=none&detailed=true${filter}`)
      const { tasks: listed } = answer as { readonly tasks: readonly { readonly action: string }[] }
      const others = listed.filter(({ action }) => !action.startsWith(LISTING))
      if (given.flag('json')) return [JSON.stringify({ tasks: others })]
      return drawTasks(others.map(readTask), terminal.width, terminal.paint)
    })
    return EXIT.fine
  },
}

async function cancel(
  call: ServerCall,
  id: string,
  given: Arguments,
  terminal: Terminal,
): Promise<ExitCode> {
  const answer = await call('POST', `/_tasks/${encodeURIComponent(id)}/_cancel`)
  terminal.out(given.flag('json') ? JSON.stringify(answer) : `cancelled ${printable(id)}`)
  return EXIT.fine
}
