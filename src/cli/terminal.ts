import { type Paints, paintsFor } from './drawing/paint.ts'

/** Where a verb writes: results on stdout, progress and complaints on stderr. */
export interface Terminal {
  /** A line of the result. */
  out(line: string): void
  /** Bytes of the result as they stand. */
  outBytes(bytes: Uint8Array): void
  /** A line about what happens. */
  note(line: string): void
  /** Columns of the result. */
  readonly width: number
  readonly paint: Paints
  /** Whether the result goes to a terminal, where it may be drawn anew in place. */
  readonly isMoving: boolean
  /** A terminal for moving bars; null where plain lines are written instead. */
  readonly bars: NodeJS.WriteStream | null
}

const USUAL_WIDTH = 100
const LEAST_WIDTH = 60
const MOST_WIDTH = 160

/**
 * The process's own terminal.
 * @param colours false turns them off; they are off anyway where stdout is none, or NO_COLOR is set
 */
export function processTerminal(colours: boolean): Terminal {
  const { stdout, stderr } = process
  const isColoured = colours && stdout.isTTY === true && !process.env['NO_COLOR']
  const columns = stdout.isTTY === true ? stdout.columns : USUAL_WIDTH
  return {
    out: line => void stdout.write(`${line}\n`),
    outBytes: bytes => void stdout.write(bytes),
    note: line => void stderr.write(`${line}\n`),
    width: Math.min(MOST_WIDTH, Math.max(LEAST_WIDTH, columns || USUAL_WIDTH)),
    paint: paintsFor(isColoured),
    isMoving: stdout.isTTY === true,
    bars: stderr.isTTY === true ? stderr : null,
  }
}
