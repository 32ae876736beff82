import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '../..')
const src = join(root, 'src')

/**
 * Folder → the folders it may import from, the layer table of ARCHITECTURE.md. Rooms that have
 * nothing in them yet stand here too, so that the first file of one finds its place decided.
 */
const MAY_IMPORT: Record<string, string> = {
  util: '',
  schema: 'util',
  store: 'util',
  task: 'util',
  script: 'util',
  kernels: 'util store',
  analysis: 'util kernels script',
  codec: 'util schema store kernels',
  segment: 'util schema store kernels codec',
  indexing: 'util schema store kernels analysis codec segment',
  search: 'util schema kernels codec segment script',
  aggregation: 'util schema kernels codec segment search script',
  profile: 'util search aggregation',
  pool: 'util store kernels',
  pipeline: 'util schema script pool',
  shard: 'util schema store analysis codec segment indexing pool',
  parallel: 'util schema store script kernels segment search aggregation profile pool',
  engine:
    'util schema store task script kernels analysis segment indexing search aggregation profile ' +
    'pool pipeline shard parallel',
  service: 'util schema store task engine',
  rest: 'util schema task engine service',
  embed: 'util task engine rest service',
  cli: 'util engine rest embed',
}

/** Folder whose folders have an order of their own → folder in it → those beside it that it may import. */
const WINGS: Record<string, Record<string, string>> = {
  engine: {
    api: '',
    metadata: 'api',
    dsl: 'api metadata',
    response: '',
    fetch: 'api dsl response',
    node: 'api metadata',
    template: 'api metadata node',
    index: 'api metadata node dsl template',
    script: 'api metadata node dsl fetch',
    ingest: 'api metadata node index dsl template',
    analyze: 'api metadata node',
    inspect: 'metadata',
    snapshot: 'api metadata node index',
    task: 'api node document index',
    document: 'api metadata node index ingest dsl fetch',
    suggest: 'api metadata node dsl response',
    search: 'api metadata node document dsl fetch response script suggest',
  },
  search: {
    similarity: '',
    scorer: 'similarity',
    vector: 'scorer',
    weight: 'similarity scorer script vector',
    query: 'similarity scorer script vector weight',
    sort: 'scorer script query',
    collector: 'scorer script weight query sort',
    bulk: 'similarity scorer weight query sort collector',
    suggest: 'query',
    script: 'similarity scorer vector',
  },
}

/** Tables of kinds, with the folder of the kinds: those that one lists meet through it alone. */
const TABLES = [
  ['search/query/query-types.ts', 'search/query'],
  ['search/weight/weight-types.ts', 'search/weight'],
  ['search/sort/sort-kinds.ts', 'search/sort/kind'],
  ['schema/field-type/field-types.ts', 'schema/field-type'],
  ['engine/dsl/field/field-searches.ts', 'engine/dsl/field'],
  ['engine/dsl/query/query-parsers.ts', 'engine/dsl/query'],
  ['engine/fetch/fetch-parts.ts', 'engine/fetch/part'],
  ['engine/search/search-parts.ts', 'engine/search/part'],
  ['engine/search/processor/phase-processors.ts', 'engine/search/processor/phase'],
  ['engine/search/processor/request-processors.ts', 'engine/search/processor/request'],
  ['engine/search/processor/response-processors.ts', 'engine/search/processor/response'],
  ['engine/suggest/suggesters.ts', 'engine/suggest/kind'],
  ['pipeline/processors.ts', 'pipeline/processor'],
  ['service/snapshot/place/repository-types.ts', 'service/snapshot/place'],
  ['service/ism/actions.ts', 'service/ism/action'],
] as const

/** Package → where alone it may come in. */
const OUTSIDE: Record<string, RegExp> = {
  piscina: /^pool\//,
  comlink: /^embed\//,
  flatbuffers: /^codec\//,
  'find-my-way': /^rest\//,
  yaml: /^rest\/format\//,
  cborg: /^rest\/format\//,
  jose: /^service\/security\/jwt-tokens\.ts$/,
  bcryptjs: /^service\/security\/bcrypt-worker\.ts$/,
  citty: /^cli\//,
  'cli-progress': /^cli\//,
  '@aws-sdk/client-s3': /^service\/snapshot\/place\//,
  nodemailer: /^service\/notification\/mail-delivery\.ts$/,
  aws4fetch: /^service\/notification\/cloud-delivery\.ts$/,
  // Maps of the library's own code are read where threads and requests both find it.
  'node:fs': /^((store|cli|kernels)\/|util\/source-lines\.ts$)/,
  'node:fs/promises': /^(store|cli)\//,
  'node:http': /^(rest\/http-(server|exchanges|request)|service\/outbound)\.ts$/,
}

