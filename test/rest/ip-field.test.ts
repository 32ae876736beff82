import { BlockList } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addressNumber, parseAddress, printAddress } from '../../src/util/ip-address.ts'
import { Random } from '../../src/util/random.ts'
import { type FieldIndex, fieldIndex } from '../support/field-index.ts'
import { tempFolder } from '../support/temp-folder.ts'

const numberOf = (text: string): bigint => addressNumber(parseAddress(text)!)

const folder = tempFolder('ip')

describe('ip fields', () => {
  const random = new Random(5)
  const one = (): string =>
    random.below(4) === 0
      ? printAddress(parseAddress(`2001:db8::${random.below(3)}:${random.below(9)}`)!)
      : `10.${random.below(3)}.${random.below(4)}.${random.below(256)}`
  const lists = Array.from({ length: 900 }, () => Array.from({ length: random.below(3) }, one))
  const ids = (matches: (address: string) => boolean): string[] =>
    lists.flatMap((list, i) => (list.some(matches) ? `${i}` : []))
  const fields = ['both', 'points', 'values'] as const
  let index: FieldIndex

  beforeAll(async () => {
    index = await fieldIndex(
      {
        both: { type: 'ip', copy_to: ['points', 'values'] },
        points: { type: 'ip', doc_values: false },
        values: { type: 'ip', index: false },
      },
      folder,
    )
    for (let at = 0; at < lists.length; at += 300)
      await index.add(...lists.slice(at, at + 300).map(both => ({ both })))
  })
  afterAll(() => index.close())

  const checkAll = async (): Promise<void> => {
    for (const field of fields) {
      expect(await index.find({ exists: { field } })).toEqual(ids(() => true))
      const wanted = [lists.flat()[7]!, lists.flat()[40]!, '1.2.3.4']
      for (const text of wanted)
        expect(await index.find({ term: { [field]: text } })).toEqual(ids(each => each === text))
      expect(await index.find({ terms: { [field]: wanted } })).toEqual(
        ids(each => wanted.includes(each)),
      )
      const list = new BlockList()
      list.addSubnet('10.1.2.0', 23)
      const inBlock = (text: string): boolean =>
        list.check(text, text.includes(':') ? 'ipv6' : 'ipv4')
      expect(await index.find({ term: { [field]: '10.1.2.9/23' } })).toEqual(ids(inBlock))
      expect(await index.find({ match: { [field]: '10.1.2.9/23' } })).toEqual(ids(inBlock))
      expect(
        await index.find({ terms: { [field]: ['10.1.3.0/23', wanted[0], '::/127'] } }),
      ).toEqual(ids(each => inBlock(each) || each === wanted[0]))
      const [low, high] = ['10.0.2.17', '2001:db8::1:3']
      expect(await index.find({ range: { [field]: { gt: low, lte: high } } })).toEqual(
        ids(each => numberOf(each) > numberOf(low) && numberOf(each) <= numberOf(high)),
      )
      expect(await index.find({ range: { [field]: { gte: low, lt: high } } })).toEqual(
        ids(each => numberOf(each) >= numberOf(low) && numberOf(each) < numberOf(high)),
      )
      expect(
        await index.find({ range: { [field]: { gt: 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff' } } }),
      ).toEqual([])
      const must = [{ range: { [field]: { gte: '10.1.0.0' } } }, { term: { both: wanted[0] } }]
      expect(await index.find({ bool: { filter: must } })).toEqual(
        lists.flatMap((list2, i) =>
          list2.includes(wanted[0]!) && list2.some(each => numberOf(each) >= numberOf('10.1.0.0'))
            ? `${i}`
            : [],
        ),
      )
    }
  }

  it('find what they hold, whichever way they keep it', checkAll)

  it('sort by address, print it, and go on after it', async () => {
    for (const field of ['both', 'values']) {
      const body = {
        sort: [{ [field]: { order: 'asc', mode: 'max' } }],
        query: { exists: { field } },
        size: 100,
      }
      const first = await index.rest.call('POST /i/_search', body)
      const sorted = lists
        .filter(list => list.length > 0)
        .map(list => list.reduce((a, b) => (numberOf(a) > numberOf(b) ? a : b)))
        .sort((a, b) => (numberOf(a) < numberOf(b) ? -1 : numberOf(a) > numberOf(b) ? 1 : 0))
      const values = (json: { hits: { hits: { sort: string[] }[] } }): string[] =>
        json.hits.hits.map(hit => hit.sort[0]!)
      expect(values(first.json)).toEqual(sorted.slice(0, 100))
      const after = values(first.json)[99]!
      const next = await index.rest.call('POST /i/_search', { ...body, search_after: [after] })
      expect(values(next.json)).toEqual(
        sorted.filter(each => numberOf(each) > numberOf(after)).slice(0, 100),
      )
    }
    const missing = { sort: [{ both: { order: 'asc', missing: '10.1.0.0' } }], size: 1000 }
    const { json } = await index.rest.call('POST /i/_search', missing)
    const [none] = lists.flatMap((list, i) => (list.length === 0 ? `${i}` : []))
    const all = json.hits.hits as { _id: string; sort: string[] }[]
    const at = all.findIndex(hit => hit._id === none)
    expect(numberOf(all[at - 1]!.sort[0]!) <= numberOf('10.1.0.0')).toBe(true)
  })

  it('show the queries that the real server makes of them', async () => {
    const shown = async (query: object) => {
      const { json } = await index.rest.call('POST /i/_search', { profile: true, query })
      const [node] = json.profile.shards[0].searches[0].query
      return [node.type, node.description]
    }
    const stored = '[0 0 0 0 0 0 0 0 0 0 ff ff a 0 0 1]'
    expect(await shown({ term: { both: '10.0.0.1' } })).toEqual([
      'IndexOrDocValuesQuery',
      `IndexOrDocValuesQuery(indexQuery=both:[10.0.0.1 TO 10.0.0.1], dvQuery=both:[${stored} TO ${stored}])`,
    ])
    expect(await shown({ range: { points: { lt: '::2' } } })).toEqual([
      'PointRangeQuery',
      'points:[0:0:0:0:0:0:0:0 TO 0:0:0:0:0:0:0:1]',
    ])
    expect(await shown({ terms: { points: ['10.0.0.2', '10.0.0.1'] } })).toEqual([
      'PointInSetQuery',
      'points:{10.0.0.1 10.0.0.2}',
    ])
  })

  it('refuse what is no address', async () => {
    expect(await index.refused({ both: '1.2.3' })).toEqual([
      'illegal_argument_exception',
      "'1.2.3' is not an IP string literal.",
    ])
    const asked: readonly [object, string][] = [
      [{ term: { both: 'x' } }, "'x' is not an IP string literal."],
      [{ terms: { both: ['::1', 'x'] } }, "'x' is not an IP string literal."],
      [{ range: { both: { gte: '10.0.0.0/8' } } }, "'10.0.0.0/8' is not an IP string literal."],
      [
        { term: { both: '10.0.0.0/33' } },
        'Illegal prefix length [33] in [10.0.0.0/33]. Must be 0-32 for IPv4 ranges, 0-128 for IPv6 ranges',
      ],
      [{ term: { both: '10.0.0.0/' } }, 'Expected [ip/prefix] but was [10.0.0.0/]'],
      [{ term: { both: '10.0.0.0/8/1' } }, 'Expected [ip/prefix] but was [10.0.0.0/8/1]'],
      [{ term: { both: '10.0.0.0/x' } }, 'For input string: "x"'],
      [
        { prefix: { both: '10.' } },
        'Can only use prefix queries on keyword, text and wildcard fields - not on [both] which is of type [ip]',
      ],
    ]
    for (const [query, reason] of asked)
      expect(await index.refusal({ query })).toEqual([400, reason])
    expect(await index.refusal({ sort: ['points'] })).toEqual([
      400,
      "Can't load fielddata on [points] because fielddata is unsupported on fields of type [ip]. Use doc values instead.",
    ])
  })

  it('find the same after a restart and in one segment', async () => {
    await index.restart()
    await checkAll()
    await index.merge()
    await checkAll()
  })
})

describe('the mapping of ip', () => {
  let index: FieldIndex
  beforeAll(async () => {
    index = await fieldIndex({
      f: {
        type: 'ip',
        null_value: '127.0.0.1',
        meta: { a: 'b' },
        ignore_malformed: true,
        fields: { k: { type: 'keyword' } },
      },
      bare: { type: 'ip', index: false, doc_values: false },
    })
  })
  afterAll(() => index.close())

  it('prints what was given, in the real order', async () => {
    const { text } = await index.rest.call('GET /i/_mapping')
    expect(text).toContain(
      '"f":{"type":"ip","ignore_malformed":true,"null_value":"127.0.0.1","meta":{"a":"b"},"fields":{"k":{"type":"keyword"}}}',
    )
  })

  it('keeps documents with malformed values and lists the field', async () => {
    await index.add({ f: ['quux', '::1'] }, { f: null }, { bare: '10.0.0.1' })
    expect(await index.find({ term: { f: '::1' } })).toEqual(['0'])
    expect(await index.find({ term: { f: '127.0.0.1' } })).toEqual(['1'])
    expect(await index.find({ term: { 'f.k': 'quux' } })).toEqual(['0'])
    expect(await index.refusal({ query: { term: { bare: '10.0.0.1' } } })).toEqual([
      400,
      'Cannot search on field [bare] since it is both not indexed, and does not have doc_values enabled.',
    ])
  })

  it('lets what may change change, and nothing else', async () => {
    const put = (definition: object) =>
      index.rest.call('PUT /i/_mapping', { properties: { f: { type: 'ip', ...definition } } })
    expect((await put({ null_value: '127.0.0.1' })).status).toBe(200)
    const { json } = await put({ doc_values: false })
    expect(json.error.reason).toBe(
      'Mapper for [f] conflicts with existing mapper:\n\t' +
        'Cannot update parameter [doc_values] from [true] to [false]\n\t' +
        'Cannot update parameter [null_value] from [127.0.0.1] to [null]',
    )
    const other = await index.rest.call('PUT /i/_mapping', { properties: { f: { type: 'long' } } })
    expect(other.json.error.reason).toBe('mapper [f] cannot be changed from type [ip] to [long]')
  })
})
