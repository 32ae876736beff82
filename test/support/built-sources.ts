/**
 * Tests load the library as it is built: a module of `src/` that they import is that of `dist/`, which Node loads itself. Transformed
 * by vite, the two thousand modules would take four seconds of each test file in place of one.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const SOURCES = join(ROOT, 'src/')
const BUILT = join(ROOT, 'dist/')

/** A plugin of vite that finds built modules in place of sources. */
export const BUILT_SOURCES = {
  name: 'built-sources',
  enforce: 'pre',
  resolveId(source: string, importer: string | undefined): string | null {
    if (importer === undefined || !source.startsWith('.')) return null
    const path = resolve(dirname(importer), source)
    if (!path.startsWith(SOURCES) || !/\.c?ts$/.test(path) || !existsSync(path)) return null
    return join(BUILT, path.slice(SOURCES.length).replace(/ts$/, 'js'))
  },
} as const

/** Called by vitest before the first test: builds where a source is newer than what was built last. */
export default function buildSources(): void {
  const built = statSync(join(BUILT, 'index.js'), { throwIfNoEntry: false })?.mtimeMs ?? 0
  const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
  if (files.every(file => statSync(join(SOURCES, file)).mtimeMs <= built)) return
  const build = [join(ROOT, 'scripts/build.mjs'), '--debug-kernels']
  const { status } = spawnSync(process.execPath, build, { stdio: 'inherit' })
  if (status !== 0) throw new Error('the sources could not be built')
}
