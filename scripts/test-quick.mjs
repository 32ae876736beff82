// Runs the tests that answer within a minute on an idle machine of two cores: `npm run test:quick`. The
// parts left out are named when it starts; `npm test` runs them all.
import { spawnSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const LEFT_OUT = [
  ['test/chaos/**', 'failing disks, killed servers and threads, power cuts, damaged folders'],
  ['test/{cli,bench}/*.test.ts', 'the command line and the benches as processes of their own'],
  ['test/search/bulk/**', 'random searches over both builds of the kernels'],
  ['test/search/{search-slice,search-options,scorer/**}*', 'random searches by iterators'],
  ['test/shard/*.test.ts', 'long lives of shards: models, merges, lost threads'],
  ['test/parallel/**', 'searches on threads'],
  ['test/pool/**', 'threads and their queue'],
  ['test/codec/{postings,term-lookup,doc-values}.test.ts', 'round trips of the large formats'],
  ['test/indexing/{round-trip,merged-stored}.test.ts', 'round trips of segments'],
  ['test/util/{pattern,json/json-reader}.test.ts', 'random patterns and random JSON'],
  ['test/profile/{sampling,shard-profile}.test.ts', 'profiles of random searches'],
  [
    'test/analysis/{component-options,vectors,standard-tokenizer,language-filters}.test.ts',
    'every option of every component of analysis',
  ],
  ['test/rest/{fuzz,analyze-fuzz,closed-indices}.test.ts', 'malformed requests, closed indices'],
  [
    'test/engine/{inspect,node,index}/**',
    'damaged folders, memory limits, closed and deleted indices',
  ],
  ['test/engine/search/small-memory.test.ts', 'searches of more than fits memory'],
  ['test/embed/readme.test.ts', 'the example of the README as a process'],
]

console.log('Left out (npm test runs all):')
for (const [, what] of LEFT_OUT) console.log(`  ${what}`)
const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const { status } = spawnSync(
  process.execPath,
  [
    join(root, 'scripts/test.mjs'),
    ...LEFT_OUT.flatMap(([pattern]) => ['--exclude', pattern]),
    ...process.argv.slice(2),
  ],
  { cwd: root, stdio: 'inherit' },
)
process.exit(status ?? 1)
