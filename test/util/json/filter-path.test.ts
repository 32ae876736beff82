import { describe, expect, it } from 'vitest'
import { decodeUtf8, encodeUtf8 } from '../../../src/util/bytes.ts'
import { filterJson } from '../../../src/util/json/filter-path.ts'
import {
  DeferredJson,
  Float32,
  type JsonValue,
  RawJson,
} from '../../../src/util/json/json-value.ts'
import { writeJson } from '../../../src/util/json/json-writer.ts'

const response = {
  took: 3,
  _shards: { total: 2, failed: 0 },
  hits: {
    max_score: new Float32(1),
    hits: [
      { _id: 'a', _source: new RawJson(encodeUtf8('{"n":1.0,"o":{"p":[1,2]}}')) },
      { _id: 'b', _source: new RawJson(encodeUtf8('{"m":{}}')) },
    ],
  },
}
const filter = (...patterns: string[]): string =>
  decodeUtf8(writeJson(filterJson(response, patterns)))

describe('filter_path', () => {
  it.each([
    ['took', '{"took":3}'],
    ['_shards.*', '{"_shards":{"total":2,"failed":0}}'],
    ['hits.hits._id', '{"hits":{"hits":[{"_id":"a"},{"_id":"b"}]}}'],
    ['hits.max*', '{"hits":{"max_score":1.0}}'],
    ['**.p', '{"hits":{"hits":[{"_source":{"o":{"p":[1,2]}}}]}}'],
    ['h*.**._id', '{"hits":{"hits":[{"_id":"a"},{"_id":"b"}]}}'],
    ['hits.hits._source.n', '{"hits":{"hits":[{"_source":{"n":1.0}}]}}'],
    ['nothing', '{}'],
  ])('keeps what %s names', (pattern, text) => {
    expect(filter(pattern)).toBe(text)
  })

  it('copies a source that it keeps whole byte for byte', () => {
    expect(filter('hits.hits._source')).toContain('{"_source":{"n":1.0,"o":{"p":[1,2]}}}')
  })

  it('keeps what any of several patterns names, in the response’s order', () => {
    expect(filter('_shards.failed', 'took')).toBe('{"took":3,"_shards":{"failed":0}}')
  })

  it('leaves out what a minus names', () => {
    expect(filter('-hits', '-_shards.total')).toBe('{"took":3,"_shards":{"failed":0}}')
    expect(filter('-_shards.*', '-hits')).toBe('{"took":3}')
    expect(filter('-hits.hits._source.o', '-took', '-_shards', '-**.max_score')).toBe(
      '{"hits":{"hits":[{"_id":"a","_source":{"n":1.0}},{"_id":"b","_source":{"m":{}}}]}}',
    )
  })

  it('excludes from what it includes', () => {
    expect(filter('_shards', '-_shards.total')).toBe('{"_shards":{"failed":0}}')
  })

  it('takes a pattern of special characters as names', () => {
    expect(filter('t(ok', '[', '$', 'to.k')).toBe('{}')
  })
})

describe('hostile patterns', () => {
  it('cost no more than the pattern and the value are long', () => {
    let deep: JsonValue = 1
    for (let i = 0; i < 300; i++) deep = new Map([['a', deep]])
    // Each `**` could be any number of names: tried one by one, more ways than could ever be.
    const ways = `${'**.*.'.repeat(150)}nothing`
    expect(filterJson(deep, [ways])).toEqual(new Map())
    expect(filterJson(deep, [`-${ways}`])).toEqual(deep)
    const long = new Map([['a'.repeat(50_000), 1]])
    expect(filterJson(long, [`${'*a'.repeat(40)}*b`])).toEqual(new Map())
  })

  it('match names with several asterisks, some side by side', () => {
    const value = new Map([
      ['abcabc', 1],
      ['ac', 2],
      ['a.c', 3],
    ])
    const kept = (pattern: string): unknown => [
      ...(filterJson(value, [pattern]) as Map<string, JsonValue>).keys(),
    ]
    expect(kept('a*b*c')).toEqual(['abcabc'])
    expect(kept('a*c')).toEqual(['abcabc', 'ac', 'a.c'])
    expect(kept('a***c')).toEqual(['abcabc', 'ac', 'a.c'])
    expect(kept('*cab*')).toEqual(['abcabc'])
    expect(kept('*ac*c')).toEqual([])
  })

  it('look into deferred values as into others, and leave them deferred', () => {
    const made = { x: { y: 1, z: 2 }, w: [{ y: 3 }] }
    const value = { a: new DeferredJson(() => made), b: new DeferredJson(() => ({})) }
    const eager = { a: made, b: {} }
    for (const patterns of [
      ['a.x.y'],
      ['-a.x'],
      ['**.y'],
      ['a', '-a.*.z'],
      ['*.none'],
      ['b'],
      ['-a'],
    ]) {
      const kept = filterJson(value, patterns)
      expect(decodeUtf8(writeJson(kept))).toBe(decodeUtf8(writeJson(filterJson(eager, patterns))))
      const left = kept instanceof Map ? [...kept.values()] : []
      expect(left.every(item => item instanceof DeferredJson)).toBe(true)
    }
  })
})
