import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { storageOf } from '../../src/schema/field-type/field-types.ts'
import { DEFAULT_MAPPING_LIMITS, type Mapping } from '../../src/schema/mapping.ts'
import { addProposals } from '../../src/schema/mapping-growth.ts'
import { mergeMapping } from '../../src/schema/mapping-merge.ts'
import { type MappingContext, parseMapping } from '../../src/schema/mapping-parser.ts'
import { parseJsonTree } from '../../src/util/json/json-tree.ts'
import { writeJson } from '../../src/util/json/json-writer.ts'

const context: MappingContext = {
  limits: DEFAULT_MAPPING_LIMITS,
  hasAnalyzer: name => name === 'standard' || name === 'simple',
  hasNormalizer: name => name === 'lowercase',
  hasSimilarity: name => name === 'BM25' || name === 'boolean',
}
const tree = (value: unknown) => parseJsonTree(new TextEncoder().encode(JSON.stringify(value)))
const mapping = (value: unknown, limits = {}): Mapping =>
  parseMapping(tree(value), { ...context, limits: { ...DEFAULT_MAPPING_LIMITS, ...limits } })
const fields = (properties: unknown): Mapping => mapping({ properties })
const printed = (of: Mapping): unknown =>
  JSON.parse(new TextDecoder().decode(writeJson(of.toJson())))
const merge = (old: unknown, update: unknown): Mapping =>
  mergeMapping(fields(old), fields(update), DEFAULT_MAPPING_LIMITS)

