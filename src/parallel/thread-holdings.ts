import type { LeafRecord } from '../segment/leaf.ts'
import type { SegmentMemory } from '../segment/segment-memory.ts'
import type { ArenaRange } from '../store/arena-pool.ts'
import type { WordWriter } from '../util/word-record.ts'
import { tooMany } from './slice-scratch.ts'

/** Max leaves of a thread; the least recently searched ones are evicted. */
export const MAX_KEPT_LEAVES = 4096
/** Max scratch that a thread keeps between searches. */
const KEPT_SCRATCH_BYTES = 4 << 20

/** The state of a leaf on a thread. */
interface ToldLeaf {
  readonly fields: Set<string>
  /** Addresses of sections. */
  readonly sections: Set<number>
}

interface Holding {
  /** By segment uid, least recently searched first. */
  readonly leaves: Map<number, ToldLeaf>
  /** By arena. */
  readonly scratch: Map<number, ArenaRange>
  /** Eviction epoch of sections: rises when any section leaves memory. */
  epoch: number
}

/**
 * Mirror of each search thread's cache: its open leaves and scratch. A request carries only what
 * the thread lacks; `kept-leaves.ts` is the other side. Caches are never stale: uids are not
 * reused, snapshot-dependent state of a segment (its ord, its live documents) is sent every time,
 * and once any section has left memory all addresses are sent again.
 */
export class ThreadHoldings {
  readonly #memory: SegmentMemory
  readonly #holdings = new Map<object, Holding>()

  constructor(memory: SegmentMemory) {
    this.#memory = memory
  }

  /**
   * Writes the changes that a thread needs before it searches some leaves.
   * @param thread  identity of the thread until it ends
   * @param records the leaves, with the fields and sections that the search reads, which are pinned
   * @param bytes   min scratch in each of their arenas
   * @throws {EngineError} 429 when an arena has no room for scratch
   */
  write(thread: object, to: WordWriter, records: readonly LeafRecord[], bytes: number): void {
    const holding = this.#holdingOf(thread)
    // First, before any state is recorded as sent: this may throw.
    const moved = this.#reserve(holding, records, bytes)
    to.number(holding.epoch)
    const news = records.map(record => newsOf(holding, record))
    const forgotten = forget(holding, Math.max(MAX_KEPT_LEAVES, records.length))
    to.number(forgotten.length)
    for (const uid of forgotten) to.number(uid)
    to.number(moved.length)
    for (const range of moved) {
      to.number(range.arena)
      to.number(range.start)
      to.number(range.bytes)
    }
    to.number(records.length)
    records.forEach((record, i) => {
      to.number(record.uid)
      to.number(record.ord)
      to.number(record.docBase)
      to.number(record.liveDocs)
      to.number(record.liveCount)
      to.flag(record.keptSets.length > 0)
      if (record.keptSets.length > 0) to.plain(record.keptSets)
      const termBitSets = record.termBitSets ?? []
      to.number(termBitSets.length)
      for (const { field, firstBlock, bits, ranks, supers } of termBitSets) {
        to.number(field)
        to.number(firstBlock)
        to.number(bits)
        to.number(ranks)
        to.number(supers)
      }
      const more = news[i]!
      to.flag(more !== null)
      if (more !== null) to.plain(more)
    })
  }

  /** Called once the thread has answered: frees scratch that is too large to keep. */
  settle(thread: object): void {
    const holding = this.#holdings.get(thread)
    if (holding === undefined) return
    for (const [arena, range] of holding.scratch)
      if (range.bytes > KEPT_SCRATCH_BYTES) this.#free(holding.scratch, arena)
  }

  /** Discards the state of a dead thread. */
  drop(thread: object): void {
    const holding = this.#holdings.get(thread)
    if (holding === undefined) return
    for (const arena of holding.scratch.keys()) this.#free(holding.scratch, arena)
    this.#holdings.delete(thread)
  }

  #free(scratch: Map<number, ArenaRange>, arena: number): void {
    const range = scratch.get(arena)
    if (range !== undefined) this.#memory.arenas.free(range)
    scratch.delete(arena)
  }

  #holdingOf(thread: object): Holding {
    const { evictions } = this.#memory
    let holding = this.#holdings.get(thread)
    if (holding === undefined) {
      holding = { leaves: new Map(), scratch: new Map(), epoch: evictions }
      this.#holdings.set(thread, holding)
    }
    if (holding.epoch !== evictions) holding.leaves.clear()
    holding.epoch = evictions
    return holding
  }

  /** @returns the scratch that the thread does not know of yet */
  #reserve({ scratch }: Holding, records: readonly LeafRecord[], bytes: number): ArenaRange[] {
    const moved: ArenaRange[] = []
    for (const { arena } of records) {
      const before = scratch.get(arena)
      if (before !== undefined && before.bytes >= bytes) continue
      this.#free(scratch, arena)
      const range = this.#memory.allocateScratch(arena, bytes)
      if (range === null) {
        // The thread was not told of them.
        for (const { arena: told } of moved) this.#free(scratch, told)
        throw tooMany()
      }
      scratch.set(arena, range)
      moved.push(range)
    }
    return moved
  }
}

/** The changes of a leaf, recorded as sent and most recently used; null: none. */
function newsOf({ leaves }: Holding, record: LeafRecord): LeafRecord | null {
  const { uid } = record
  let told = leaves.get(uid)
  const isNew = told === undefined
  told ??= { fields: new Set(), sections: new Set() }
  leaves.delete(uid)
  leaves.set(uid, told)
  const { fields, sections } = told
  const knowsAll =
    record.fields.every(({ name }) => fields.has(name)) &&
    record.sections.every(({ start }) => sections.has(start))
  if (knowsAll && !isNew) return null
  const news = {
    ...record,
    fields: record.fields.filter(({ name }) => !fields.has(name)),
    sections: record.sections.filter(({ start }) => !sections.has(start)),
    keptSets: [],
    termBitSets: [],
  }
  for (const { name } of news.fields) fields.add(name)
  for (const { start } of news.sections) sections.add(start)
  return news
}

/** Evicts the least recently searched leaves down to a limit. */
function forget({ leaves }: Holding, maxCount: number): number[] {
  const forgotten: number[] = []
  for (const uid of leaves.keys()) {
    if (leaves.size <= maxCount) break
    leaves.delete(uid)
    forgotten.push(uid)
  }
  return forgotten
}
