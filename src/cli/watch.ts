import { setTimeout as delay } from 'node:timers/promises'
import type { Arguments, OptionSpec } from './command-line.ts'
import { UsageError } from './exit-code.ts'
import { catchInterruption } from './interruption.ts'
import type { Terminal } from './terminal.ts'

/** Options of verbs that may show something again and again. */
export const WATCH_OPTIONS: Readonly<Record<'watch' | 'interval', OptionSpec>> = {
  watch: { type: 'boolean', description: 'Show it again and again, until interrupted' },
  interval: {
    type: 'string',
    valueHint: 'SECONDS',
    description: 'From one time to the next (default: 2); with --watch',
  },
}

/** Moves the cursor of a terminal home and clears what is below it. */
const CLEAR = '\u001b[H\u001b[J'

/**
 * Shows something once; with `--watch` until a signal, on a terminal in place of what it showed before.
 * @param draw makes the lines of now
 * @throws {UsageError} an interval without a watch; errors of `draw`
 */
export async function showOrWatch(
  given: Arguments,
  terminal: Terminal,
  draw: () => Promise<readonly string[]>,
): Promise<void> {
  const seconds = given.wholeNumber('interval', 1, 86_400)
  if (!given.flag('watch')) {
    if (seconds !== null) throw new UsageError('--interval goes with --watch')
    for (const line of await draw()) terminal.out(line)
    return
  }
  const interruption = catchInterruption()
  const { signal } = interruption
  try {
    while (!signal.aborted) {
      const lines = await draw()
      if (terminal.isMoving) terminal.outBytes(Buffer.from(CLEAR))
      for (const line of lines) terminal.out(line)
      await delay(1000 * (seconds ?? 2), null, { signal }).catch(() => {})
    }
  } finally {
    interruption.release()
  }
  const cause = await interruption.happened
  if (cause !== null) throw cause.defect
}
