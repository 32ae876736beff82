// The floor of the aggregations' bench as a child: plain loops over columns that were packed before (assembly/floors.ts).
import { spawnSync } from 'node:child_process'
import { createReadStream, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { serve, since } from '../../child-loop.mjs'
import { Columns } from './columns.mjs'
import { loopOf } from './loops.mjs'

const SOURCE = fileURLToPath(new URL('assembly/floors.ts', import.meta.url))
const COMPILER = fileURLToPath(
  new URL('../../../../node_modules/assemblyscript/bin/asc.js', import.meta.url),
)
const MEGA = 2 ** 20
const PAGES = (256 * MEGA) / 65_536

/** @type {{ columns: Columns, loops: Record<string, Function> } | null} */
let table = null

await serve({
  hello: { version: 'plain loops', runtime: `WebAssembly on Node ${process.version}` },
  async build(documents, folder) {
    const start = process.hrtime.bigint()
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(compiled(folder)), {})
    const columns = new Columns(exports.memory)
    for await (const line of createInterface({ input: createReadStream(documents) }))
      columns.add(JSON.parse(line))
    columns.pack()
    table = { columns, loops: exports }
    return { nanos: since(start), mergeNanos: 0, docs: columns.count, bytes: null }
  },
  open() {},
  prepare(_mode, _slices, levels) {
    return loopOf(table.columns, table.loops, levels)
  },
  answer: keys => ({ docs: [], keys, total: null, exact: true }),
  close() {},
})

function compiled(folder) {
  const file = join(folder, 'floors.wasm')
  const args = [COMPILER, SOURCE, '-o', file, '--runtime', 'stub', '-O3', '--noAssert']
  args.push('--initialMemory', String(PAGES), '--use', 'abort=')
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`the loops could not be compiled: ${stderr}`)
  return readFileSync(file)
}
