import { describe, expect, it } from 'vitest'
import { DocDateValue } from '../../../../src/script/value/date/zoned-date-time.ts'
import { ScriptObject, type ScriptValue } from '../../../../src/script/value/script-value.ts'
import { call, callStatic, classNamed } from './library-caller.ts'

type Value = Exclude<ScriptValue, null>

const constant = (type: string, name: string): Value =>
  classNamed(type).constants[name]!.value as Value
const unit = (name: string): Value => constant('ChronoUnit', name)
const field = (name: string): Value => constant('ChronoField', name)
const zoned = (text: string): Value => callStatic('ZonedDateTime', 'parse', text)!
const date = (text: string): Value => callStatic('LocalDate', 'parse', text)!
const shown = (value: ScriptValue): ScriptValue =>
  value instanceof ScriptObject ? value.text() : value

describe('texts of dates', () => {
  const rows: readonly [string, string, string][] = [
    ['LocalDate', '2020-02-29', '2020-02-29'],
    ['LocalTime', '10:11', '10:11'],
    ['LocalTime', '10:11:12.5', '10:11:12.500'],
    ['LocalTime', '10:11:12.000000001', '10:11:12.000000001'],
    ['LocalDateTime', '2020-01-31T10:00:00', '2020-01-31T10:00'],
    ['Instant', '2020-01-31T10:00:00Z', '2020-01-31T10:00:00Z'],
    ['Instant', '2020-01-31T10:00:00.120+02:00', '2020-01-31T08:00:00.120Z'],
    ['ZonedDateTime', '2020-01-31T10:00:00Z', '2020-01-31T10:00Z'],
    [
      'ZonedDateTime',
      '2020-07-31T10:00:00+02:00[Europe/Paris]',
      '2020-07-31T10:00+02:00[Europe/Paris]',
    ],
    ['Duration', 'PT8H6M12.345S', 'PT8H6M12.345S'],
    ['Duration', 'P2DT-1S', 'PT47H59M59S'],
    ['Duration', '-PT0.5S', 'PT-0.5S'],
    ['Period', 'P1Y2M3W4D', 'P1Y2M25D'],
    ['Period', '-P1M', 'P-1M'],
  ]
  for (const [type, text, expected] of rows)
    it(`${type} ${text}`, () => {
      expect(shown(callStatic(type, 'parse', text))).toBe(expected)
    })

  for (const [type, text] of [
    ['LocalDate', '2021-02-29'],
    ['LocalDate', '2021-13-01'],
    ['LocalTime', '24:00'],
    ['Instant', '2020-01-31T10:00:00'],
    ['ZonedDateTime', 'x'],
    ['Duration', 'P'],
    ['Period', 'P1H'],
  ] as const)
    it(`refuses ${type} ${text}`, () => {
      expect(() => callStatic(type, 'parse', text)).toThrow(
        `Text '${text}' could not be parsed at index 0`,
      )
    })
})

describe('sums and differences of dates', () => {
  const rows: readonly [string, ScriptValue, () => ScriptValue][] = [
    [
      'a month is cut to its last day',
      '2020-02-29',
      () => call(date('2020-01-31'), 'plusMonths', 1),
    ],
    ['a year from a leap day', '2021-02-28', () => call(date('2020-02-29'), 'plusYears', 1)],
    ['minus weeks', '2019-12-24', () => call(date('2019-12-31'), 'minusWeeks', 1)],
    ['decades', '1990-05-05', () => call(date('2020-05-05'), 'plus', -3, unit('DECADES'))],
    [
      'hours of a local time go round',
      '01:00',
      () => call(callStatic('LocalTime', 'of', 23, 0)!, 'plusHours', 2),
    ],
    [
      'hours across the start of summer time',
      '2020-03-29T03:30+02:00[Europe/Paris]',
      () => call(zoned('2020-03-29T01:30:00+01:00[Europe/Paris]'), 'plusHours', 1),
    ],
    [
      'days across it keep the local time',
      '2020-03-30T01:30+02:00[Europe/Paris]',
      () => call(zoned('2020-03-29T01:30:00+01:00[Europe/Paris]'), 'plusDays', 1),
    ],
    [
      'a local time that is left out moves on',
      '2020-03-29T03:30+02:00[Europe/Paris]',
      () =>
        call(
          call(
            callStatic('LocalDateTime', 'parse', '2020-03-29T02:30')!,
            'atZone',
            callStatic('ZoneId', 'of', 'Europe/Paris'),
          )!,
          'plusDays',
          0,
        ),
    ],
    [
      'a duration',
      '2020-01-02T00:00Z',
      () => call(zoned('2020-01-01T12:00:00Z'), 'plus', callStatic('Duration', 'ofHours', 12)),
    ],
    [
      'a period',
      '2021-03-04',
      () => call(date('2020-01-01'), 'plus', callStatic('Period', 'of', 1, 2, 3)),
    ],
    [
      'days between',
      30,
      () =>
        call(unit('DAYS'), 'between', zoned('2020-01-01T12:00:00Z'), zoned('2020-02-01T11:00:00Z')),
    ],
    [
      'months between',
      1,
      () => call(date('2020-01-31'), 'until', date('2020-03-01'), unit('MONTHS')),
    ],
    [
      'a period between',
      'P1M1D',
      () => callStatic('Period', 'between', date('2020-01-31'), date('2020-03-01')),
    ],
    [
      'seconds between zones',
      7200,
      () =>
        call(
          unit('SECONDS'),
          'between',
          zoned('2020-01-01T02:00:00+02:00'),
          zoned('2020-01-01T02:00:00Z'),
        ),
    ],
    [
      'a duration between',
      'PT24H',
      () =>
        callStatic(
          'Duration',
          'between',
          zoned('2020-01-01T00:00:00Z'),
          zoned('2020-01-02T00:00:00Z'),
        ),
    ],
    ['a duration in days', 1, () => call(callStatic('Duration', 'ofMinutes', 2000)!, 'toDays')],
    [
      'truncated',
      '2020-01-01T10:00Z',
      () => call(zoned('2020-01-01T10:11:12Z'), 'truncatedTo', unit('HOURS')),
    ],
    [
      'the last day of a month',
      '2020-02-29',
      () => call(date('2020-02-03'), 'with', callStatic('TemporalAdjusters', 'lastDayOfMonth')),
    ],
    [
      'the next Monday',
      '2020-02-10',
      () =>
        call(
          date('2020-02-03'),
          'with',
          callStatic('TemporalAdjusters', 'next', constant('DayOfWeek', 'MONDAY')),
        ),
    ],
    [
      'another field',
      '2020-05-03',
      () => call(date('2020-02-03'), 'with', field('MONTH_OF_YEAR'), 5),
    ],
  ]
  for (const [title, expected, act] of rows)
    it(title, () => {
      expect(shown(act())).toBe(expected)
    })
})

