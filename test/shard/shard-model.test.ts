import { describe, expect, it } from 'vitest'
import type { EngineApi } from '../../src/engine/api/engine-api.ts'
import { trusted } from '../../src/task/call-context.ts'
import { EngineError } from '../../src/util/errors.ts'
import { type Long, nextLong, parseLong } from '../../src/util/long.ts'
import { Random } from '../../src/util/random.ts'
import { engineWith, search, targetOf } from '../support/engine-calls.ts'
import { tempFolder } from '../support/temp-folder.ts'

const folder = tempFolder('shard-model')

interface Entry {
  version: Long
  seqNo: number
  source: string | null
}

const BASE = {
  index: 'm',
  routing: null,
  refresh: 'false',
  ifSeqNo: null,
  ifPrimaryTerm: null,
  version: null,
  versionType: 'internal',
  requireAlias: false,
  waitForActiveShards: 1,
  timeoutInMillis: 30_000,
} as const

/** Every live document, by id, as a search sees it. */
async function visible(engine: EngineApi): Promise<Map<string, string>> {
  const { hits } = await search(engine, 'm', {
    size: 1000,
    track_total_hits: true,
    sort: ['_doc'],
    query: { match_all: {} },
  })
  const found = new Map<string, string>()
  for (const hit of hits.hits) {
    expect(found.has(hit._id)).toBe(false)
    found.set(hit._id, JSON.stringify(hit._source))
  }
  expect(hits.total.value).toBe(found.size)
  return found
}

/** A version of a clock in nanoseconds, say: after a few of them it passes 2⁵³. */
function versionAbove(version: Long, random: Random): Long {
  const step = BigInt(random.below(3)) * 4_503_599_627_370_497n + 1n
  return parseLong(String(BigInt(version) + step))!
}

function live(model: ReadonlyMap<string, Entry>): Map<string, string> {
  const entries = [...model].filter(([, entry]) => entry.source !== null)
  return new Map(entries.map(([id, entry]) => [id, entry.source!]))
}

