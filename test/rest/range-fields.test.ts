import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  addressNumber,
  numberAddress,
  parseAddress,
  printAddress,
} from '../../src/util/ip-address.ts'
import { Random } from '../../src/util/random.ts'
import { type FieldIndex, fieldIndex } from '../support/field-index.ts'
import { tempFolder } from '../support/temp-folder.ts'

/** An interval of whole numbers that a type's values stand for, written with either kind of end. */
interface Given {
  readonly from: number
  readonly to: number
  readonly includesFrom: boolean
  readonly includesTo: boolean
}

const DAY = 86_400_000
/** How a whole number is written as a value of each type. */
const WRITTEN = {
  integer_range: (n: number) => n,
  long_range: (n: number) => `${n}`,
  float_range: (n: number) => n / 4,
  double_range: (n: number) => n / 10,
  date_range: (n: number) => new Date(n * DAY).toISOString().slice(0, 10),
  ip_range: (n: number) =>
    printAddress(numberAddress(addressNumber(parseAddress('::ffff:10.0.0.0')!) + BigInt(n))),
} as const
type Type = keyof typeof WRITTEN
const types = Object.keys(WRITTEN) as Type[]

const random = new Random(11)
const given = (longest: number): Given => {
  const from = random.below(400)
  const includesFrom = random.below(2) === 0
  const includesTo = random.below(2) === 0
  // Wide enough to hold a value whichever ends are left out.
  return { from, to: from + 2 + random.below(longest), includesFrom, includesTo }
}
const written = (type: Type, { from, to, includesFrom, includesTo }: Given): object => ({
  [includesFrom ? 'gte' : 'gt']: WRITTEN[type](from),
  [includesTo ? 'lte' : 'lt']: WRITTEN[type](to),
})
/** Whether values are neighbours where they are written so: an open end is then the next value. */
const isWhole = (type: Type): boolean =>
  !['float_range', 'double_range', 'date_range'].includes(type)

/** Compares ends slowly: at equal numbers, what is left out decides. */
function relates(type: Type, relation: string, held: Given, asked: Given): boolean {
  const half = isWhole(type) ? 1 : 0.5
  const low = (each: Given): number => each.from + (each.includesFrom ? 0 : half)
  const high = (each: Given): number => each.to - (each.includesTo ? 0 : half)
  if (relation === 'within') return low(held) >= low(asked) && high(held) <= high(asked)
  if (relation === 'contains') return low(held) <= low(asked) && high(held) >= high(asked)
  return low(held) <= high(asked) && high(held) >= low(asked)
}

const documents = Array.from({ length: 1200 }, () =>
  Array.from({ length: random.below(3) }, () => given(random.below(8) === 0 ? 300 : 20)),
)
const folder = tempFolder('ranges')

