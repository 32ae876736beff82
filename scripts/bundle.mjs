// Writes the JavaScript of dist/ from the compiled modules of build/modules/. Node takes half a millisecond a module to find and
// link it, and the library has two thousand: their code stands in the chunks of dist/chunks/ instead, and a module of dist/ is a
// line that hands on its exports. Chunks are cut along what starts (entries of the package, threads) and what is imported on
// demand, so that none loads what only another one needs.
import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { rolldown } from 'rolldown'

const STARTS = /^(?:index|server|cli\/main|.*-worker)$/

/** A plugin: finds the map of a compiled module, so that those of the chunks lead to the sources. */
const COMPILED_MAPS = {
  name: 'compiled-maps',
  load(id) {
    const map = `${id}.map`
    if (!existsSync(map)) return null
    return { code: readFileSync(id, 'utf8'), map: JSON.parse(readFileSync(map, 'utf8')) }
  },
}

/**
 * Bundles compiled modules.
 * @param {string} modules their folder
 * @param {string} target  folder to write to
 */
export async function bundle(modules, target) {
  const files = readdirSync(modules, { recursive: true, encoding: 'utf8' }).sort()
  const names = files.filter(file => file.endsWith('.js')).map(file => file.slice(0, -3))
  const starts = names.filter(name => STARTS.test(name))
  const groups = groupsOf(await chunksOf(modules, starts), inputOf(modules, starts))
  const bundled = await rolldown(options(modules, names))
  await bundled.write({
    dir: target,
    format: 'es',
    comments: false,
    sourcemap: true,
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name].js',
    codeSplitting: { groups },
  })
  await bundled.close()
  for (const file of files.filter(file => file.endsWith('.cjs')))
    cpSync(join(modules, file), join(target, file))
}

function options(modules, names) {
  return {
    input: inputOf(modules, names),
    platform: 'node',
    external: [/^[^./]/],
    plugins: [COMPILED_MAPS],
    // Whoever imports a module may use all that it exports.
    treeshake: false,
  }
}

function inputOf(modules, names) {
  return Object.fromEntries(names.map(name => [name, join(modules, `${name}.js`)]))
}

/** The chunks that the modules behind some starts fall into, those that others import before these. */
async function chunksOf(modules, starts) {
  const bundled = await rolldown(options(modules, starts))
  const { output } = await bundled.generate({ format: 'es' })
  await bundled.close()
  const byFile = new Map(output.map(chunk => [chunk.fileName, chunk]))
  const ordered = new Set()
  const visited = new Set()
  const visit = chunk => {
    if (chunk?.type !== 'chunk' || visited.has(chunk)) return
    visited.add(chunk)
    for (const file of chunk.imports) visit(byFile.get(file))
    ordered.add(chunk)
  }
  for (const chunk of output) visit(chunk)
  return [...ordered]
}

/** How the modules are to be grouped, all but the starts, which are files of their own. */
function groupsOf(chunks, starts) {
  const apart = new Set(Object.values(starts))
  const uses = new Map()
  return chunks.map((chunk, at) => {
    const name = basename(chunk.name)
    const use = uses.get(name) ?? 1
    uses.set(name, use + 1)
    const ids = new Set(chunk.moduleIds.filter(id => !apart.has(id)))
    return {
      name: use === 1 ? name : `${name}-${use}`,
      test: id => ids.has(id),
      // A group takes what its modules import along, unless another has taken it before.
      priority: chunks.length - at,
    }
  })
}
