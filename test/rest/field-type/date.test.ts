import { expect, it } from 'vitest'
import { refusal, throughLife } from '../../support/field-life.ts'
import { openRest } from '../../support/rest-calls.ts'

it('finds and sorts nanoseconds', async () => {
  await throughLife(
    {
      properties: { at: { type: 'date_nanos' }, plain: { type: 'date_nanos', index: false } },
      documents: {
        last: { at: '2262-04-11T23:47:16.854775807Z' },
        one: { at: '2020-01-01T00:00:00.000000001Z', plain: '2020-01-01T00:00:00.000000001Z' },
        two: { at: '2020-01-01T00:00:00.000000002Z', plain: '2020-01-01T00:00:00.000000002Z' },
        day: { at: '2020-01-02' },
      },
    },
    async ({ ids, sorted, rest }) => {
      expect(await ids({ term: { at: '2020-01-01T00:00:00.000000001Z' } })).toEqual(['one'])
      expect(await ids({ term: { plain: '2020-01-01T00:00:00.000000002Z' } })).toEqual(['two'])
      expect(await ids({ range: { at: { gt: '2020-01-01T00:00:00.000000001Z' } } })).toEqual([
        'day',
        'last',
        'two',
      ])
      expect(await ids({ range: { at: { lte: '2020-01-01' } } })).toEqual(['one', 'two'])
      expect(await ids({ terms: { at: ['2020-01-02', '2020-01-01||/d'] } })).toEqual([
        'day',
        'one',
        'two',
      ])
      expect(await sorted([{ at: 'desc' }])).toEqual(['last', 'day', 'two', 'one'])
      const { text } = await rest.call('POST /i/_search', { sort: ['at'], size: 1 })
      expect(text).toContain('"sort":[1577836800000000001]')
      const after = { sort: [{ at: 'desc' }], search_after: ['2020-01-01T00:00:00.000000002Z'] }
      const { json } = await rest.call('POST /i/_search', after)
      expect(json.hits.hits.map((hit: { _id: string }) => hit._id)).toEqual(['one'])
    },
  )
})

it('reads dates by format, locale and the time zone of a range', async () => {
  await throughLife(
    {
      properties: {
        at: { type: 'date' },
        own: { type: 'date', format: 'd MMM yyyy', locale: 'en_GB', print_format: 'yyyy' },
      },
      documents: {
        winter: { at: '2021-01-01T23:30:00Z', own: '5 Feb 2021' },
        summer: { at: '2021-07-01T22:30:00Z', own: null },
      },
    },
    async ({ ids, rest }) => {
      const within = (zone: string, day: string): Promise<string[]> =>
        ids({ range: { at: { gte: day, lte: day, time_zone: zone } } })
      expect(await within('Europe/Paris', '2021-01-02')).toEqual(['winter'])
      expect(await within('Europe/Paris', '2021-07-02')).toEqual(['summer'])
      expect(await within('+01:00', '2021-07-02')).toEqual([])
      expect(await ids({ range: { own: { lt: '01.03.2021', format: 'dd.MM.yyyy' } } })).toEqual([
        'winter',
      ])
      expect(await ids({ range: { at: { lte: '2021' } } })).toEqual(['summer', 'winter'])
      expect(await ids({ range: { at: { gt: '2021' } } })).toEqual([])
      const { json } = await rest.call('GET /i/_mapping')
      expect(json.i.mappings.properties.own).toEqual({
        type: 'date',
        format: 'd MMM yyyy',
        print_format: 'yyyy',
        locale: 'en_GB',
      })
    },
  )
})

it('refuses with the documented reasons', async () => {
  const rest = await openRest()
  await rest.call('PUT /i', {
    mappings: { properties: { at: { type: 'date' }, nano: { type: 'date_nanos' } } },
  })
  const range = (field: string, options: object): Promise<string> =>
    refusal(rest, 'POST /i/_search', { query: { range: { [field]: options } } })
  expect(await range('at', { gte: 'x' })).toBe(
    '400 illegal_argument_exception: failed to parse date field [x] with format ' +
      '[strict_date_optional_time||epoch_millis]',
  )
  expect(await range('at', { gte: '' })).toBe('400 parse_exception: cannot parse empty date')
  expect(await range('at', { gte: 'now+1q' })).toBe(
    '400 parse_exception: unit [q] not supported for date math [+1q]',
  )
  expect(await range('at', { gte: 'now', time_zone: 'Mars/Base' })).toBe(
    '400 illegal_argument_exception: Unknown time-zone ID: Mars/Base',
  )
  expect(await range('at', { gte: '1', format: '{' })).toMatch(
    /^400 illegal_argument_exception: Invalid format: \[\{\]/,
  )
  expect(await range('nano', { gte: '1969' })).toBe(
    '400 illegal_argument_exception: date[1969-01-01T00:00:00Z] is before the epoch in 1970 and ' +
      'cannot be stored in nanosecond resolution',
  )
  expect(await refusal(rest, 'PUT /i/_doc/1', { nano: '2300-01-01' })).toBe(
    '400 illegal_argument_exception: date[2300-01-01T00:00:00Z] is after ' +
      '2262-04-11T23:47:16.854775807 and cannot be stored in nanosecond resolution',
  )
  const put = (definition: object): Promise<string> =>
    refusal(rest, 'PUT /i/_mapping', { properties: definition })
  expect(await put({ bad: { type: 'date', format: 'yyyy]' } })).toMatch(
    /^400 mapper_parsing_exception: Error parsing \[format\] on field \[bad\]: Invalid format: \[yyyy\]\]: /,
  )
  expect(await put({ at: { type: 'date_nanos' } })).toBe(
    '400 illegal_argument_exception: mapper [at] cannot be changed from type [date] to [date_nanos]',
  )
  expect(await put({ at: { type: 'date', locale: 'de' } })).toBe(
    '400 illegal_argument_exception: Mapper for [at] conflicts with existing mapper:\n\t' +
      'Cannot update parameter [locale] from [] to [de]',
  )
  await rest.close()
})