describe('parts of dates', () => {
  const at = zoned('2016-02-29T13:45:06.123456789Z')
  const rows: readonly [string, number][] = [
    ['getYear', 2016],
    ['getMonthValue', 2],
    ['getDayOfMonth', 29],
    ['getDayOfYear', 60],
    ['getHour', 13],
    ['getMinute', 45],
    ['getSecond', 6],
    ['getNano', 123456789],
    ['toEpochSecond', 1456753506],
  ]
  for (const [name, expected] of rows) it(name, () => expect(call(at, name)).toBe(expected))
  const fields: readonly [string, number][] = [
    ['ALIGNED_WEEK_OF_MONTH', 5],
    ['AMPM_OF_DAY', 1],
    ['CLOCK_HOUR_OF_AMPM', 1],
    ['DAY_OF_WEEK', 1],
    ['EPOCH_DAY', 16860],
    ['INSTANT_SECONDS', 1456753506],
    ['MILLI_OF_DAY', 49506123],
    ['MINUTE_OF_DAY', 825],
    ['OFFSET_SECONDS', 0],
    ['PROLEPTIC_MONTH', 24193],
  ]
  for (const [name, expected] of fields)
    it(name, () => expect(call(at, 'getLong', field(name))).toBe(expected))

  it('knows the week of the week-based year', () => {
    const week = constant('IsoFields', 'WEEK_OF_WEEK_BASED_YEAR')
    expect(call(date('2021-01-03'), 'get', week)).toBe(53)
    expect(call(date('2021-01-03'), 'get', constant('IsoFields', 'WEEK_BASED_YEAR'))).toBe(2020)
    expect(call(date('2021-05-03'), 'get', constant('IsoFields', 'QUARTER_OF_YEAR'))).toBe(2)
  })

  it('is named in English', () => {
    const day = call(at, 'getDayOfWeek')!
    expect(shown(day)).toBe('MONDAY')
    expect(
      call(day, 'getDisplayName', constant('TextStyle', 'FULL'), constant('Locale', 'ROOT')),
    ).toBe('Monday')
    expect(
      call(
        call(at, 'getMonth')!,
        'getDisplayName',
        constant('TextStyle', 'SHORT'),
        constant('Locale', 'ROOT'),
      ),
    ).toBe('Feb')
    expect(shown(call(day, 'plus', 8))).toBe('TUESDAY')
  })
})