const files = listFiles(src)
const imports = new Map(files.map(file => [file, importsOf(file)]))

describe('the road through the code', () => {
  it('has files to look at', () => {
    expect(files.length).toBeGreaterThan(10)
  })

  it('has a line for every folder', () => {
    const folders = new Set(files.filter(f => f.includes('/')).map(f => f.split('/')[0]!))
    expect([...folders].filter(folder => !(folder in MAY_IMPORT))).toEqual([])
  })

  it('imports only from the folders that stand above', () => {
    const wrong: string[] = []
    for (const [file, specifiers] of imports) {
      const folder = file.split('/')[0]!
      if (!file.includes('/')) continue
      const allowed = new Set([folder, ...(MAY_IMPORT[folder] ?? '').split(' ')])
      for (const target of specifiers.inside) {
        if (!target.includes('/') || !allowed.has(target.split('/')[0]!))
          wrong.push(`${file} imports ${target}`)
      }
    }
    expect(wrong).toEqual([])
  })

  it.each(Object.entries(WINGS))('imports within %s/ as its wings are ordered', (house, wings) => {
    const wrong: string[] = []
    for (const [file, specifiers] of imports) {
      const wing = wingOf(file, house)
      if (wing === null) continue
      const allowed = new Set([wing, ...(wings[wing]?.split(' ') ?? [])])
      for (const target of specifiers.inside) {
        if (!target.startsWith(`${house}/`)) continue
        const other = wingOf(target, house)
        if (other !== null && !allowed.has(other)) wrong.push(`${file} imports ${target}`)
      }
    }
    expect(wrong).toEqual([])
  })

  it.each(TABLES)('keeps the kinds that %s lists from one another', (table, folder) => {
    const kinds = new Set(imports.get(table)!.atOnce.filter(target => dirname(target) === folder))
    expect(kinds.size).toBeGreaterThan(1)
    const wrong = [...kinds].flatMap(kind =>
      imports
        .get(kind)!
        .inside.filter(target => kinds.has(target) || target === table)
        .map(target => `${kind} imports ${target}`),
    )
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

  it('loads the REST layer with the library only once it is used', () => {
    const loaded = [...reachable('index.ts', 'atOnce')]
    expect(loaded).toContain('engine/engine.ts')
    expect(reachable('index.ts')).toContain('rest/dispatch.ts')
    expect(
      loaded.filter(file => /^rest\/(dispatch|routes|endpoint|http-server)/.test(file)),
    ).toEqual([])
  })

  it('loads no engine before a command line has named its verb', () => {
    const loaded = [...reachable('cli/main.ts', 'atOnce')]
    expect(loaded).toContain('cli/verbs.ts')
    expect(loaded.filter(file => /^(engine|parallel|shard|codec)\//.test(file))).toEqual([])
  })

  it.each([
    ['parallel/search-worker.ts', 'analysis indexing ingest engine cluster rest embed cli'],
    ['shard/write-worker.ts', 'search profile parallel engine cluster rest embed cli'],
    [
      'pipeline/pipeline-worker.ts',
      'analysis indexing segment codec search aggregation parallel shard task engine service rest embed cli',
    ],
  ])('keeps %s free of what it must not load', (entry, forbidden) => {
    expect(files).toContain(entry)
    const folders = new Set(forbidden.split(' '))
    expect([...reachable(entry)].filter(file => folders.has(file.split('/')[0]!))).toEqual([])
  })
})

/** The folder within a house that a file stands in; null outside of it, and directly in the house. */
function wingOf(file: string, house: string): string | null {
  const [folder, wing, inner] = file.split('/')
  return folder === house && inner !== undefined ? wing! : null
}

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
      if (match[1] !== undefined && !/^\s*(import|export) type\s/.test(match[0]))
        atOnce.push(target)
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
