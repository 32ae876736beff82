import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { tempFolder } from '../support/temp-folder.ts'

const root = resolve(import.meta.dirname, '../..')
const folder = tempFolder('kinds')
const project = join(folder, 'project')
const TSC = join(root, 'node_modules/typescript/bin/tsc')

/** A copy of the sources, since the compiler reads files alone; what a case changes it puts back. */
beforeAll(() => {
  mkdirSync(project, { recursive: true })
  cpSync(join(root, 'src'), join(project, 'src'), {
    recursive: true,
    filter: path => !path.includes(join('kernels', 'assembly')),
  })
  cpSync(join(root, 'tsconfig.json'), join(project, 'tsconfig.json'))
  cpSync(join(root, 'package.json'), join(project, 'package.json'))
  symlinkSync(join(root, 'node_modules'), join(project, 'node_modules'))
})

/** The files in which the compiler stops after texts were changed, ascending. */
function stops(changes: readonly (readonly [file: string, from: string, to: string])[]): string[] {
  const before = new Map<string, string>()
  for (const [file, from, to] of changes) {
    const path = join(project, 'src', file)
    const text = readFileSync(path, 'utf8')
    if (!before.has(path)) before.set(path, text)
    expect(text, file).toContain(from)
    writeFileSync(
      path,
      text.replace(from, () => to),
    )
  }
  const { stdout } = spawnSync(
    process.execPath,
    [TSC, '-p', project, '--noEmit', '--incremental', '--pretty', 'false'],
    { encoding: 'utf8', cwd: project },
  )
  for (const [path, text] of before) writeFileSync(path, text)
  const found = new Set([...stdout.matchAll(/^src\/(.+?)\(\d+,\d+\): error /gm)].map(m => m[1]!))
  return [...found].sort()
}

describe('a new kind stops the compiler in its tables alone', () => {
  it('as it does not without one', () => {
    expect(stops([])).toEqual([])
  })

  it.each<
    readonly [
      name: string,
      change: readonly [file: string, from: string, to: string],
      tables: readonly string[],
    ]
  >([
    [
      'of query',
      [
        'search/query/query.ts',
        'export type Query =\n',
        "export type Query =\n  | { readonly kind: 'scratch' }\n",
      ],
      ['search/query/query-types.ts'],
    ],
    [
      'of weight',
      [
        'search/weight/weight-node.ts',
        'export type WeightNode =\n',
        "export type WeightNode =\n  | { readonly kind: 'scratch'; readonly id: number }\n",
      ],
      ['search/weight/weight-types.ts'],
    ],
    [
      'of gather',
      [
        'parallel/gathers.ts',
        'export type AnyGather = ',
        "export type AnyGather = { readonly kind: 'scratch' } | ",
      ],
      ['parallel/gathers.ts'],
    ],
    [
      'of aggregation',
      [
        'aggregation/aggregation.ts',
        'export type Aggregation =\n',
        "export type Aggregation =\n  | { readonly kind: 'scratch'; readonly name: string; readonly children: readonly Aggregation[] }\n",
      ],
      ['aggregation/aggregation-types.ts'],
    ],
    [
      'of aggregation in requests',
      [
        'engine/dsl/aggregation/aggregation-parser.ts',
        'export type AggregationTypeName =\n',
        "export type AggregationTypeName =\n  | 'scratch'\n",
      ],
      ['engine/dsl/aggregation/aggregation-parsers.ts'],
    ],
    [
      'of field type',
      [
        'schema/field-type.ts',
        'export type TypedField =\n',
        "export type TypedField =\n  | (Omit<KeywordField, 'type'> & { readonly type: 'scratch' })\n",
      ],
      [
        'engine/dsl/aggregation/field-values.ts',
        'engine/dsl/field/field-searches.ts',
        'engine/fetch/field-value/field-values.ts',
        'schema/field-type/field-types.ts',
      ],
    ],
    [
      'of metadata field',
      [
        'engine/dsl/field/metadata/metadata-field.ts',
        'export type MetadataField =\n',
        "export type MetadataField =\n  | PlainMetadataField<'_scratch'>\n",
      ],
      [
        'engine/dsl/aggregation/field-values.ts',
        'engine/dsl/field/field-searches.ts',
        'engine/dsl/field/metadata/metadata-field.ts',
        'engine/fetch/field-value/field-values.ts',
      ],
    ],
    [
      'of storage',
      [
        'schema/field-storage.ts',
        'export type FieldStorage =\n',
        "export type FieldStorage =\n  | (Omit<TermStorage, 'kind'> & { readonly kind: 'scratch' })\n",
      ],
      ['indexing/storage-kinds.ts'],
    ],
  ])('%s', (_name, change, tables) => {
    expect(stops([change])).toEqual(tables)
  })

  it('of error: its type and its status are one line, without which it cannot be thrown', () => {
    const thrown = [
      'util/fair-turn.ts',
      '\nexport ',
      "\nexport const scratch: import('./errors.ts').ErrorType = 'scratch_exception'\nexport ",
    ] as const
    expect(stops([thrown])).toEqual(['util/fair-turn.ts'])
    const line = [
      'util/errors.ts',
      'export const ERROR_STATUS = {\n',
      'export const ERROR_STATUS = {\n  scratch_exception: 418,\n',
    ] as const
    expect(stops([thrown, line])).toEqual([])
  })
})

describe('a switch over kinds', () => {
  /** Switches over a kind or a field type, with what is in their braces. */
  const switches: { file: string; over: string; body: string }[] = []
  for (const entry of readdirSync(join(root, 'src'), { recursive: true }) as string[]) {
    if (!entry.endsWith('.ts') || entry.startsWith(join('kernels', 'assembly'))) continue
    const text = readFileSync(join(root, 'src', entry), 'utf8')
    for (const match of text.matchAll(/switch \((.*)\) \{\n/g)) {
      if (!/(^|\.)(kind|occur)$|^(field|type|.*[fF]ield)\.type$/.test(match[1]!)) continue
      const start = match.index + match[0].length
      let end = start
      for (let depth = 1; depth > 0; end++)
        depth += text[end] === '{' ? 1 : text[end] === '}' ? -1 : 0
      switches.push({ file: entry, over: match[1]!, body: text.slice(start, end) })
    }
  }

  it('names each of them and has no default', () => {
    expect(switches.length).toBeGreaterThan(10)
    const wrong = switches.filter(({ body }) => /^\s*default:/m.test(body))
    expect(wrong.map(({ file, over }) => `${file}: switch (${over})`)).toEqual([])
  })
})

describe('a table without the force of a union', () => {
  it('lists every query of the DSL that has a file', () => {
    const table = 'engine/dsl/query/query-parsers.ts'
    const listed = readFileSync(join(root, 'src', table), 'utf8')
    const folder = join(root, 'src', dirname(table))
    const parsers = readdirSync(folder).filter(file =>
      /^export const \w+Parser: QueryParser = /m.test(readFileSync(join(folder, file), 'utf8')),
    )
    expect(parsers.length).toBeGreaterThan(15)
    expect(parsers.filter(file => !listed.includes(`'./${file}'`))).toEqual([])
  })
})
