import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FieldIndex, fieldIndex } from '../support/field-index.ts'
import { PATIENCE_IN_MILLIS } from '../support/patience.ts'

const TYPES = [
  'ip',
  'binary',
  'geo_point',
  'integer_range',
  'long_range',
  'float_range',
  'double_range',
  'date_range',
  'ip_range',
  'half_float',
  'boolean',
] as const
const SEED = 20261122

/** Values that some type takes, and such that none does. */
const scalar = fc.oneof(
  fc.ipV4(),
  fc.ipV6(),
  fc.integer(),
  fc.double({ noNaN: true }),
  fc.boolean(),
  fc.constant(null),
  fc.string({ maxLength: 8 }),
  fc.base64String({ maxLength: 12 }),
  fc.constantFrom(
    '2020',
    '2020-01-01||+1d/d',
    'now',
    '10.0.0.0/8',
    '::/0',
    'POINT (1 2)',
    '1,2',
    'u4pr',
    '',
  ),
)
const ends = fc.dictionary(fc.constantFrom('gt', 'gte', 'lt', 'lte'), scalar, { maxKeys: 3 })
const place = fc.record({ lat: scalar, lon: scalar }, { requiredKeys: [] })
const value = fc.oneof(
  scalar,
  ends,
  place,
  fc.array(fc.oneof(scalar, ends, place), { maxLength: 3 }),
)
const field = fc.constantFrom(...TYPES, ...TYPES.map(type => `${type}_lax`))
const range = fc
  .tuple(
    ends,
    fc.record(
      {
        relation: fc.constantFrom('within', 'CONTAINS', 'intersects', 'disjoint', 'x'),
        format: fc.constantFrom('uuuu', 'epoch_millis', 'x'),
        time_zone: fc.constantFrom('+01:00', 'Z', 'x'),
      },
      { requiredKeys: [] },
    ),
  )
  .map(([bounds, options]) => ({ ...bounds, ...options }))
const body = fc.oneof(
  fc.tuple(field, scalar).map(([name, text]) => ({ query: { term: { [name]: text } } })),
  fc
    .tuple(field, fc.array(scalar, { maxLength: 4 }))
    .map(([name, texts]) => ({ query: { terms: { [name]: texts } } })),
  fc.tuple(field, range).map(([name, options]) => ({ query: { range: { [name]: options } } })),
  fc.tuple(field, scalar).map(([name, text]) => ({ query: { match: { [name]: text } } })),
  field.map(name => ({ query: { exists: { field: name } } })),
  fc
    .tuple(field, fc.constantFrom('asc', 'desc'), fc.option(scalar))
    .map(([name, order, missing]) => ({
      sort: [{ [name]: { order, ...(missing === null ? {} : { missing }) } }],
    })),
)

describe('documents and searches of any content', () => {
  let index: FieldIndex
  beforeAll(async () => {
    const lax = (type: string): object =>
      type === 'binary' ? { type, doc_values: true } : { type, ignore_malformed: true }
    index = await fieldIndex(
      Object.fromEntries(
        TYPES.flatMap(type => [
          [type, { type }],
          [`${type}_lax`, lax(type)],
        ]),
      ),
    )
  })
  afterAll(() => index.close())

  it(
    'are answered, or refused as bad requests',
    async () => {
      let taken = 0
      let found = 0
      await fc.assert(
        fc.asyncProperty(
          fc.dictionary(field, value, { maxKeys: 3 }),
          body,
          async (document, search) => {
            const written = await index.rest.call('POST /i/_doc?refresh', document)
            expect([201, 400]).toContain(written.status)
            if (written.status === 201) taken++
            for (const profile of [false, true]) {
              const { status } = await index.rest.call('POST /i/_search', { ...search, profile })
              expect([200, 400]).toContain(status)
              if (status === 200) found++
            }
          },
        ),
        { seed: SEED, numRuns: 500 },
      )
      // Neither side is refused throughout.
      expect(taken).toBeGreaterThan(50)
      expect(found).toBeGreaterThan(100)
      await index.merge()
      expect((await index.rest.call('POST /i/_search', {})).json._shards.failed).toBe(0)
    },
    PATIENCE_IN_MILLIS,
  )
})
