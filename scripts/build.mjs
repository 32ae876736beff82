// Builds dist/: the kernel module (only when its sources changed) and the compiled TypeScript.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { generateUnpackers } from '../src/kernels/assembly/generate-unpackers.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const assembly = join(root, 'src/kernels/assembly')
const out = join(root, 'dist/kernels')

/** Runs a tool of node_modules; its own messages say what is wrong when it fails. */
function run(bin, args) {
  const { status } = spawnSync(process.execPath, [join(root, 'node_modules', bin), ...args], {
    cwd: root,
    stdio: 'inherit',
  })
  if (status !== 0) process.exit(status ?? 1)
}

buildKernels('kernels.wasm', ['-O3', '--noAssert'])
run('typescript/bin/tsc', ['-p', 'tsconfig.json'])

function buildKernels(name, flags) {
  mkdirSync(out, { recursive: true })
  const sources = readdirSync(assembly)
    .filter(file => file.endsWith('.ts') || file.endsWith('.mjs'))
    .sort()
  const hash = createHash('sha256').update(flags.join(' '))
  for (const file of sources) hash.update(file).update(readFileSync(join(assembly, file)))
  const digest = hash.digest('hex')
  const stamp = join(out, `${name}.sha256`)
  const wasm = join(out, name)
  if (existsSync(wasm) && existsSync(stamp) && readFileSync(stamp, 'utf8') === digest) return
  const generated = join(root, 'build/assembly')
  mkdirSync(generated, { recursive: true })
  for (const file of sources.filter(f => f.endsWith('.ts')))
    writeFileSync(join(generated, file), readFileSync(join(assembly, file)))
  writeFileSync(join(generated, 'unpack.ts'), generateUnpackers())
  run('assemblyscript/bin/asc.js', [
    join(generated, 'kernels.ts'),
    '-o',
    wasm,
    '--runtime',
    'stub',
    '--importMemory',
    '--sharedMemory',
    '--initialMemory',
    '1',
    '--maximumMemory',
    '65536',
    '--enable',
    'simd,threads,bulk-memory',
    '--use',
    'abort=',
    '--memoryBase',
    '0',
    ...flags,
  ])
  writeFileSync(stamp, digest)
}
