import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { UsageError } from './exit-code.ts'

/** Longest line that is read. */
const MAX_LENGTH = 10_000

/**
 * A password from a terminal, which shows nothing of it, or the first line of what is piped in: on a command
 * line it would stand in lists of processes.
 * @throws {UsageError} there is none
 */
export async function readPassword(asked: string): Promise<string> {
  const { stdin, stderr } = process
  if (stdin.isTTY) stderr.write(`${asked}: `)
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: stdin, output: silent, terminal: stdin.isTTY === true })
  try {
    for await (const line of lines) {
      if (line !== '' && line.length <= MAX_LENGTH) return line
      break
    }
  } finally {
    lines.close()
    if (stdin.isTTY) stderr.write('\n')
  }
  throw new UsageError('no password was given: type it, or pipe one line in')
}
