import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { whenOver } from './when-over.ts'

/** A folder of the test's own, or of the test file's, deleted when that is over. */
export function tempFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `lamella-${name}-`))
  whenOver(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