describe.each([1, 2, 3, 4])('a store under random operations (seed %i)', seed => {
  it('answers as a map would, through refreshes, merges, commits and reopenings', async () => {
    const random = new Random(seed)
    const path = `${folder}/${seed}`
    const settings = { 'lamella.threads.write': '1', 'lamella.threads.search': '1' }
    let engine = await engineWith(seed === 4 ? null : path, settings)
    const model = new Map<string, Entry>()
    let nextSeqNo = 0
    let searchable = new Map<string, string>()
    await engine.indices.create(
      {
        name: 'm',
        settings: new Map([
          ['index.refresh_interval', '-1'],
          ['index.merge.policy.segments_per_tier', '2'],
          ['index.merge.policy.max_merge_at_once', '3'],
          ['index.merge.policy.floor_segment', '1kb'],
        ]),
        mappings: null,
        aliases: null,
        waitForActiveShards: 1,
      },
      trusted('indices:admin/create'),
    )
    for (let step = 0; step < 250; step++) {
      const id = `d${random.below(40)}`
      const known = model.get(id)
      const kind = random.below(100)
      if (kind < 8) {
        const source = `{"e":${step}}`
        const version = versionAbove(known?.version ?? 0, random)
        const outcome = await engine.documents.index(
          {
            ...BASE,
            id,
            opType: 'index',
            version,
            versionType: 'external',
            source: Buffer.from(source),
          },
          trusted('indices:data/write/index'),
        )
        expect(outcome.version).toBe(version)
        expect(outcome.seqNo).toBe(nextSeqNo++)
        model.set(id, { version, seqNo: outcome.seqNo, source })
      } else if (kind < 45) {
        const source = JSON.stringify({ n: step, t: `word${random.below(5)}` })
        const outcome = await engine.documents.index(
          {
            ...BASE,
            id,
            opType: 'index',
            source: Buffer.from(source),
          },
          trusted('indices:data/write/index'),
        )
        const existed = known !== undefined && known.source !== null
        expect(outcome.result).toBe(existed ? 'updated' : 'created')
        expect(outcome.version).toBe(nextLong(known?.version ?? 0))
        expect(outcome.seqNo).toBe(nextSeqNo++)
        model.set(id, { version: outcome.version, seqNo: outcome.seqNo, source })
      } else if (kind < 60) {
        const outcome = await engine.documents.delete(
          { ...BASE, id },
          trusted('indices:data/write/delete'),
        )
        expect(outcome.result).toBe(
          known !== undefined && known.source !== null ? 'deleted' : 'not_found',
        )
        expect(outcome.version).toBe(nextLong(known?.version ?? 0))
        expect(outcome.seqNo).toBe(nextSeqNo++)
        model.set(id, { version: outcome.version, seqNo: outcome.seqNo, source: null })
      } else if (kind < 66) {
        const create = engine.documents.index(
          {
            ...BASE,
            id,
            opType: 'create',
            source: Buffer.from('{"c":1}'),
          },
          trusted('indices:data/write/index'),
        )
        if (known !== undefined && known.source !== null)
          await expect(create).rejects.toThrow(/document already exists/)
        else {
          const { version, seqNo } = await create
          expect(seqNo).toBe(nextSeqNo++)
          model.set(id, { version, seqNo, source: '{"c":1}' })
        }
      } else if (kind < 72) {
        const ifSeqNo = random.below(2) === 0 ? (known?.seqNo ?? 0) : nextSeqNo + 7
        const write = engine.documents.index(
          {
            ...BASE,
            id,
            opType: 'index',
            ifSeqNo,
            ifPrimaryTerm: 1,
            source: Buffer.from('{"cas":true}'),
          },
          trusted('indices:data/write/index'),
        )
        const fits = known !== undefined && known.source !== null && known.seqNo === ifSeqNo
        if (!fits) await expect(write).rejects.toBeInstanceOf(EngineError)
        else {
          const { version, seqNo } = await write
          expect(seqNo).toBe(nextSeqNo++)
          model.set(id, { version, seqNo, source: '{"cas":true}' })
        }
      } else if (kind < 82) {
        await engine.indices.refresh(targetOf('m'), trusted('indices:admin/refresh'))
        searchable = live(model)
      } else if (kind < 86) {
        await engine.indices.flush(
          { target: targetOf('m'), force: false, waitIfOngoing: true },
          trusted('indices:admin/flush'),
        )
      } else if (kind < 88) {
        await engine.indices.forceMerge(
          {
            target: targetOf('m'),
            maxSegmentCount: 1,
            onlyExpungeDeletes: false,
            primaryOnly: false,
            flush: true,
          },
          trusted('indices:admin/forcemerge'),
        )
      } else if (kind < 90 && seed !== 4) {
        await engine.close()
        engine = await engineWith(path, settings)
        searchable = live(model)
        // Deletes are remembered in memory alone: what is created again starts over.
        for (const [gone, entry] of model) if (entry.source === null) model.delete(gone)
      }
      const got = await engine.documents.get(
        {
          index: 'm',
          id,
          routing: null,
          realtime: true,
          refresh: false,
          version: null,
          versionType: 'internal',
          storedFields: null,
          source: { enabled: true, includes: [], excludes: [] },
        },
        trusted('indices:data/read/get'),
      )
      const entry = model.get(id)
      expect(got.found).toBe(entry !== undefined && entry.source !== null)
      if (got.found) {
        expect(Buffer.from(got.source!).toString()).toBe(entry!.source)
        expect([got.version, got.seqNo]).toEqual([entry!.version, entry!.seqNo])
      }
      if (step % 10 === 0) expect(await visible(engine)).toEqual(searchable)
    }
    await engine.indices.refresh(targetOf('m'), trusted('indices:admin/refresh'))
    expect(await visible(engine)).toEqual(live(model))
    await engine.close()
  })
})