describe('errors of dates', () => {
  const rows: readonly [string, () => ScriptValue][] = [
    [
      'Invalid value for MonthOfYear (valid values 1 - 12): 13',
      () => callStatic('LocalDate', 'of', 2020, 13, 1),
    ],
    ["Invalid date 'FEBRUARY 30'", () => callStatic('LocalDate', 'of', 2020, 2, 30)],
    [
      "Invalid date 'February 29' as '2021' is not a leap year",
      () => callStatic('LocalDate', 'of', 2021, 2, 29),
    ],
    [
      'Invalid value for HourOfDay (valid values 0 - 23): 24',
      () => callStatic('LocalTime', 'of', 24, 0),
    ],
    ['Unsupported unit: Hours', () => call(date('2020-01-01'), 'plus', 1, unit('HOURS'))],
    ['Unsupported field: HourOfDay', () => call(date('2020-01-01'), 'get', field('HOUR_OF_DAY'))],
    [
      'Unsupported unit: Months',
      () => call(callStatic('Instant', 'ofEpochMilli', 0)!, 'plus', 1, unit('MONTHS')),
    ],
    [
      'Unit is too large to be used for truncation',
      () => call(zoned('2020-01-01T10:11:12Z'), 'truncatedTo', unit('WEEKS')),
    ],
    ['Unknown time-zone ID: Mars/Base', () => callStatic('ZoneId', 'of', 'Mars/Base')],
    [
      'Invalid ID for ZoneOffset, invalid format: +1:2',
      () => callStatic('ZoneOffset', 'of', '+1:2'),
    ],
    [
      'Zone offset not in valid range: -18:00 to +18:00',
      () => callStatic('ZoneOffset', 'ofHours', 19),
    ],
    ['No enum constant java.time.Month.MAI', () => callStatic('Month', 'valueOf', 'MAI')],
  ]
  for (const [reason, act] of rows) it(reason, () => expect(act).toThrow(reason))
})

describe('a formatter', () => {
  const format = (pattern: string, value: Value): ScriptValue =>
    call(callStatic('DateTimeFormatter', 'ofPattern', pattern)!, 'format', value)

  it('prints by its pattern', () => {
    expect(format("yyyy/MM/dd HH:mm:ss.SSS 'x' XXX", zoned('2020-01-02T03:04:05.678+02:00'))).toBe(
      '2020/01/02 03:04:05.678 x +02:00',
    )
    expect(format('EEE, d MMM yyyy', date('2020-01-02'))).toBe('Thu, 2 Jan 2020')
    expect(() => format('HH', date('2020-01-02'))).toThrow('Unsupported field: HourOfDay')
  })

  it('reads by its pattern', () => {
    const formatter = callStatic('DateTimeFormatter', 'ofPattern', 'dd.MM.yyyy HH:mm XXX')!
    expect(shown(callStatic('ZonedDateTime', 'parse', '02.01.2020 03:04 +02:00', formatter))).toBe(
      '2020-01-02T03:04+02:00',
    )
    const day = callStatic('DateTimeFormatter', 'ofPattern', 'dd.MM.yyyy')!
    expect(shown(callStatic('LocalDate', 'parse', '02.01.2020', day))).toBe('2020-01-02')
    expect(() => callStatic('LocalDate', 'parse', 'x', day)).toThrow(
      "Text 'x' could not be parsed at index 0",
    )
  })

  it('has the predefined formats', () => {
    const at = zoned('2020-01-02T03:04:05+02:00[Europe/Helsinki]')
    const by = (name: string): ScriptValue =>
      call(constant('DateTimeFormatter', name), 'format', at)
    expect(by('ISO_INSTANT')).toBe('2020-01-02T01:04:05Z')
    expect(by('ISO_LOCAL_DATE')).toBe('2020-01-02')
    expect(by('ISO_OFFSET_DATE_TIME')).toBe('2020-01-02T03:04:05+02:00')
    expect(by('ISO_ZONED_DATE_TIME')).toBe('2020-01-02T03:04:05+02:00[Europe/Helsinki]')
    expect(by('BASIC_ISO_DATE')).toBe('20200102+0200')
  })

  it('puts instants into its zone', () => {
    const formatter = call(
      callStatic('DateTimeFormatter', 'ofPattern', 'HH:mm')!,
      'withZone',
      callStatic('ZoneId', 'of', 'Asia/Tokyo'),
    )!
    expect(call(formatter, 'format', callStatic('Instant', 'ofEpochMilli', 0))).toBe('09:00')
  })
})

describe('a date of a document', () => {
  const value = new DocDateValue(1_483_273_341_234)
  it('prints milliseconds always', () => {
    expect(call(value, 'toString')).toBe('2017-01-01T12:22:21.234Z')
    expect(new DocDateValue(0).text()).toBe('1970-01-01T00:00:00.000Z')
    expect(new DocDateValue(0, 1500).text()).toBe('1970-01-01T00:00:00.0000015Z')
  })
  it("keeps Joda's names", () => {
    expect(call(value, 'getMillis')).toBe(1_483_273_341_234)
    expect(call(value, 'getDayOfWeek')).toBe(7)
    expect(shown(call(value, 'getDayOfWeekEnum'))).toBe('SUNDAY')
    expect(call(value, 'getHourOfDay')).toBe(12)
    expect(call(value, 'toString', 'yyyy')).toBe('2017')
    expect(call(value, 'getYear')).toBe(2017)
    expect(call(value, 'isBefore', zoned('2018-01-01T00:00:00Z'))).toBe(true)
    expect(call(value, 'equals', zoned('2017-01-01T12:22:21.234Z'))).toBe(true)
  })
})
