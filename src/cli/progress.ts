import { SingleBar } from 'cli-progress'
import type { Arguments, OptionSpec } from './command-line.ts'
import type { Terminal } from './terminal.ts'

/** Shows how far something is: a bar on a terminal, now and then a plain line elsewhere. */
export interface Progress {
  /** @param note said beside the bar: rates, counts */
  update(done: number, note: string): void
  /** Ends it, with what is to stay on the screen. */
  end(note: string): void
}

/** The option of verbs that show progress. */
export const QUIET_OPTION: OptionSpec = { type: 'boolean', description: 'Show no progress' }

const SILENT: Progress = { update() {}, end() {} }

/** Plain lines come at most so often. */
const LINE_EVERY_IN_MILLIS = 2_000

/**
 * Starts showing progress, unless the command line is quiet.
 * @param total where `done` will end; 0: nobody knows
 */
export function startProgress(
  given: Arguments,
  terminal: Terminal,
  label: string,
  total: number,
): Progress {
  if (given.flag('quiet')) return SILENT
  return terminal.bars === null
    ? plainLines(terminal, label, total)
    : movingBar(terminal.bars, label, total)
}

function movingBar(stream: NodeJS.WriteStream, label: string, total: number): Progress {
  const bar = new SingleBar({
    format: `${label} {bar} {percentage} %  {note}`,
    barCompleteChar: '█',
    barIncompleteChar: '░',
    barsize: 30,
    hideCursor: true,
    linewrap: true,
    stream,
  })
  bar.start(Math.max(1, total), 0, { note: '' })
  return {
    update(done, note) {
      bar.update(total > 0 ? Math.min(done, total) : 0, { note })
    },
    end(note) {
      bar.update(Math.max(1, total), { note })
      bar.stop()
    },
  }
}

function plainLines(terminal: Terminal, label: string, total: number): Progress {
  let said = performance.now()
  return {
    update(done, note) {
      if (performance.now() - said < LINE_EVERY_IN_MILLIS) return
      said = performance.now()
      const share = total > 0 ? `${Math.floor((100 * Math.min(done, total)) / total)} %  ` : ''
      terminal.note(`${label}: ${share}${note}`)
    },
    end(note) {
      terminal.note(`${label}: ${note}`)
    },
  }
}
