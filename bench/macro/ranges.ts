import type { EngineApi } from '../../dist/engine/api/engine-api.js'
import type { Target } from '../../dist/engine/api/target.js'
import { trusted } from '../../dist/task/call-context.js'
import { encodeUtf8 } from '../../dist/util/bytes.js'
import { numberAddress, printAddress } from '../../dist/util/ip-address.js'
import { parseJsonTree } from '../../dist/util/json/json-tree.js'
import { Random } from '../../dist/util/random.js'
import { load, withEngine } from '../lib/loaded-engine.ts'
import { type Bench, type BenchResult, resultOf } from '../lib/result.ts'
import { interleave } from '../lib/rounds.ts'

const DOCUMENTS = 200_000
const BULK = 2000
const TARGET: Target = {
  names: ['bench'],
  ignoreUnavailable: false,
  allowNoIndices: true,
  expandOpen: true,
  expandClosed: false,
  expandHidden: false,
  allowAliases: true,
  allowDataStreams: true,
}
/** Searches of one reading, each with ends of its own, so that no filter is kept. */
const SEARCHES = 20
/** Rounds that do not count: the ways of a short search are compiled by then. */
const WARM_UP = 20
const SPACE = 2 ** 32
/** Addresses of version 4 as numbers begin here. */
const MAPPED = 0xffff_0000_0000n
/** The part of all values that a range covers. */
const PARTS = [0.001, 0.1, 0.5]

const MAPPINGS = JSON.stringify({
  properties: { long: { type: 'long' }, ip: { type: 'ip' }, interval: { type: 'long_range' } },
})

const ipOf = (n: number): string => printAddress(numberAddress(MAPPED + BigInt(n)))
const writtenAs: Readonly<Record<string, (n: number) => number | string>> = {
  long: n => n,
  ip: ipOf,
  interval: n => n,
}

/**
 * Counts of documents in ranges of numbers, of addresses and of intervals, all of the same random
 * integers: each document has its own.
 */
export const ranges: Bench = {
  name: 'ranges',
  async run({ rounds, say }) {
    say(`ranges: indexing ${DOCUMENTS} documents`)
    return withEngine(false, MAPPINGS, async engine => {
      await load(engine, bodies())
      const merge = {
        target: TARGET,
        maxSegmentCount: 1,
        onlyExpungeDeletes: false,
        flush: true,
        primaryOnly: false,
      }
      await engine.indices.forceMerge(merge, trusted('indices:admin/forcemerge'))
      await engine.indices.refresh(TARGET, trusted('indices:admin/refresh'))
      const results: BenchResult[] = []
      for (const part of PARTS) results.push(...(await measure(engine, part, rounds)))
      return results
    })
  },
}

function bodies(): Uint8Array[] {
  const random = new Random(3)
  return Array.from({ length: DOCUMENTS / BULK }, (_, at) => {
    const lines: string[] = []
    for (let i = 0; i < BULK; i++) {
      const n = random.below(SPACE)
      const interval = { gte: n, lte: n + random.below(SPACE / 1000) }
      lines.push(
        JSON.stringify({ index: { _index: 'bench', _id: `${at * BULK + i}` } }),
        JSON.stringify({ long: n, ip: ipOf(n), interval }),
      )
    }
    return encodeUtf8(`${lines.join('\n')}\n`)
  })
}

async function measure(engine: EngineApi, part: number, rounds: number): Promise<BenchResult[]> {
  const width = Math.floor(part * SPACE)
  const random = new Random(7)
  const count = async (field: string): Promise<number> => {
    let total = 0
    for (let i = 0; i < SEARCHES; i++) {
      const from = random.below(SPACE - width)
      const write = writtenAs[field]!
      const query = { range: { [field]: { gte: write(from), lte: write(from + width) } } }
      const body = parseJsonTree(encodeUtf8(JSON.stringify({ query })))
      const call = { target: TARGET, body, options: {} }
      total += (await engine.searches.count(call, trusted('indices:data/read/search'))).count
    }
    return total
  }
  const cases = Object.keys(writtenAs).map(name => ({ name, run: () => count(name) }))
  const times = await interleave(cases, rounds, WARM_UP)
  const micros = (name: string): number[] =>
    times.get(name)!.map(millis => (1000 * millis) / SEARCHES)
  const base = Math.min(...micros('long'))
  return cases.map(({ name }) => {
    const own = micros(name)
    const against = { name: 'long', ratio: base / Math.min(...own) }
    return resultOf(`ranges/${name}, ${part} of all`, 'µs/count', own, { against })
  })
}
