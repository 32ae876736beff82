import { SingleBar } from 'cli-progress'
import type { Arguments, OptionSpec } from './command-line.ts'
import type { Terminal } from './terminal.ts'

/**
 * Shows how far something is: a bar on a terminal, now and then a plain line elsewhere. Disposed of before its end,
 * it stays where it stands: a bar keeps a timer, which would keep the process. Nothing is shown before the first update.
 */
export interface Progress extends Disposable {
  /**
   * @param note said beside the bar: rates, counts
   * @param total where `done` will end, where that has come to be known
   */
  update(done: number, note: string, total?: number): void
  /** Ends it as done, with what is to stay on the screen. */
  end(note: string): void
}

/** The option of verbs that show progress. */
export const QUIET_OPTION: OptionSpec = { type: 'boolean', description: 'Show no progress' }

const SILENT: Progress = { update() {}, end() {}, [Symbol.dispose]() {} }

/** Said of what was given up. */
const STOPPED = 'stopped'

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

function movingBar(stream: NodeJS.WriteStream, label: string, totalAtFirst: number): Progress {
  let total = totalAtFirst
  let hasEnded = false
  const bar = new SingleBar({
    format: `${label} {bar} {percentage} %  {note}`,
    barCompleteChar: '█',
    barIncompleteChar: '░',
    barsize: 30,
    hideCursor: true,
    linewrap: true,
    stream,
  })
  let isShown = false
  const show = (done: number, note: string): void => {
    // What fails at once needs no bar.
    if (!isShown) bar.start(Math.max(1, total), done, { note })
    isShown = true
    bar.update(done, { note })
  }
  return {
    update(done, note, known = total) {
      if (isShown && known !== total) bar.setTotal(Math.max(1, known))
      total = known
      show(total > 0 ? Math.min(done, total) : 0, note)
    },
    end(note) {
      hasEnded = true
      show(Math.max(1, total), note)
      bar.stop()
    },
    [Symbol.dispose]() {
      if (hasEnded || !isShown) return
      bar.update({ note: STOPPED })
      bar.stop()
    },
  }
}

function plainLines(terminal: Terminal, label: string, totalAtFirst: number): Progress {
  let total = totalAtFirst
  let hasEnded = false
  let isUnderWay = false
  let said = performance.now()
  return {
    update(done, note, known = total) {
      total = known
      isUnderWay = true
      if (performance.now() - said < LINE_EVERY_IN_MILLIS) return
      said = performance.now()
      const share = total > 0 ? `${Math.floor((100 * Math.min(done, total)) / total)} %  ` : ''
      terminal.note(`${label}: ${share}${note}`)
    },
    end(note) {
      hasEnded = true
      terminal.note(`${label}: ${note}`)
    },
    [Symbol.dispose]() {
      if (isUnderWay && !hasEnded) terminal.note(`${label}: ${STOPPED}`)
    },
  }
}
