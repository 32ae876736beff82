import { describe, expect, it } from 'vitest'
import {
  fieldKind,
  isFieldTypeName,
  storageOf,
} from '../../../src/schema/field-type/field-types.ts'
import { UNSUPPORTED_TYPES } from '../../../src/schema/field-type/unsupported-types.ts'
import { type Definition, fieldOf, reasonOf } from '../../support/one-field.ts'

const plain = { indexOptions: 'none', hasNorms: false }

describe('the table of field types', () => {
  it('finds no type under a name that every object has', () => {
    for (const name of ['constructor', 'toString', '__proto__', 'hasOwnProperty', ''])
      expect(isFieldTypeName(name)).toBe(false)
    expect(reasonOf(() => fieldOf({ type: 'constructor' }))).toBe(
      'No handler for type [constructor] declared on field [f]',
    )
  })

  it('has none of the types that are said not to be supported', () => {
    expect([...UNSUPPORTED_TYPES].filter(isFieldTypeName)).toEqual([])
    expect(reasonOf(() => fieldOf({ type: 'xy_shape' }))).toBe('[xy_shape] is not supported yet')
  })

  it.each<[Definition, object]>([
    [
      { type: 'text' },
      { kind: 'tokens', indexOptions: 'positions', hasNorms: true, docValues: 'none' },
    ],
    [
      { type: 'text', index: false },
      { kind: 'tokens', indexOptions: 'none', hasNorms: false, docValues: 'none' },
    ],
    [
      { type: 'keyword', norms: true, normalizer: 'n' },
      {
        kind: 'terms',
        indexOptions: 'docs',
        hasNorms: true,
        docValues: 'ordinals',
        normalizer: 'n',
      },
    ],
    [
      { type: 'keyword', doc_values: false, index_options: 'freqs' },
      { kind: 'terms', indexOptions: 'freqs', docValues: 'none', normalizer: null },
    ],
    [{ type: 'byte' }, { ...plain, kind: 'longs', docValues: 'numeric', hasPoints: true }],
    [
      { type: 'date', index: false, doc_values: false },
      { ...plain, kind: 'longs', docValues: 'none', hasPoints: false },
    ],
    [
      { type: 'scaled_float', scaling_factor: 10 },
      { ...plain, kind: 'longs', docValues: 'numeric', hasPoints: true },
    ],
    [
      { type: 'half_float' },
      { ...plain, kind: 'floats', floatKind: 'half_float', docValues: 'numeric' },
    ],
    [
      { type: 'boolean' },
      { kind: 'flags', indexOptions: 'docs', hasNorms: false, docValues: 'numeric' },
    ],
    [
      { type: 'boolean', index: false },
      { ...plain, kind: 'flags', docValues: 'numeric' },
    ],
    [{ type: 'geo_point' }, { ...plain, kind: 'places', docValues: 'numeric', hasBoxes: true }],
    [{ type: 'geo_shape' }, { ...plain, kind: 'shapes', docValues: 'shapes' }],
    [
      { type: 'knn_vector', dimension: 16, data_type: 'binary' },
      {
        ...plain,
        kind: 'vectors',
        docValues: 'vectors',
        element: 'binary',
        dimension: 16,
        method: null,
      },
    ],
    [
      { type: 'long_range' },
      { ...plain, kind: 'intervals', docValues: 'bytes', hasBoxes: true, endWords: 2 },
    ],
    [
      { type: 'ip_range', doc_values: false },
      { ...plain, kind: 'intervals', docValues: 'none', hasBoxes: true, endWords: 4 },
    ],
    [{ type: 'ip' }, { ...plain, kind: 'addresses', docValues: 'ordinals', hasPoints: true }],
    [
      { type: 'ip', index: false, doc_values: false },
      { ...plain, kind: 'addresses', docValues: 'none', hasPoints: false },
    ],
  ])('keeps %o as its type says', (definition, storage) => {
    expect(storageOf(fieldOf(definition))).toMatchObject(storage)
  })

  it('has each parameter of a type once', () => {
    for (const name of [
      'text',
      'keyword',
      'long',
      'scaled_float',
      'boolean',
      'date',
      'ip',
      'binary',
      'geo_point',
      'geo_shape',
      'date_range',
      'ip_range',
    ] as const) {
      const names = fieldKind(name).parameters.map(parameter => parameter.name)
      expect(new Set(names).size).toBe(names.length)
    }
  })
})