describe('reading a mapping', () => {
  it('prints an empty mapping as {}', () => {
    expect(printed(mapping({}))).toEqual({})
    expect(printed(mapping({ properties: [] }))).toEqual({})
  })

  it('prints fields by name with what differs from the default', () => {
    const text = JSON.stringify(
      printed(
        mapping({
          properties: {
            z: {
              type: 'text',
              norms: true,
              analyzer: 'simple',
              fields: { k: { type: 'keyword' } },
            },
            a: { type: 'long', coerce: true, index: false, doc_values: true },
            'o.p': { type: 'scaled_float', scaling_factor: 10 },
            'o.q': { type: 'date', format: 'yyyy', null_value: '2000' },
            e: { type: 'object', enabled: false },
            c: { type: 'boolean', copy_to: 'z' },
          },
          dynamic: true,
          _meta: { b: 1.0, a: null },
        }),
      ),
    )
    expect(text).toBe(
      '{"dynamic":"true","_meta":{"b":1,"a":null},"properties":{' +
        '"a":{"type":"long","index":false,"coerce":true},' +
        '"c":{"type":"boolean","copy_to":["z"]},' +
        '"e":{"type":"object","enabled":false},' +
        '"o":{"properties":{"p":{"type":"scaled_float","scaling_factor":10},' +
        '"q":{"type":"date","format":"yyyy","null_value":"2000"}}},' +
        '"z":{"type":"text","analyzer":"simple","fields":{"k":{"type":"keyword"}}}}}',
    )
  })

  it('resolves what parameters mean for a field', () => {
    const read = fields({
      t: { type: 'text' },
      k: { type: 'keyword', ignore_above: 5, fields: { raw: { type: 'text', norms: false } } },
      n: { type: 'integer', index: false },
    })
    expect(read.field('t')).toMatchObject({
      indexOptions: 'positions',
      norms: true,
      positionIncrementGap: 100,
      analyzer: null,
    })
    expect(storageOf(read.field('t')!)).toMatchObject({ docValues: 'none' })
    expect(read.field('k')).toMatchObject({ indexOptions: 'docs', norms: false, ignoreAbove: 5 })
    expect(read.field('k.raw')).toMatchObject({ type: 'text', norms: false })
    expect(read.field('n')).toMatchObject({ indexed: false, docValues: true })
    expect(storageOf(read.field('n')!)).toMatchObject({ indexOptions: 'none', hasPoints: false })
    expect(read.ordinal('k.raw')).toBe(2)
    expect(read.fieldCount).toBe(4)
  })

  it.each([
    [{ _doc: {} }, 'Types cannot be provided in put mapping requests'],
    [{ properties: 1 }, 'properties must be a map type'],
    [{ k: 'v' }, 'Root mapping definition has unsupported parameters:  [k : v]'],
    [{ properties: { f: { type: 'wat' } } }, 'No handler for type [wat] declared on field [f]'],
    [{ properties: { f: {} } }, 'No type specified for field [f]'],
    [
      { properties: { f: { type: 'text', x: 1 } } },
      'unknown parameter [x] on mapper [f] of type [text]',
    ],
    [
      { properties: { f: { type: 'text', norms: null } } },
      '[norms] on mapper [f] of type [text] must not have a [null] value',
    ],
    [
      { properties: { f: { type: 'object', x: 1 } } },
      'Mapping definition for [f] has unsupported parameters:  [x : 1]',
    ],
    [
      { properties: { f: { type: 'text', fields: { g: { type: 'object' } } } } },
      'Type [object] cannot be used in multi field',
    ],
    [
      { properties: { f: { type: 'text', fields: { 'g.h': { type: 'keyword' } } } } },
      "Field name [g.h] which is a multi field of [f] cannot contain '.'",
    ],
    [
      { properties: { f: { type: 'keyword', normalizer: 'no' } } },
      'normalizer [no] not found for field [f]',
    ],
    [
      { properties: { f: { type: 'text', similarity: 'no' } } },
      'Unknown Similarity type [no] for field [f]',
    ],
    [
      { properties: { f: { type: 'text', search_analyzer: 'simple' } } },
      'analyzer on field [f] must be set when search_analyzer is set',
    ],
    [{ properties: { f: { type: 'scaled_float' } } }, 'Field [scaling_factor] is required'],
    [
      { properties: { f: { type: 'scaled_float', scaling_factor: -1 } } },
      '[scaling_factor] must be a positive number, got [-1.0]',
    ],
    [
      { properties: { f: { type: 'date', format: 'camelCase' } } },
      'Error parsing [format] on field [f]: Invalid format: [camelCase]: Unknown pattern letter: c',
    ],
    [{ properties: { f: { type: 'percolator' } } }, '[percolator] is not supported yet'],
    [
      { dynamic_date_formats: ['epoch_millis'] },
      'Epoch [epoch_millis] is not supported as dynamic date format',
    ],
    [{ dynamic_templates: [{ t: { mapping: {} } }] }, 'template must have match, path_match or'],
    [
      { dynamic_templates: [{ t: { match: '*', wat: 1, mapping: {} } }] },
      'Illegal dynamic template parameter: [wat]',
    ],
    [
      { properties: { f: { type: 'text' }, 'f.g': { type: 'text' } } },
      "can't merge a non object mapping [f] with an object mapping",
    ],
    [
      { properties: { f: { properties: {} }, g: { type: 'text', copy_to: 'f' } } },
      'Cannot copy to field [f] since it is mapped as an object',
    ],
  ])('refuses %j', (value, reason) => {
    expect(() => mapping(value)).toThrow(reason)
  })

  it('holds the limits of fields, depth and names', () => {
    const two = { a: { type: 'text' }, b: { type: 'text', fields: { k: { type: 'keyword' } } } }
    expect(() => mapping({ properties: two }, { totalFields: 2 })).toThrow(
      'Limit of total fields [2] has been exceeded',
    )
    expect(() => mapping({ properties: { 'a.b.c': { type: 'text' } } }, { depth: 2 })).toThrow(
      'Limit of mapping depth [2] has been exceeded due to object field [a.b]',
    )
    expect(() =>
      mapping({ properties: { abc: { type: 'text' } } }, { fieldNameLength: 2 }),
    ).toThrow('Field name [abc] is longer than the limit of [2] characters')
    const deep = `${'a.'.repeat(20_000)}b`
    expect(() => fields({ [deep]: { type: 'text' } })).toThrow('Limit of mapping depth [20]')
  })

  it('keeps names like __proto__ as plain fields', () => {
    const read = parseMapping(
      parseJsonTree(
        new TextEncoder().encode(
          '{"properties":{"__proto__":{"type":"keyword"},"constructor":{"type":"long"}}}',
        ),
      ),
      context,
    )
    expect(read.field('__proto__')?.type).toBe('keyword')
    expect(read.field('toString')).toBeNull()
  })

  it('reads back what it prints', () => {
    const parameters = fc.record(
      {
        type: fc.constantFrom('long', 'double', 'integer', 'float'),
        index: fc.boolean(),
        doc_values: fc.boolean(),
        coerce: fc.boolean(),
        ignore_malformed: fc.boolean(),
        null_value: fc.integer({ min: -9, max: 9 }),
        copy_to: fc.constantFrom('x', 'y'),
      },
      { requiredKeys: ['type'] },
    )
    const strings = fc.record(
      {
        type: fc.constant('keyword'),
        ignore_above: fc.integer({ min: 0, max: 99 }),
        normalizer: fc.constant('lowercase'),
        null_value: fc.string(),
        fields: fc.constant({ t: { type: 'text', norms: false } }),
      },
      { requiredKeys: ['type'] },
    )
    const name = fc.constantFrom('a', 'b', 'o.a', 'o.b', 'o.p.c')
    fc.assert(
      fc.property(fc.dictionary(name, fc.oneof(parameters, strings)), properties => {
        const read = fields(properties)
        const bytes = writeJson(read.toJson())
        const again = parseMapping(parseJsonTree(bytes), context)
        expect(writeJson(again.toJson())).toEqual(bytes)
        expect(again.leaves.map(leaf => leaf.name).sort()).toEqual(
          read.leaves.map(leaf => leaf.name).sort(),
        )
        expect(mergeMapping(read, again, DEFAULT_MAPPING_LIMITS).toJson()).toEqual(read.toJson())
      }),
      { seed: 9, numRuns: 200 },
    )
  })
})

