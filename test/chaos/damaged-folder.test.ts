import { beforeAll, describe, expect, it } from 'vitest'
import type { EngineApi } from '../../src/engine/api/engine-api.ts'
import { openEngineOver } from '../../src/engine/engine.ts'
import { trusted } from '../../src/task/call-context.ts'
import { EngineError, type ErrorRecord } from '../../src/util/errors.ts'
import { Random } from '../../src/util/random.ts'
import { bulk, createIndex, search, targetOf } from '../support/engine-calls.ts'
import { PATIENCE_IN_MILLIS } from '../support/patience.ts'
import { extent, SEED, tell } from './extent.ts'
import { FaultDisk } from './fault-disk.ts'

const SETTINGS = new Map([
  ['lamella.threads.write', '1'],
  ['lamella.threads.search', '1'],
])
/** A copy that takes longer hangs. */

const SEARCHES: readonly Readonly<Record<string, unknown>>[] = [
  { query: { match_all: {} }, size: 1000 },
  { query: { match: { t: 'word3 word5' } }, size: 20 },
  { query: { match_phrase: { t: 'word1 word2' } }, size: 50 },
  { query: { bool: { must: [{ term: { k: 'a' } }], filter: [{ range: { n: { gte: 40 } } }] } } },
  { query: { prefix: { t: 'word2' } }, size: 30, sort: [{ n: 'desc' }] },
  { query: { exists: { field: 'k' } }, size: 0, track_total_hits: true },
]

let whole: FaultDisk
let expected: readonly string[]

function open(disk: FaultDisk): Promise<EngineApi> {
  return openEngineOver({ folder: null, settings: SETTINGS }, disk)
}

beforeAll(async () => {
  whole = new FaultDisk()
  const engine = await open(whole)
  const random = new Random(3)
  for (const index of ['one', 'two']) {
    await createIndex(engine, index, { 'index.refresh_interval': '-1' })
    for (let round = 0; round < 4; round++) {
      const lines = Array.from({ length: 60 }, (_, i) => [
        { index: { _id: `${round}-${i}`, ...(i % 5 === 0 ? { routing: 'r' } : {}) } },
        {
          t: Array.from({ length: 12 }, () => `word${random.below(30)}`).join(' '),
          k: 'abc'[random.below(3)],
          n: random.below(100),
        },
      ]).flat()
      await bulk(engine, index, [...lines, { delete: { _id: `${round - 1}-7` } }], 'true')
      if (round < 3)
        await engine.indices.flush(
          { target: targetOf(index), force: false, waitIfOngoing: true },
          trusted('indices:admin/flush'),
        )
    }
  }
  // The last round lies in the log alone.
  whole = whole.afterKill()
  await engine.close()
  const again = await open(whole.afterKill())
  expected = (await answersOf(again)) as string[]
  await again.close()
})

/** What every search answers, or the error that it got. */
async function answersOf(engine: EngineApi): Promise<(string | ErrorRecord)[]> {
  const answers: (string | ErrorRecord)[] = []
  for (const body of SEARCHES)
    try {
      const { hits, _shards } = await search(engine, '*', body)
      if (_shards.failed > 0) answers.push(_shards.failures[0].reason as ErrorRecord)
      else answers.push(JSON.stringify(hits))
    } catch (error) {
      if (!(error instanceof EngineError)) throw error
      answers.push(error.record)
    }
  return answers
}

/** Says that something is damaged, itself or by its cause. */
function tellsOfDamage(error: ErrorRecord): boolean {
  return JSON.stringify(error).includes('"corrupt_index_exception"')
}

/** Damages one file in one way. @returns what was done to which */
function damage(disk: FaultDisk, random: Random): string {
  const files = [...disk.files()]
  const [folder, name] = files[random.below(files.length)]!
  const bytes = disk.bytesOf(folder, name).slice()
  const at = random.below(bytes.length)
  const place = `${folder}/${name}`
  switch (random.below(8)) {
    case 0:
      disk.replace(folder, name, bytes.slice(0, at))
      return `${place} cut at ${at}`
    case 1:
      bytes.fill(0, at, at + 1 + random.below(600))
      disk.replace(folder, name, bytes)
      return `${place} zeroed from ${at}`
    case 2:
      disk.replace(folder, name, null)
      return `${place} deleted`
    case 3:
      disk.replace(folder, name, Buffer.concat([bytes, bytes.subarray(at)]))
      return `${place} extended`
    case 4: {
      // One that looks the same from outside.
      const kin = files.filter(([, other]) => other.split('.')[1] === name.split('.')[1])
      const [otherFolder, otherName] = kin[random.below(kin.length)]!
      const other = disk.bytesOf(otherFolder, otherName)
      disk.replace(otherFolder, otherName, bytes)
      disk.replace(folder, name, other)
      return `${place} swapped with ${otherFolder}/${otherName}`
    }
    case 5:
      for (let i = at; i < Math.min(at + 32, bytes.length); i++) bytes[i] = random.below(256)
      disk.replace(folder, name, bytes)
      return `${place} noise from ${at}`
    default:
      bytes[at] = bytes[at]! ^ (1 << random.below(8))
      disk.replace(folder, name, bytes)
      return `${place} flipped at ${at}`
  }
}

/** @returns whether everything was answered right; else all that was wrong was refused as damage */
async function holds(disk: FaultDisk, what: string): Promise<boolean> {
  let engine: EngineApi
  try {
    engine = await open(disk)
  } catch (error) {
    expect(error, what).toBeInstanceOf(EngineError)
    expect(tellsOfDamage((error as EngineError).record), `${what}: ${error}`).toBe(true)
    return false
  }
  let isWhole = true
  const answers = await answersOf(engine)
  answers.forEach((answer, i) => {
    if (answer === expected[i]) return
    isWhole = false
    const isRefused = typeof answer !== 'string' && tellsOfDamage(answer)
    expect(isRefused, `${what}: search ${i} answers ${JSON.stringify(answer).slice(0, 300)}`).toBe(
      true,
    )
  })
  await engine.close().catch(() => {})
  return isWhole
}

describe('a data folder that was damaged', () => {
  it('answers right, or says what is damaged', async () => {
    const random = new Random(SEED)
    const copies = extent(100, 2000)
    let right = 0
    for (let copy = 0; copy < copies; copy++) {
      const disk = whole.afterKill()
      const what = `seed ${SEED}, copy ${copy}: ${damage(disk, random)}`
      let timer: NodeJS.Timeout | undefined
      const hangs = new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(new Error(`${what} hangs`)), PATIENCE_IN_MILLIS)
      })
      if (await Promise.race([holds(disk, what), hangs])) right++
      clearTimeout(timer)
    }
    tell(`${copies} damaged copies: ${right} answered right, ${copies - right} refused as damaged`)
  }, 3_600_000)
})
