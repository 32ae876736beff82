// The long form of the chaos tests: every call failed, hundreds of kills and power cuts, thousands of
// damaged copies, a hundred thousand malformed requests. Arguments go to vitest: `npm run chaos -- test/chaos/kill-server`.
import { spawnSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const given = process.argv.slice(2)
const { status } = spawnSync(
  process.execPath,
  [
    join(root, 'scripts/test.mjs'),
    ...(given.length > 0 ? given : ['test/chaos', 'test/rest/fuzz']),
  ],
  { cwd: root, stdio: 'inherit', env: { ...process.env, LAMELLA_CHAOS: 'long' } },
)
process.exit(status ?? 1)
