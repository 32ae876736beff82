// Makes the TypeScript of the FlatBuffers schemas again. Needs flatc 2.0.8 (Debian's package
// flatbuffers-compiler); with --check it only says whether what is committed is current.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const check = process.argv.includes('--check')
let stale = 0
for (const schema of ['src/codec/directory/segment.fbs', 'src/codec/manifest/manifest.fbs']) {
  const folder = mkdtempSync(join(tmpdir(), 'schema-'))
  execFileSync('flatc', ['--ts', '--ts-flat-files', '-o', folder, join(root, schema)])
  const name = schema.replace(/^.*\/(.*)\.fbs$/, '$1_generated.ts')
  // The compiler leaves out the return types that isolated declarations demand.
  const made = readFileSync(join(folder, name), 'utf8').replace(
    /^(static \w+\([^)]*\)) \{$/gm,
    '$1:void {',
  )
  const target = join(root, dirname(schema), 'generated', name)
  rmSync(folder, { recursive: true })
  if (!check) writeFileSync(target, made)
  else if (readFileSync(target, 'utf8') !== made) {
    console.error(`${target} is not what ${schema} makes: run npm run schema`)
    stale++
  }
}
process.exit(stale === 0 ? 0 : 1)
