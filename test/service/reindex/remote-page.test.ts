import fc from 'fast-check'
import { expect, it } from 'vitest'
import { readRemotePage } from '../../../src/service/reindex/remote-page.ts'
import { decodeUtf8, encodeUtf8 } from '../../../src/util/bytes.ts'
import { EngineError } from '../../../src/util/errors.ts'

const hit = fc.record(
  {
    _index: fc.string(),
    _id: fc.string(),
    _version: fc.maxSafeNat(),
    _routing: fc.string(),
    _source: fc.dictionary(fc.string(), fc.jsonValue({ depthSize: 'small' })),
    _score: fc.constantFrom(null, 1.5),
    fields: fc.jsonValue(),
  },
  { requiredKeys: ['_index', '_id', '_source'] },
)

it('reads what a server may answer, sources byte for byte', () => {
  fc.assert(
    fc.property(fc.array(hit), fc.nat(), fc.boolean(), fc.string(), (hits, total, isOld, id) => {
      const body = {
        took: 1,
        _scroll_id: id,
        timed_out: false,
        _shards: { total: 1, failures: [] },
        hits: { total: isOld ? total : { value: total, relation: 'eq' }, hits },
      }
      const page = readRemotePage(encodeUtf8(JSON.stringify(body)))
      expect([page.total, page.scrollId, page.isTimedOut]).toEqual([total, id, false])
      expect(
        page.hits.map(({ index, id: _id, routing, version, source }) => [
          index,
          _id,
          routing,
          version,
          decodeUtf8(source!),
        ]),
      ).toEqual(
        hits.map(({ _index, _id, _routing, _version, _source }) => [
          _index,
          _id,
          _routing ?? null,
          _version ?? 1,
          JSON.stringify(_source),
        ]),
      )
    }),
  )
})

it('refuses anything else as what it is, and never breaks', () => {
  const whole = encodeUtf8(
    JSON.stringify({
      _scroll_id: 's',
      timed_out: true,
      _shards: { failures: [{ shard: 1, index: 'i', node: 'n', reason: { type: 't' } }] },
      hits: { total: { value: 1 }, hits: [{ _index: 'i', _id: '1', _version: 2, _source: {} }] },
    }),
  )
  fc.assert(
    fc.property(fc.nat(whole.length - 1), fc.nat(255), fc.nat(whole.length), (at, byte, end) => {
      const broken = whole.slice(0, Math.max(end, at + 1))
      broken[at] = byte
      try {
        readRemotePage(broken)
      } catch (error) {
        expect(error).toBeInstanceOf(EngineError)
        expect((error as EngineError).type).toBe('exception')
      }
    }),
    { numRuns: 5000 },
  )
})
