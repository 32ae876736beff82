/**
 * The caller of a kernel and the kernel name the same record by hand. Here both sources are read, and the
 * offsets compared name by name.
 */
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

const SRC = resolve(import.meta.dirname, '../../src')

/** A name of a record: its offset in bytes, and whether the other side does without it. */
interface Field {
  readonly offset: number
  readonly isPrivate: boolean
}

type Fields = ReadonlyMap<string, Field>

interface RecordPair {
  readonly kernels: string
  readonly caller: string
  /** Objects of the caller's file that hold offsets; none: constants of the file itself. */
  readonly objects: readonly string[]
  /** Bytes of the caller's unit of offsets. */
  readonly unit: 1 | 4
  /** The caller's constant of the record's length, which all offsets lie below. */
  readonly length: string | null
  /** Constants of the kernels' file that are no part of the record. */
  readonly others: readonly string[]
}

const PLAN_RECORD = 'search/bulk/plan-record.ts'

const RECORDS: readonly RecordPair[] = [
  pair('plan-record.ts', PLAN_RECORD, { objects: ['PLAN'], length: 'PLAN_BYTES' }),
  pair('cursor.ts', PLAN_RECORD, {
    objects: ['CURSOR'],
    length: 'CURSOR_BYTES',
    others: ['CURSOR_BYTES', 'NO_NORM_CODE'],
  }),
  pair('column.ts', PLAN_RECORD, { objects: ['COLUMN', 'VALUE_RANGE'], length: 'RANGE_BYTES' }),
  pair('sort.ts', PLAN_RECORD, { objects: ['SORT'], length: 'SORT_BYTES', others: ['SPAN_BYTES'] }),
  pair('group-bests.ts', 'search/bulk/group-bests.ts', {
    objects: ['RECORD'],
    length: 'RECORD_BYTES',
    others: ['BEST_SCORE', 'ENTRY_SHIFT'],
  }),
  pair('term-range.ts', 'search/weight/term-walk.ts', {
    objects: ['RECORD'],
    unit: 4,
    length: 'RECORD_BYTES',
  }),
  pair('term-lookup.ts', 'codec/terms/term-lookup.ts', {
    objects: ['RECORD'],
    unit: 4,
    length: 'RECORD_BYTES',
  }),
  pair('batch-record.ts', 'aggregation/kernel/batch-record.ts', {
    objects: ['RECORD'],
    length: 'RECORD_BYTES',
  }),
  pair('inverter.ts', 'indexing/term-log.ts', { unit: 4, length: 'RECORD_BYTES' }),
]

function pair(
  kernels: string,
  caller: string,
  more: Partial<Omit<RecordPair, 'kernels' | 'caller'>>,
): RecordPair {
  const rest = { objects: [], unit: 1, length: null, others: [], ...more } as const
  return { kernels: `kernels/assembly/${kernels}`, caller, ...rest }
}

function sourceOf(file: string): string {
  return readFileSync(join(SRC, file), 'utf8')
}

/** `const HIT_COUNT: usize = 36 // kernels only`, each under the name that callers use: `hitCount`. */
function kernelFields({ kernels, others }: RecordPair): Fields {
  const lines = sourceOf(kernels).matchAll(
    /^(?:export )?const ([A-Z][A-Z0-9_]*): usize = (\d+)( \/\/ kernels only)?$/gm,
  )
  return new Map(
    [...lines]
      .filter(([, name = '']) => !others.includes(name))
      .map(([, name = '', offset, mark]) => [
        camelCase(name),
        { offset: Number(offset), isPrivate: mark !== undefined },
      ]),
  )
}

/** `hitCount: 36, // caller only` within objects, or constants in capitals with small numbers. */
function callerFields({ caller, objects, unit }: RecordPair): Fields {
  const source = sourceOf(caller)
  const found = new Map<string, Field>()
  const add = (name: string, offset: string, mark: string | undefined): void => {
    expect(found.has(name), `${name} is named twice in ${caller}`).toBe(false)
    found.set(name, { offset: unit * Number(offset), isPrivate: mark !== undefined })
  }
  for (const object of objects) {
    const [, body] = new RegExp(`^(?:export )?const ${object} = \\{\n(.*?)^\\}`, 'ms').exec(source)!
    for (const line of body!.trimEnd().split('\n')) {
      const [, name, offset, mark] = /^ {2}(\w+): (\d+),( \/\/ caller only)?$/.exec(line) ?? []
      expect(name, `a field of ${object} in ${caller}: ${line}`).toBeDefined()
      add(name!, offset!, mark)
    }
  }
  if (objects.length > 0) return found
  const [, words] = /^\/\/ Words of the record\.\n(.*?)\n\n/ms.exec(source)!
  for (const line of words!.split('\n')) {
    const [, name, word, mark] = /^const ([A-Z_]+) = (\d+)( \/\/ caller only)?$/.exec(line)!
    add(camelCase(name!), word!, mark)
  }
  return found
}

function camelCase(name: string): string {
  return name.toLowerCase().replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

describe.each(RECORDS)('the record of $kernels', record => {
  const kernels = kernelFields(record)
  const caller = callerFields(record)

  it('has the same names at the same offsets as in its caller', () => {
    expect(kernels.size).toBeGreaterThan(8)
    const shared = (fields: Fields): Record<string, number> =>
      Object.fromEntries(
        [...fields].flatMap(([name, { offset, isPrivate }]) => (isPrivate ? [] : [[name, offset]])),
      )
    expect(shared(caller)).toEqual(shared(kernels))
  })

  it('gives each offset one name, all below its length', () => {
    const all = [...kernels, ...[...caller].filter(([name]) => !kernels.has(name))]
    const offsets = all.map(([, { offset }]) => offset)
    expect(new Set(offsets).size).toBe(offsets.length)
    if (record.length === null) return
    const [, length] = new RegExp(`const ${record.length}(?:: number)? = (\\d+)`).exec(
      sourceOf(record.caller),
    )!
    expect(Math.max(...offsets)).toBeLessThan(Number(length))
  })

  it('says "only" of no name that both sides have', () => {
    for (const [name, { isPrivate }] of [...kernels, ...caller])
      if (kernels.has(name) && caller.has(name)) expect([name, isPrivate]).toEqual([name, false])
  })
})

it('has the length of a cursor in both places', () => {
  const [, kernels] = /CURSOR_BYTES: usize = (\d+)/.exec(sourceOf('kernels/assembly/cursor.ts'))!
  const [, caller] = /CURSOR_BYTES = (\d+)/.exec(sourceOf(PLAN_RECORD))!
  expect(caller).toBe(kernels)
})
