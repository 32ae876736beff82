import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileDateFormat, DEFAULT_DATE_PATTERN } from '../../src/schema/date-format.ts'
import { parseDateMath } from '../../src/schema/date-math.ts'
import { type TimeZone, timeZone, UTC } from '../../src/util/date/time-zone.ts'

const iso = (text: string): number => Date.parse(text)
const parse = (pattern: string, text: string, up = false): number | null =>
  compileDateFormat(pattern).parse(text, up)

describe('date formats', () => {
  it('reads the default format as Date does', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date(-6e13), max: new Date(2.5e14), noInvalidDate: true }),
        date => {
          const text = date.toISOString()
          const format = compileDateFormat(DEFAULT_DATE_PATTERN)
          expect(format.parse(text)).toBe(date.getTime())
          expect(format.print(date.getTime())).toBe(text)
          expect(format.parse(String(date.getTime()).slice(0, 15))).not.toBeNull()
        },
      ),
      { seed: 1, numRuns: 300 },
    )
  })

  it('keeps nanoseconds beside the milliseconds', () => {
    const instant = { millis: 0, nanos: 0 }
    const read = (pattern: string, text: string, up: boolean): string => {
      expect(compileDateFormat(pattern).read(text, up, UTC, instant)).toBe(true)
      return `${instant.millis} ${instant.nanos}`
    }
    expect(read('strict_date_optional_time', '1970-01-01T00:00:01.123456789Z', false)).toBe(
      '1123 456789',
    )
    expect(read('strict_date_optional_time', '1970-01-01T00:00:01', true)).toBe('1999 999999')
    expect(read('epoch_millis', '1.5', false)).toBe('1 500000')
    expect(read('epoch_millis', '-1.5', false)).toBe('-2 500000')
    expect(read('epoch_millis', '7', true)).toBe('7 999999')
    expect(read('epoch_second', '7', true)).toBe('7999 999999')
    expect(read('epoch_second', '-0.000000001', false)).toBe('-1 999999')
  })

  it('knows regions and the names of a locale', () => {
    expect(parse('strict_date_optional_time', '2021-07-01T12:00Europe/Paris')).toBe(
      iso('2021-07-01T10:00Z'),
    )
    expect(parse('yyyy-MM-dd HH:mm VV', '2021-01-01 12:00 America/New_York')).toBe(
      iso('2021-01-01T17:00Z'),
    )
    expect(parse('strict_date_optional_time', '2021-07-01T12:00Nowhere/Town')).toBeNull()
    expect(compileDateFormat('d MMMM yyyy', 'de').parse('3 März 2021')).toBe(iso('2021-03-03'))
    expect(compileDateFormat('E, d MMM yyyy', 'fr').parse('mer., 3 mars 2021')).toBe(
      iso('2021-03-03'),
    )
    expect(parse('d MMMM yyyy', '3 März 2021')).toBeNull()
  })

  it('reads RFC 3339 with parts left out', () => {
    for (const [text, instant] of [
      ['2019', '2019-01-01'],
      ['2019-03', '2019-03-01'],
      ['2019-03-23', '2019-03-23'],
      ['2019-03-23T21:34Z', '2019-03-23T21:34Z'],
      ['2019-03-23 21:34:46z', '2019-03-23T21:34:46Z'],
      ['2019-03-23t21:34:46,123456789-04:00', '2019-03-24T01:34:46.123Z'],
      ['2019-03-23T21:34:46.1+00:30', '2019-03-23T21:04:46.1Z'],
    ] as const)
      expect(parse('rfc3339_lenient', text)).toBe(iso(instant))
    for (const text of [
      '19',
      '2019-3-23',
      '2019-13-01',
      '2019-03-23T21',
      '2019-03-23T21:34',
      '2019-03-23T21:34:46',
      '2019-03-23T21:34:46.Z',
      '2019-03-23T21:34:46.1234567890Z',
      '2019-03-23T21:34:46+0400',
      '2019-03-23T21:34:46-00:00',
      '2019-03-23Z',
      '1553391286000',
    ])
      expect(parse('rfc3339_lenient', text)).toBeNull()
    expect(parse('rfc3339_lenient', '2019-03', true)).toBe(iso('2019-03-31T23:59:59.999Z'))
    expect(parse('epoch_second||rfc3339_lenient', '2019-03-23')).toBe(iso('2019-03-23'))
    expect(compileDateFormat('rfc3339_lenient').print(0)).toBe('1970-01-01T00:00:00.000Z')
  })

  it('fills missing parts downward, or upward to the end of the part given', () => {
    const cases: [string, string, string][] = [
      ['2020', '2020-01-01T00:00:00.000Z', '2020-12-31T23:59:59.999Z'],
      ['2020-02', '2020-02-01T00:00:00.000Z', '2020-02-29T23:59:59.999Z'],
      ['2020-02-05', '2020-02-05T00:00:00.000Z', '2020-02-05T23:59:59.999Z'],
      ['2020-02-05T10', '2020-02-05T10:00:00.000Z', '2020-02-05T10:59:59.999Z'],
      ['2020-02-05T10:11', '2020-02-05T10:11:00.000Z', '2020-02-05T10:11:59.999Z'],
      ['2020-02-05T10:11:12', '2020-02-05T10:11:12.000Z', '2020-02-05T10:11:12.999Z'],
      ['2020-02-05T10:11:12.5Z', '2020-02-05T10:11:12.500Z', '2020-02-05T10:11:12.500Z'],
      ['2020-02-05T10:11:12+0100', '2020-02-05T09:11:12.000Z', '2020-02-05T09:11:12.999Z'],
      [
        '2020-02-05T10:11:12,123456789-02:30',
        '2020-02-05T12:41:12.123Z',
        '2020-02-05T12:41:12.123Z',
      ],
    ]
    for (const [text, down, up] of cases) {
      expect(parse('strict_date_optional_time', text)).toBe(iso(down))
      expect(parse('strict_date_optional_time', text, true)).toBe(iso(up))
    }
  })

  it('refuses what is no date of the format', () => {
    for (const text of [
      '',
      '2020-13',
      '2021-02-29',
      '2020-1-1',
      '20',
      'x',
      '2020-01-01T24',
      '2020-01-01T1',
      '2020-01-01 10:00',
      '12020-01-01',
    ])
      expect(parse('strict_date_optional_time', text)).toBeNull()
    expect(parse('date_optional_time', '2020-1-1')).toBe(iso('2020-01-01'))
  })

  it('reads and prints every named format', () => {
    const noon = iso('2021-03-04T05:06:07.089Z')
    const cases: [string, string, string][] = [
      ['basic_date', '20210304', '2021-03-04T00:00:00Z'],
      ['basic_date_time', '20210304T050607.089Z', '2021-03-04T05:06:07.089Z'],
      ['basic_date_time_no_millis', '20210304T050607Z', '2021-03-04T05:06:07Z'],
      ['basic_ordinal_date', '2021063', '2021-03-04T00:00:00Z'],
      ['basic_week_date', '2021W094', '2021-03-04T00:00:00Z'],
      ['strict_basic_week_date_time', '2021W094T050607.089Z', '2021-03-04T05:06:07.089Z'],
      ['basic_time', '050607.089Z', '1970-01-01T05:06:07.089Z'],
      ['basic_t_time_no_millis', 'T050607Z', '1970-01-01T05:06:07Z'],
      ['date', '2021-03-04', '2021-03-04T00:00:00Z'],
      [
        'strict_date_hour_minute_second_millis',
        '2021-03-04T05:06:07.089',
        '2021-03-04T05:06:07.089Z',
      ],
      ['strict_ordinal_date', '2021-063', '2021-03-04T00:00:00Z'],
      ['week_date', '2021-W09-4', '2021-03-04T00:00:00Z'],
      ['strict_weekyear_week', '2021-W09', '2021-03-01T00:00:00Z'],
      ['year_month', '2021-03', '2021-03-01T00:00:00Z'],
      ['hour_minute', '05:06', '1970-01-01T05:06:00Z'],
      ['epoch_second', '1614834367.089', '2021-03-04T05:06:07.089Z'],
      ['epoch_millis', '1614834367089', '2021-03-04T05:06:07.089Z'],
      ['yyyy/MM/dd HH:mm:ss', '2021/03/04 05:06:07', '2021-03-04T05:06:07Z'],
      ['dd MMM yyyy', '04 Mar 2021', '2021-03-04T00:00:00Z'],
      ['EEEE, d MMMM yy', 'Thursday, 4 March 21', '2021-03-04T00:00:00Z'],
      ["h:mm a 'o''clock'", "5:06 AM o'clock", '1970-01-01T05:06:00Z'],
      ['8yyyy-MM-dd[ HH:mm]XXX', '2021-03-04 05:06Z', '2021-03-04T05:06:00Z'],
      ['yyyyMMddHHmmssSSS', '20210304050607089', '2021-03-04T05:06:07.089Z'],
    ]
    for (const [pattern, text, expected] of cases) {
      expect([pattern, parse(pattern, text)]).toEqual([pattern, iso(expected)])
      expect([pattern, compileDateFormat(pattern).print(noon)]).toEqual([pattern, text])
    }
  })

  it('names what is wrong with a pattern', () => {
    expect(() => compileDateFormat('strictDateOptionalTime')).toThrow(
      'Invalid format: [strictDateOptionalTime]: Unknown pattern letter: t',
    )
    expect(() => compileDateFormat("yyyy'x")).toThrow('incomplete string literal')
    expect(() => compileDateFormat('yyyy||')).toThrow('No date pattern provided')
    expect(() => compileDateFormat('yyyy]')).toThrow('] without previous [')
  })

  it('never answers anything but a number or null', () => {
    const format = compileDateFormat('strict_date_optional_time||epoch_millis||yyyyMMdd')
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'0123456789-:T.Z+ W') }), text => {
        const millis = format.parse(text)
        expect(millis === null || Number.isInteger(millis)).toBe(true)
      }),
      { seed: 5, numRuns: 1000 },
    )
  })
})