describe('range fields', () => {
  let index: FieldIndex

  beforeAll(async () => {
    const properties = Object.fromEntries(
      types.flatMap(type => [
        [type, { type }],
        [`${type}_bare`, { type, doc_values: false }],
      ]),
    )
    index = await fieldIndex({ ...properties, n: { type: 'long' } }, folder)
    const sources = documents.map((list, n) => ({
      n,
      ...Object.fromEntries(
        types.flatMap(type => {
          const values = list.map(each => written(type, each))
          return [
            [type, values],
            [`${type}_bare`, values],
          ]
        }),
      ),
    }))
    for (let at = 0; at < sources.length; at += 400) await index.add(...sources.slice(at, at + 400))
  })
  afterAll(() => index.close())

  const idsOf = (matches: (held: Given) => boolean): string[] =>
    documents.flatMap((list, i) => (list.some(matches) ? `${i}` : []))

  const checkAll = async (rounds: number): Promise<void> => {
    for (const type of types) {
      for (let i = 0; i < rounds; i++) {
        const relation = ['intersects', 'within', 'CONTAINS'][i % 3]!
        const asked = given(i % 2 === 0 ? 12 : 200)
        const field = i % 4 < 2 ? type : `${type}_bare`
        const range = { [field]: { ...queried(type, asked), relation } }
        expect([type, relation, asked, await index.find({ range })]).toEqual([
          type,
          relation,
          asked,
          idsOf(held => relates(type, relation.toLowerCase(), held, asked)),
        ])
        // A few candidates are looked up by document.
        const few = { bool: { filter: [{ range }, { terms: { n: [3, 500, 777, 1001] } }] } }
        expect(await index.find(few)).toEqual(
          idsOf(held => relates(type, relation.toLowerCase(), held, asked)).filter(id =>
            ['3', '500', '777', '1001'].includes(id),
          ),
        )
      }
      expect(await index.find({ exists: { field: type } })).toEqual(idsOf(() => true))
      expect(await index.find({ exists: { field: `${type}_bare` } })).toEqual(idsOf(() => true))
    }
  }
  /** In queries `gt` and `lte` of a date go to the end of its day, so these are written in full. */
  const queried = (type: Type, asked: Given): object => {
    if (type !== 'date_range') return written(type, asked)
    const text = (n: number): string => new Date(n * DAY).toISOString()
    return {
      [asked.includesFrom ? 'gte' : 'gt']: text(asked.from),
      [asked.includesTo ? 'lte' : 'lt']: text(asked.to),
    }
  }

  it('are found by their relation to a range, as by comparing each', () => checkAll(12))

  it('are found by a value in them', async () => {
    for (const type of types.filter(each => each !== 'date_range')) {
      const point: Given = { from: 100, to: 100, includesFrom: true, includesTo: true }
      const wanted = idsOf(held => relates(type, 'contains', held, point))
      expect(await index.find({ term: { [type]: WRITTEN[type](100) } })).toEqual(wanted)
      expect(await index.find({ match: { [type]: WRITTEN[type](100) } })).toEqual(wanted)
      const other: Given = { ...point, from: 7, to: 7 }
      expect(
        await index.find({ terms: { [type]: [WRITTEN[type](100), WRITTEN[type](7)] } }),
      ).toEqual(
        idsOf(
          held => relates(type, 'contains', held, point) || relates(type, 'contains', held, other),
        ),
      )
    }
  })

  it('of dates read formats, maths and zones in a range', async () => {
    const asked: Given = { from: 100, to: 130, includesFrom: true, includesTo: false }
    const wanted = idsOf(held => relates('date_range', 'within', held, asked))
    const find = (range: object) =>
      index.find({ range: { date_range: { relation: 'within', ...range } } })
    expect(await find({ gte: '1970-04-11', lt: '1970-05-11' })).toEqual(wanted)
    expect(await find({ gte: '11.04.1970', lt: '11.05.1970', format: 'dd.MM.uuuu' })).toEqual(
      wanted,
    )
    expect(await find({ gte: '1970-04-11', lt: '1970-04-11||+1M' })).toEqual(wanted)
    expect(await find({ gte: '1970-04-11', lte: '1970-05-10' })).toEqual(wanted)
    expect(
      await find({ gte: '1970-04-11T02:00', lt: '1970-05-11T02:00', time_zone: '+02:00' }),
    ).toEqual(wanted)
  })

  it('refuse what makes no sense', async () => {
    const asked: readonly [object, string][] = [
      [
        { range: { long_range: { gte: 5, lte: 3 } } },
        'Range query `from` value (5) is greater than `to` value (3)',
      ],
      [{ range: { integer_range: { gte: 1.5 } } }, 'Value [1.5] has a decimal part'],
      [{ range: { integer_range: { gte: 'x' } } }, 'For input string: "x"'],
      [{ term: { ip_range: '10.0.0.0/8' } }, "'10.0.0.0/8' is not an IP string literal."],
      [
        { range: { long_range: { gte: 1, relation: 'disjoint' } } },
        '[range] query does not support relation [disjoint]',
      ],
      [{ range: { long_range: { gte: 1, relation: 'near' } } }, 'near is not a valid relation'],
      [
        { prefix: { long_range: '1' } },
        'Can only use prefix queries on keyword, text and wildcard fields - not on [long_range] which is of type [long_range]',
      ],
    ]
    for (const [query, reason] of asked)
      expect(await index.refusal({ query })).toEqual([400, reason])
    expect(await index.find({ range: { integer_range: { gt: 4, lt: 5 } } })).toEqual([])
    expect(await index.refusal({ sort: ['long_range'] })).toEqual([
      400,
      "can't sort on binary field",
    ])
    expect(await index.refusal({ sort: ['long_range_bare'] })).toEqual([
      400,
      "Can't load fielddata on [long_range_bare] because fielddata is unsupported on fields of type [long_range]. Use doc values instead.",
    ])
  })

  it('refuse documents with what is no interval, showing it', async () => {
    const { status, json } = await index.rest.call('PUT /i/_doc/x', {
      long_range: { gte: 2, lt: 1 },
    })
    expect(status).toBe(400)
    expect(json.error).toMatchObject({
      type: 'mapper_parsing_exception',
      reason:
        "failed to parse field [long_range] of type [long_range] in document with id 'x'. " +
        "Preview of field's value: '{gte=2, lt=1}'",
      caused_by: {
        type: 'illegal_argument_exception',
        reason: 'min value (2) is greater than max value (0)',
      },
    })
    expect(await index.refused({ long_range: 5 })).toEqual([
      'mapper_parsing_exception',
      'error parsing field [long_range], expected an object but got long_range',
    ])
  })

  it('show the queries that the real server makes of them', async () => {
    const shown = async (query: object) => {
      const { json } = await index.rest.call('POST /i/_search', { profile: true, query })
      const [node] = json.profile.shards[0].searches[0].query
      return [node.type, node.description]
    }
    expect(await shown({ range: { long_range_bare: { gte: 1, lt: 5 } } })).toEqual([
      'RangeFieldQuery',
      'long_range_bare:<[1 : 4]>',
    ])
    expect(await shown({ term: { long_range: 5 } })).toEqual([
      'IndexOrDocValuesQuery',
      'IndexOrDocValuesQuery(indexQuery=long_range:<[5 : 5]>, ' +
        'dvQuery=BinaryDocValuesRangeQuery(fieldName=long_range,from=5,to=5))',
    ])
  })

  it('find the same after a restart and in one segment', async () => {
    await index.restart()
    await checkAll(3)
    await index.merge()
    await checkAll(6)
  })
})

