import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { reasonOf, valueReader } from '../../support/one-field.ts'

describe('date', () => {
  it('keeps milliseconds, of dates in its format and of numbers', () => {
    const read = valueReader({ type: 'date' })
    expect(read('["1970-01-02", 86400001, "1969-12-31T23:59:59.999Z"]')).toEqual([
      86_400_000n,
      86_400_001n,
      -1n,
    ])
    expect(reasonOf(() => read('true'))).toMatch(/^failed to parse date field \[true\]/)
    expect(reasonOf(() => read('" "'))).toBe('cannot parse empty date')
  })

  it('passes over a null value that is no date', () => {
    expect(valueReader({ type: 'date', null_value: 'x' })('null')).toEqual([])
    expect(valueReader({ type: 'date', null_value: '1970-01-01' })('null')).toEqual([0n])
  })
})

describe('date_nanos', () => {
  const read = valueReader({ type: 'date_nanos' })

  it('keeps nanoseconds from 1970 to 2262', () => {
    expect(read('"1970-01-01T00:00:00.000000001Z"')).toEqual([1n])
    expect(read('"2262-04-11T23:47:16.854775807Z"')).toEqual([2n ** 63n - 1n])
    expect(read('1540815132987.654321')).toEqual([1540815132987654321n])
    expect(reasonOf(() => read('"1969-12-31T23:59:59.999Z"'))).toBe(
      'date[1969-12-31T23:59:59.999Z] is before the epoch in 1970 and cannot be stored in ' +
        'nanosecond resolution',
    )
    expect(reasonOf(() => read('"2262-04-11T23:47:16.854775808Z"'))).toBe(
      'date[2262-04-11T23:47:16.854775808Z] is after 2262-04-11T23:47:16.854775807 and cannot be ' +
        'stored in nanosecond resolution',
    )
    expect(reasonOf(() => read('"1950"'))).toMatch(/^date\[1950-01-01T00:00:00Z\]/)
  })
})

describe.each(['date', 'date_nanos'])('%s', type => {
  const read = valueReader({ type })

  it('answers a value or a documented error to any text', () => {
    const texts = fc.oneof(
      fc.string(),
      fc.stringMatching(/^[+-]?\d{1,20}(-\d{1,2}){0,2}(T\d{1,2})?$/),
    )
    fc.assert(
      fc.property(texts, text => {
        try {
          for (const value of read(JSON.stringify(text)))
            expect(BigInt.asIntN(64, value as bigint)).toBe(value)
        } catch (error) {
          expect(error).toMatchObject({ record: { type: 'mapper_parsing_exception' } })
        }
      }),
    )
  })

  it('reads names and zones as its format and locale say', () => {
    const german = valueReader({ type, format: 'd. MMMM yyyy', locale: 'de_DE' })
    const unit = type === 'date' ? 1n : 1_000_000n
    expect(german('"2. Januar 1970"')).toEqual([86_400_000n * unit])
    expect(reasonOf(() => valueReader({ type, locale: 'a_b_c_d' }))).toBe(
      "Can't parse locale: [a_b_c_d]",
    )
    expect(reasonOf(() => valueReader({ type, print_format: 'q{' }))).toMatch(
      /^Error parsing \[print_format\] on field \[f\]: Invalid format: \[q\{\]/,
    )
  })
})