describe('putting a mapping on another', () => {
  it('adds fields and multi-fields and keeps what is there', () => {
    const merged = merge(
      { a: { type: 'text' }, o: { properties: { x: { type: 'long' } } } },
      {
        a: { type: 'text', fields: { k: { type: 'keyword' } } },
        o: { properties: { y: { type: 'date' } } },
      },
    )
    expect(printed(merged)).toEqual({
      properties: {
        a: { type: 'text', fields: { k: { type: 'keyword' } } },
        o: { properties: { x: { type: 'long' }, y: { type: 'date' } } },
      },
    })
  })

  it('lets an updateable parameter fall back to its default when it is left out', () => {
    const merged = merge({ a: { type: 'keyword', ignore_above: 5 } }, { a: { type: 'keyword' } })
    expect(merged.field('a')).toMatchObject({ ignoreAbove: 2147483647 })
  })

  it.each([
    [
      { a: { type: 'text' } },
      { a: { type: 'long' } },
      'mapper [a] cannot be changed from type [text] to [long]',
    ],
    [
      { a: { type: 'long', index: false } },
      { a: { type: 'long', doc_values: false } },
      'Mapper for [a] conflicts with existing mapper:\n' +
        '\tCannot update parameter [index] from [false] to [true]\n' +
        '\tCannot update parameter [doc_values] from [true] to [false]',
    ],
    [
      { a: { type: 'text' } },
      { a: { type: 'text', analyzer: 'simple' } },
      'Cannot update parameter [analyzer] from [default] to [simple]',
    ],
    [
      { a: { type: 'text', norms: false } },
      { a: { type: 'text' } },
      'Cannot update parameter [norms] from [false] to [true]',
    ],
    [
      { a: { properties: {} } },
      { a: { type: 'text' } },
      "can't merge a non object mapping [a] with an object mapping",
    ],
    [
      { a: { type: 'object' } },
      { a: { type: 'object', enabled: false } },
      "the [enabled] parameter can't be updated for the object mapping [a]",
    ],
  ])('refuses to lay %j under %j', (old, update, reason) => {
    expect(() => merge(old, update)).toThrow(reason)
  })

  it('refuses more proposals than the limit of fields lets in, at once', () => {
    const definition = tree({ type: 'long' }) as never
    const proposals = Array.from({ length: 200_000 }, (_, i) => ({ path: `f${i}`, definition }))
    expect(() => addProposals(fields({}), proposals, context)).toThrow(
      'Limit of total fields [1000] has been exceeded',
    )
  })

  it('takes proposals in order, the first for a path winning', () => {
    const definition = (type: string) => tree({ type }) as never
    const grown = addProposals(
      fields({ a: { type: 'text' } }),
      [
        { path: 'b.c', definition: definition('long') },
        { path: 'b.c', definition: definition('text') },
        { path: 'a.x', definition: definition('text') },
        { path: 'b', definition: definition('keyword') },
        { path: 'b.d', definition: definition('boolean') },
      ],
      context,
    )
    expect(printed(grown)).toEqual({
      properties: {
        a: { type: 'text' },
        b: { properties: { c: { type: 'long' }, d: { type: 'boolean' } } },
      },
    })
  })
})