describe('date maths', () => {
  const now = iso('2021-03-31T12:34:56.789Z')
  const math = (text: string, roundUp = false, zone: TimeZone = UTC): string =>
    new Date(
      parseDateMath(text, {
        format: compileDateFormat(DEFAULT_DATE_PATTERN),
        nowInMillis: now,
        roundUp,
        zone,
      }).millis,
    ).toISOString()

  it('adds, takes away and rounds', () => {
    expect(math('now')).toBe('2021-03-31T12:34:56.789Z')
    expect(math('now-1M')).toBe('2021-02-28T12:34:56.789Z')
    expect(math('now+1y/y')).toBe('2022-01-01T00:00:00.000Z')
    expect(math('now/w')).toBe('2021-03-29T00:00:00.000Z')
    expect(math('now/d', true)).toBe('2021-03-31T23:59:59.999Z')
    expect(math('now/M', true)).toBe('2021-03-31T23:59:59.999Z')
    expect(math('2020-01-31||+1M/d')).toBe('2020-02-29T00:00:00.000Z')
    expect(math('now-2h+3m-4s')).toBe('2021-03-31T10:37:52.789Z')
    expect(math('now/d', false, timeZone('+14:00'))).toBe('2021-03-31T10:00:00.000Z')
  })

  it('counts days on the calendar of a region and hours on its clock', () => {
    const paris = timeZone('Europe/Paris')
    // Summer time began on 2021-03-28 at 01:00 UTC.
    expect(math('2021-03-27T12:00||+1d', false, paris)).toBe('2021-03-28T10:00:00.000Z')
    expect(math('2021-03-27T12:00||+24h', false, paris)).toBe('2021-03-28T11:00:00.000Z')
    expect(math('2021-03-28||/d', true, paris)).toBe('2021-03-28T21:59:59.999Z')
    expect(math('now/d', false, paris)).toBe('2021-03-30T22:00:00.000Z')
  })

  it('refuses bad maths with the documented reasons', () => {
    expect(() => math('now*1d')).toThrow('operator not supported for date math [*1d]')
    expect(() => math('now+')).toThrow('truncated date math [+]')
    expect(() => math('now+1')).toThrow('truncated date math [+1]')
    expect(() => math('now+1q')).toThrow('unit [q] not supported for date math [+1q]')
    expect(() => math('now/2d')).toThrow('rounding `/` can only be used on single unit types [/2d]')
    expect(() => math('nope')).toThrow(
      'failed to parse date field [nope] with format [strict_date_optional_time||epoch_millis]: ' +
        '[failed to parse date field [nope] with format [strict_date_optional_time||epoch_millis]]',
    )
  })
})
