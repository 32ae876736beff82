import { type KeptSetAddress, pinnedSets } from '../segment/kept-sets.ts'
import { Leaf, type LeafRecord } from '../segment/leaf.ts'
import { Scratch } from '../segment/scratch.ts'
import { pinnedTermBitSets, type TermBitSetAddress } from '../segment/term-bit-sets.ts'
import type { WordReader } from '../util/word-record.ts'
import type { SliceRunner } from './slice-request.ts'

interface KeptLeaf {
  record: LeafRecord
  /** Cached sets that the last search read may use. */
  keptSets: readonly KeptSetAddress[]
  termBitSets: readonly TermBitSetAddress[]
  /** Null until its first search, and after a failure. */
  leaf: Leaf | null
}

interface KeptScratch {
  readonly scratch: Scratch
  start: number
  bytes: number
}

/**
 * Cache of open leaves and scratch on a search thread. Each request carries what changed since this
 * thread's last one, evictions included (`thread-holdings.ts`); the thread keeps nothing that the
 * coordinating thread does not know of.
 */
export class KeptLeaves {
  readonly #runner: SliceRunner
  /** By segment uid. */
  readonly #leaves = new Map<number, KeptLeaf>()
  readonly #scratches = new Map<number, KeptScratch>()
  /** The leaves of the last search read, by ord in its snapshot. */
  #current: KeptLeaf[] = []
  #epoch = -1

  /** @param runner owns the arenas and the kernels */
  constructor(runner: SliceRunner) {
    this.#runner = runner
  }

  /** Reads the changes of leaves and scratch from a request. */
  read(from: WordReader): void {
    const epoch = from.number()
    if (epoch !== this.#epoch) this.#leaves.clear()
    this.#epoch = epoch
    for (let count = from.number(); count > 0; count--) this.#leaves.delete(from.number())
    for (let count = from.number(); count > 0; count--)
      this.#moveScratch(from.number(), from.number(), from.number())
    this.#current = []
    for (let count = from.number(); count > 0; count--) this.#readLeaf(from)
  }

  /** A leaf of the last search read. */
  leaf(ord: number): Leaf {
    const kept = this.#current[ord]!
    if (kept.leaf !== null) return kept.leaf
    const { record } = kept
    const { views } = this.#runner.arena(record.arena)
    const kernels = this.#runner.kernels(record.arena)
    const { scratch } = this.#scratches.get(record.arena)!
    const keptSets = pinnedSets(kept.keptSets)
    const termBitSets = pinnedTermBitSets(kept.termBitSets)
    return (kept.leaf = new Leaf(record, views, kernels, scratch, null, keptSets, termBitSets))
  }

  /** Reopens all leaves: after a failure readers, kernels and scratch are in an undefined state. */
  reopen(): void {
    for (const kept of this.#leaves.values()) kept.leaf = null
    for (const { scratch, start, bytes } of this.#scratches.values()) scratch.moveTo(start, bytes)
  }

  #moveScratch(arena: number, start: number, bytes: number): void {
    let kept = this.#scratches.get(arena)
    if (kept === undefined) {
      kept = { scratch: new Scratch(0, 0), start, bytes }
      this.#scratches.set(arena, kept)
    }
    kept.start = start
    kept.bytes = bytes
    kept.scratch.moveTo(start, bytes)
  }

  #readLeaf(from: WordReader): void {
    const uid = from.number()
    const ord = from.number()
    const docBase = from.number()
    const liveDocs = from.number()
    const liveCount = from.number()
    const keptSets = from.flag() ? (from.plain() as readonly KeptSetAddress[]) : []
    const termBitSets = readTermBitSets(from)
    const news = from.flag() ? (from.plain() as LeafRecord) : null
    let kept = this.#leaves.get(uid)
    if (kept === undefined) {
      kept = { record: { ...news!, fields: [], sections: [] }, keptSets, termBitSets, leaf: null }
      this.#leaves.set(uid, kept)
    }
    this.#current[ord] = kept
    const { record } = kept
    const isAsBefore =
      record.ord === ord &&
      record.docBase === docBase &&
      record.liveDocs === liveDocs &&
      record.liveCount === liveCount
    if (news !== null || !isAsBefore) {
      const fields = news === null ? record.fields : [...record.fields, ...news.fields]
      const sections = news === null ? record.sections : [...record.sections, ...news.sections]
      kept.record = { ...record, ord, docBase, liveDocs, liveCount, fields, sections }
      if (!isAsBefore || news!.fields.length > 0) kept.leaf = null
      else for (const section of news!.sections) kept.leaf?.addSection(section)
    }
    kept.keptSets = keptSets
    kept.termBitSets = termBitSets
    if (kept.leaf === null) return
    kept.leaf.keptSets = pinnedSets(keptSets)
    kept.leaf.termBitSets = pinnedTermBitSets(termBitSets)
  }
}

function readTermBitSets(from: WordReader): TermBitSetAddress[] {
  const addresses: TermBitSetAddress[] = []
  for (let count = from.number(); count > 0; count--)
    addresses.push({
      field: from.number(),
      firstBlock: from.number(),
      bits: from.number(),
      ranks: from.number(),
      supers: from.number(),
    })
  return addresses
}
