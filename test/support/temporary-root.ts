/**
 * Gives a run of tests a temporary directory of its own, which every process that it starts inherits,
 * and deletes it when the run is over, whatever tests left in it.
 */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Called by vitest before the first test; what it returns, after the last. */
export default function temporaryRoot(): () => void {
  const before = process.env['TMPDIR']
  const root = mkdtempSync(join(tmpdir(), 'lamella-tests-'))
  process.env['TMPDIR'] = root
  return () => {
    if (before === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = before
    const left = readdirSync(root).filter(name => name.startsWith('lamella-'))
    rmSync(root, { recursive: true, force: true })
    if (left.length > 0) throw new Error(`tests have left behind ${left.join(', ')}`)
  }
}
