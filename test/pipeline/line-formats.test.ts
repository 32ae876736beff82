import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Dissection } from '../../src/pipeline/dissect.ts'
import { readCsvLine } from '../../src/pipeline/processor/csv-line.ts'
import { processed, thrown } from '../support/ingest-runs.ts'

describe('a line of separated values', () => {
  const form = { quote: '"', separator: ',', trims: false }

  it('gives the values that were written into it', () => {
    const value = fc.string({ unit: fc.constantFrom('a', 'b', ' ', ',', '"', 'ä') })
    fc.assert(
      fc.property(fc.array(value, { minLength: 1 }), values => {
        // A line that ends in a separator has nothing behind it.
        fc.pre(values.at(-1) !== '')
        const line = values
          .map(text => (text === '' ? '' : `"${text.replaceAll('"', '""')}"`))
          .join(',')
        expect(readCsvLine(line, form)).toEqual(values)
      }),
    )
  })

  it('is read or refused, whatever it holds', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', ',', '"', ' ', '\n') }), line => {
        try {
          expect(readCsvLine(line, form).every(value => typeof value === 'string')).toBe(true)
        } catch (error) {
          expect((error as Error).message).toMatch(
            /^(Unmatched quote|Illegal character inside unquoted field at|character after quoted field)/,
          )
        }
      }),
    )
  })
})

describe('a dissection', () => {
  it('finds the values between the delimiters that a text was made with', () => {
    const name = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1 })
    const delimiter = fc.constantFrom(' ', ',', ' - ', '] [', '=')
    const value = fc.string({ unit: fc.constantFrom('x', 'y', '1', 'é'), minLength: 1 })
    fc.assert(
      fc.property(
        name,
        delimiter,
        fc.array(value, { minLength: 4, maxLength: 4 }),
        (names, between, values) => {
          const pattern = names.map(key => `%{${key}}`).join(between)
          const text = names.map((_, i) => values[i]).join(between)
          expect([...new Dissection(pattern, '').apply(text)]).toEqual(
            names.map((key, i) => [key, values[i]]),
          )
        },
      ),
    )
  })

  it.each([
    [
      'bad pattern',
      'Unable to parse pattern: bad pattern Reason: Unable to find any keys or delimiters.',
    ],
    ['%{+}', 'Unable to parse key: + Reason: The key name could not be determined'],
    ['%{*a}', "Found invalid key/reference associations: 'a'"],
    ['%{&a} %{b}', "Found invalid key/reference associations: 'a'"],
  ])('%s is none: %s', (pattern, reason) => {
    expect(thrown(() => processed([{ dissect: { field: 'm', pattern } }], {}))).toMatchObject({
      type: 'illegal_argument_exception',
      reason: expect.stringContaining(reason),
    })
  })
})
