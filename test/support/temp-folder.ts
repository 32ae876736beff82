import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'

/** A folder of the test file's own, deleted when its tests are over. */
export function tempFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `lamella-${name}-`))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