describe('the mapping of ranges', () => {
  let index: FieldIndex
  beforeAll(async () => {
    index = await fieldIndex({
      d: {
        type: 'date_range',
        format: 'uuuu',
        coerce: true,
        ignore_malformed: true,
        meta: { a: 'b' },
      },
      n: { type: 'long_range', index: false },
      c: { type: 'long_range', copy_to: 'n' },
      l: { type: 'date_range', format: 'd MMMM uuuu', locale: 'de' },
      f: { type: 'float_range' },
      a: { type: 'ip_range' },
      t: { type: 'date_range' },
    })
  })
  afterAll(() => index.close())

  it('prints what was given', async () => {
    const { text } = await index.rest.call('GET /i/_mapping')
    expect(text).toContain(
      '"d":{"type":"date_range","coerce":true,"format":"uuuu","meta":{"a":"b"},"ignore_malformed":true}',
    )
  })

  it('keeps documents with malformed values where it may', async () => {
    await index.add({ d: [{ gte: 'x' }, { gte: '2020' }, 5] }, { n: { gte: 1 } })
    expect(await index.find({ exists: { field: 'd' } })).toEqual(['0'])
    expect(await index.find({ term: { d: '2021' } })).toEqual(['0'])
    expect(await index.find({ exists: { field: 'n' } })).toEqual(['1'])
    expect(await index.refusal({ query: { term: { n: 1 } } })).toEqual([
      400,
      'Cannot search on field [n] since it is not indexed.',
    ])
  })

  it('reads names of months in its locale, and prints them so', async () => {
    await index.add({ l: { gte: '3 März 2020', lt: '1 Dezember 2020' } })
    expect(await index.find({ term: { l: '4 Oktober 2020' } })).toEqual(['2'])
    const between = { gte: '1 Mai', lte: '2 Mai', format: 'd MMMM' }
    expect(await index.find({ range: { l: between } })).toEqual([])
    const printed = async (asked: object): Promise<object> => {
      const query = { exists: { field: 'l' } }
      const { json } = await index.rest.call('POST /i/_search', { query, ...asked })
      return json.hits.hits[0].fields.l
    }
    expect(await printed({ docvalue_fields: ['l'] })).toEqual([
      { gte: '3 März 2020', lte: '30 November 2020' },
    ])
    expect(await printed({ docvalue_fields: [{ field: 'l', format: 'MMMM' }] })).toEqual([
      { gte: 'März', lte: 'November' },
    ])
    expect(await printed({ fields: ['l'] })).toEqual([
      { gte: '3 März 2020', lt: '1 Dezember 2020' },
    ])
    expect((await index.rest.call('GET /i/_mapping')).text).toContain(
      '"l":{"type":"date_range","format":"d MMMM uuuu","locale":"de"}',
    )
    const refused = await index.rest.call('PUT /i/_mapping', {
      properties: { x: { type: 'date_range', locale: 'de-DE-x-y-z-w' } },
    })
    expect(refused.status).toBe(400)
  })

  it('prints intervals by document, both ends included and open ones left out', async () => {
    await index.add({
      n: [{ gt: 1, lt: 9 }, { gte: -4 }],
      f: { gte: 1.5, lt: 2 },
      a: ['10.0.0.0/30', { lte: '::1' }],
      t: { gte: '2020-01-01', lt: '2020-01-02' },
    })
    const asked = async (docvalue_fields: object[]): Promise<object> => {
      const { json } = await index.rest.call('POST /i/_search', {
        query: { exists: { field: 't' } },
        docvalue_fields,
      })
      return json.hits?.hits[0].fields ?? json.error.root_cause[0].reason
    }
    expect(await asked([{ field: 'n' }, { field: 'f' }, { field: 'a' }, { field: 't' }])).toEqual({
      n: [{ gte: -4 }, { gte: 2, lte: 8 }],
      f: [{ gte: 1.5, lte: 1.9999999 }],
      a: [{ lte: '::1' }, { gte: '10.0.0.0', lte: '10.0.0.3' }],
      t: [{ gte: '2020-01-01T00:00:00.000Z', lte: '2020-01-01T23:59:59.999Z' }],
    })
    expect(await asked([{ field: 't', format: 'dd.MM.uuuu' }])).toEqual({
      t: [{ gte: '01.01.2020', lte: '01.01.2020' }],
    })
    expect(await asked([{ field: 'n', format: '0.0' }])).toBe(
      'Field [n] of type [long_range] does not support custom formats',
    )
  })

  it('lets coerce change, but no format', async () => {
    const put = (definition: object) =>
      index.rest.call('PUT /i/_mapping', {
        properties: { d: { type: 'date_range', ...definition } },
      })
    expect((await put({ format: 'uuuu', coerce: false })).status).toBe(200)
    expect((await put({})).json.error.reason).toBe(
      'Mapper for [d] conflicts with existing mapper:\n\t' +
        'Cannot update parameter [format] from [uuuu] to [strict_date_optional_time||epoch_millis]',
    )
    const { json } = await index.rest.call('PUT /i/_mapping', {
      properties: { n: { type: 'long_range', index: false, format: 'uuuu' } },
    })
    expect(json.error.reason).toBe('unknown parameter [format] on mapper [n] of type [long_range]')
  })

  it('copies no intervals to other fields', async () => {
    expect(await index.refused({ c: { gte: 1 } })).toEqual([
      'illegal_argument_exception',
      '[copy_to] cannot copy the values of field [c] of type [long_range], which are objects',
    ])
  })
})
