// Builds dist/: the kernel module (made only when its sources changed), the bundled modules and their types. With --debug-kernels
// also build/kernels-debug.wasm, the kernels with every access to memory checked, which tests alone use: it is in no package.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { generateUnpackers } from '../src/kernels/assembly/generate-unpackers.mjs'
import { bundle } from './bundle.mjs'
import { checkedSource } from './checked-kernels.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const assembly = join(root, 'src/kernels/assembly')

/** Runs a tool of node_modules; its own messages say what is wrong when it fails. */
function run(bin, args) {
  const { status } = spawnSync(process.execPath, [join(root, 'node_modules', bin), ...args], {
    cwd: root,
    stdio: 'inherit',
  })
  if (status !== 0) process.exit(status ?? 1)
}

const production = {
  wasm: join(root, 'build/kernels.wasm'),
  generated: join(root, 'build/assembly'),
  isChecked: false,
  flags: ['-O3', '--noAssert'],
}
const debug = {
  wasm: join(root, 'build/kernels-debug.wasm'),
  generated: join(root, 'build/assembly-checked'),
  isChecked: true,
  // Without the warning that an exported function of a source hands over vectors: the module's do not.
  flags: ['-O2', '--noAssert', '--disableWarning', '112'],
}

buildKernels(production)
if (process.argv.includes('--debug-kernels')) buildKernels(debug)
// Tests must not run the kernels of other sources than those that stand here.
else if (!isCurrent(debug)) rmSync(debug.wasm, { force: true })
const modules = join(root, 'build/modules')
const target = join(root, 'dist')
for (const folder of [modules, target]) rmSync(folder, { recursive: true, force: true })
run('typescript/bin/tsc', ['-p', 'tsconfig.json', '--outDir', modules, '--declarationDir', target])
await bundle(modules, target)
cpSync(production.wasm, join(target, 'kernels/kernels.wasm'))

/** The files that a module is made of, and a digest of them and of how it is made. */
function sourcesOf({ isChecked, flags }) {
  const sources = readdirSync(assembly)
    .filter(file => file.endsWith('.ts') || file.endsWith('.mjs'))
    .sort()
  const hash = createHash('sha256').update(flags.join(' '))
  for (const file of sources) hash.update(file).update(readFileSync(join(assembly, file)))
  if (isChecked) hash.update(readFileSync(join(root, 'scripts/checked-kernels.mjs')))
  return { sources, digest: hash.digest('hex') }
}

function isCurrent(module) {
  const stamp = `${module.wasm}.sha256`
  if (!existsSync(module.wasm) || !existsSync(stamp)) return false
  return readFileSync(stamp, 'utf8') === sourcesOf(module).digest
}

function buildKernels(module) {
  if (isCurrent(module)) return
  const { sources, digest } = sourcesOf(module)
  const { wasm, generated, isChecked, flags } = module
  mkdirSync(dirname(wasm), { recursive: true })
  mkdirSync(generated, { recursive: true })
  const write = (file, source) => {
    const text = isChecked && file !== 'checked.ts' ? checkedSource(file, source) : source
    writeFileSync(join(generated, file), text)
  }
  for (const file of sources.filter(f => f.endsWith('.ts')))
    write(file, readFileSync(join(assembly, file), 'utf8'))
  write('unpack.ts', generateUnpackers())
  const entry = join(generated, 'kernels.ts')
  if (isChecked) appendFileSync(entry, "export { searchLeaf } from './checked'\n")
  run('assemblyscript/bin/asc.js', [
    entry,
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
  writeFileSync(`${wasm}.sha256`, digest)
}
