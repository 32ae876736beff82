// Holds the subjects of commits to 72 characters, from the commit that the rule began after. Passes where
// that commit cannot be seen: in a shallow clone, in a package, without git.
import { spawnSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const FIRST = '7226c7a'
const MAX_LENGTH = 72

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const { status, stdout } = spawnSync('git', ['log', '--format=%h %s', `${FIRST}..HEAD`], {
  cwd: root,
  encoding: 'utf8',
})
if (status !== 0) {
  console.log('subjects of commits: not looked at, there is no history here')
  process.exit(0)
}
const lines = stdout.split('\n').filter(line => line !== '')
const subjectOf = line => line.slice(line.indexOf(' ') + 1)
const long = lines.filter(line => subjectOf(line).length > MAX_LENGTH)
for (const line of long)
  console.error(`${subjectOf(line).length} characters, at most ${MAX_LENGTH}: ${line}`)
console.log(`subjects of commits: ${lines.length} looked at, ${long.length} too long`)
process.exit(long.length === 0 ? 0 : 1)
