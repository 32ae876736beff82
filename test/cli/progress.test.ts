import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { Arguments } from '../../src/cli/command-line.ts'
import { paintsFor } from '../../src/cli/drawing/paint.ts'
import { startProgress } from '../../src/cli/progress.ts'
import type { Terminal } from '../../src/cli/terminal.ts'

const given = new Arguments([], new Map(), new Map())

/** A terminal whose standard error moves, or not, and what was written to it. */
function terminalWith(moves: boolean): { readonly terminal: Terminal; written(): string } {
  const stream = Object.assign(new PassThrough(), { isTTY: true, columns: 100 })
  let written = ''
  stream.on('data', chunk => {
    written += chunk
  })
  const terminal: Terminal = {
    out() {},
    outBytes() {},
    note: line => void stream.write(`${line}\n`),
    width: 100,
    paint: paintsFor(false),
    isMoving: moves,
    bars: moves ? (stream as unknown as NodeJS.WriteStream) : null,
  }
  return { terminal, written: () => written }
}

const timers = (): number =>
  process.getActiveResourcesInfo().filter(name => name === 'Timeout').length

const turn = (): Promise<void> => new Promise(resolve => setImmediate(resolve))

describe('a bar', () => {
  it('fills up to a total that is known later', async () => {
    const { terminal, written } = terminalWith(true)
    {
      using progress = startProgress(given, terminal, 'copying', 0)
      progress.update(1, '1 document')
      progress.update(100, '100 documents', 200)
      progress.end('200 documents')
    }
    await turn()
    expect(written()).toMatch(/ 100 % {2}200 documents/)
    expect(written()).not.toContain('stopped')
  })

  it('stays where it stands when what it shows is given up, and keeps no timer', async () => {
    const { terminal, written } = terminalWith(true)
    const before = timers()
    const run = (): void => {
      using progress = startProgress(given, terminal, 'copying', 200)
      progress.update(100, '100 documents')
      expect(timers()).toBeGreaterThan(before)
      throw new Error('given up')
    }
    expect(run).toThrow('given up')
    expect(timers()).toBe(before)
    await turn()
    expect(written()).toMatch(/ 50 % {2}stopped[^%]*\n$/)
  })
})

describe('plain lines', () => {
  it.each([
    ['end with what is to stay', true, 'copying: 2 documents\n'],
    ['say that it was given up', false, 'copying: stopped\n'],
  ])('%s', async (_, ends, said) => {
    const { terminal, written } = terminalWith(false)
    {
      using progress = startProgress(given, terminal, 'copying', 0)
      progress.update(1, '1 document')
      if (ends) progress.end('2 documents')
    }
    await turn()
    expect(written()).toBe(said)
  })

  it.each([true, false])('say nothing of what fails at once (%s: a bar instead)', async moves => {
    const { terminal, written } = terminalWith(moves)
    startProgress(given, terminal, 'copying', 0)[Symbol.dispose]()
    await turn()
    expect(written()).toBe('')
  })
})
