// Runs the test suite and closes with one plain line of counts, the exit code being vitest's own.
// Arguments go to vitest: `npm test -- test/codec`.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const folder = mkdtempSync(join(tmpdir(), 'lamella-test-'))
const report = join(folder, 'report.json')
const { status } = spawnSync(
  process.execPath,
  [
    '--enable-source-maps',
    join(root, 'node_modules/vitest/vitest.mjs'),
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
    ...process.argv.slice(2),
  ],
  { cwd: root, stdio: 'inherit' },
)
let passed = 0
let failed = 1
try {
  const counts = JSON.parse(readFileSync(report, 'utf8'))
  passed = counts.numPassedTests
  failed = counts.numTotalTests - passed - counts.numPendingTests - counts.numTodoTests
} catch {
  console.error('no test report was written')
}
rmSync(folder, { recursive: true, force: true })
console.log(`${passed} passed, ${failed} failed`)
process.exit(status === 0 && passed > 0 ? 0 : 1)
