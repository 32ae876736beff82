import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '../..')
const src = join(root, 'src')

/** Folder → the folders it may import from, the layer table of ARCHITECTURE.md. */
const MAY_IMPORT: Record<string, string> = {
  util: '',
  schema: 'util',
  store: 'util',
  kernels: 'util store',
  analysis: 'util kernels',
  codec: 'util schema store kernels',
  segment: 'util schema store kernels codec',
  indexing: 'util schema store kernels analysis codec segment',
  search: 'util schema kernels codec segment',
  profile: 'util search',
  pool: 'util store kernels',
  ingest: 'util schema store analysis codec segment indexing pool',
  parallel: 'util schema store kernels segment search profile pool',
  engine: 'util schema store kernels analysis segment indexing search profile pool ingest parallel',
  cluster: 'util schema engine',
  rest: 'util schema engine cluster',
  embed: 'util engine cluster rest',
  cli: 'util engine rest embed',
}

/** Package → where alone it may come in. */
const OUTSIDE: Record<string, RegExp> = {
  piscina: /^pool\//,
  comlink: /^embed\//,
  flatbuffers: /^codec\//,
  'find-my-way': /^rest\//,
  citty: /^cli\//,
  'cli-progress': /^cli\//,
  'node:fs': /^(store|cli|kernels)\//,
  'node:fs/promises': /^(store|cli)\//,
  'node:http': /^(rest\/http-server\.ts|cluster\/)/,
}

const files = listFiles(src)
const imports = new Map(files.map(file => [file, importsOf(file)]))

describe('the road through the code', () => {
  it('has files to look at', () => {
    expect(files.length).toBeGreaterThan(10)
  })

  it('imports only from the folders that stand above', () => {
    const wrong: string[] = []
    for (const [file, specifiers] of imports) {
      const folder = file.split('/')[0]!
      if (!file.includes('/')) continue
      const allowed = new Set([folder, ...MAY_IMPORT[folder]!.split(' ')])
      for (const target of specifiers.inside) {
        if (!target.includes('/') || !allowed.has(target.split('/')[0]!))
          wrong.push(`${file} imports ${target}`)
      }
    }
    expect(wrong).toEqual([])
  })

  it('lets outside packages in at one place each', () => {
    const wrong: string[] = []
    for (const [file, specifiers] of imports) {
      for (const name of specifiers.outside) {
        const place = OUTSIDE[name]
        if (place ? !place.test(file) : !name.startsWith('node:')) wrong.push(`${file}: ${name}`)
      }
    }
    expect(wrong).toEqual([])
  })

  it('has no file that reaches itself', () => {
    const loops: string[] = []
    for (const file of files) if (reachable(file).has(file)) loops.push(file)
    expect(loops).toEqual([])
  })

  it('re-exports from the two entries alone, and from embed/ alone', () => {
    const wrong: string[] = []
    for (const file of files) {
      const text = readFileSync(join(src, file), 'utf8')
      if (!/^export (type )?(\*|\{[^}]*\}) from /m.test(text)) continue
      if (file !== 'index.ts' && file !== 'server.ts') wrong.push(file)
    }
    expect(wrong).toEqual([])
  })

  it('loads no engine before a command line has named its verb', () => {
    const loaded = [...reachable('cli/main.ts', 'atOnce')]
    expect(loaded).toContain('cli/verbs.ts')
    expect(loaded.filter(file => /^(engine|parallel|ingest|codec)\//.test(file))).toEqual([])
  })

  it.each([
    ['parallel/search-worker.ts', 'analysis indexing ingest engine cluster rest embed cli'],
    ['ingest/write-worker.ts', 'search profile parallel engine cluster rest embed cli'],
  ])('keeps %s free of what it must not load', (entry, forbidden) => {
    expect(files).toContain(entry)
    const folders = new Set(forbidden.split(' '))
    expect([...reachable(entry)].filter(file => folders.has(file.split('/')[0]!))).toEqual([])
  })
})

function listFiles(folder: string): string[] {
  const found: string[] = []
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !entry.name.endsWith('.ts')) continue
    const file = relative(src, join(entry.parentPath, entry.name))
    if (!file.startsWith('kernels/assembly/')) found.push(file)
  }
  return found.sort()
}

interface Imports {
  /** Files of ours: all, and those that are loaded with the file itself. */
  readonly inside: string[]
  readonly atOnce: string[]
  readonly outside: string[]
}

function importsOf(file: string): Imports {
  const text = readFileSync(join(src, file), 'utf8')
  const inside: string[] = []
  const atOnce: string[] = []
  const outside: string[] = []
  for (const match of text.matchAll(
    /(?:^|\n)\s*(?:import|export)\s(?:[^'";]*?\sfrom\s)?['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]\s*\)/g,
  )) {
    const specifier = (match[1] ?? match[2])!
    if (specifier.startsWith('.')) {
      const target = relative(src, resolve(src, dirname(file), specifier))
      if (!existsSync(join(src, target))) throw new Error(`${file} imports ${target}, not there`)
      inside.push(target)
      if (match[1] !== undefined && !/^\s*import type\s/.test(match[0])) atOnce.push(target)
    } else outside.push(specifier.replace(/^((?:@[^/]+\/)?[^/]+).*$/, packageName))
  }
  return { inside, atOnce, outside }
}

function packageName(whole: string, name: string): string {
  return whole.startsWith('node:') ? whole : name
}

function reachable(file: string, by: 'inside' | 'atOnce' = 'inside'): Set<string> {
  const seen = new Set<string>()
  const queue = [...imports.get(file)![by]]
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    if (seen.has(next)) continue
    seen.add(next)
    queue.push(...(imports.get(next)?.[by] ?? []))
  }
  return seen
}
