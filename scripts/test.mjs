// Runs the test suite and closes with one plain line of counts, the exit code being vitest's own.
// Arguments go to vitest: `npm test -- test/codec`.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
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
  failed = 0
  // Those of a process that ended amid a file have no result of their own: `pending` is running or not begun.
  const words = { failed: 'failed', pending: 'not ended' }
  for (const file of counts.testResults) {
    const name = relative(root, file.name)
    const ends = file.assertionResults.filter(test => test.status in words)
    for (const test of ends) console.log(`${words[test.status]}: ${name} > ${test.fullName}`)
    // A file that could not be read has no tests.
    if (file.status === 'failed' && ends.length === 0)
      console.log(`failed: ${name}: ${file.message}`)
    failed += Math.max(ends.length, file.status === 'failed' ? 1 : 0)
  }
} catch {
  console.error('no test report was written')
}
rmSync(folder, { recursive: true, force: true })
console.log(`${passed} passed, ${failed} failed`)
process.exit(status === 0 && passed > 0 && failed === 0 ? 0 : 1)
