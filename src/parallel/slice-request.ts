/** The request of one slice of a profiled search, and how any thread runs it. */
import { instantiateKernels, type Kernels } from '../kernels/kernel-module.ts'
import { controlWords } from '../pool/control-buffer.ts'
import { SearchControl } from '../search/collector/search-control.ts'
import { pinnedSets } from '../segment/kept-sets.ts'
import { Leaf, type LeafRecord } from '../segment/leaf.ts'
import { Scratch } from '../segment/scratch.ts'
import type { Arena } from '../store/arena.ts'
import { runSlice, type SliceOutcome, type SliceTask } from './run-slice.ts'

/** Scratch in one arena, reserved for the slice until it is answered. */
export interface ScratchRange {
  readonly arena: number
  readonly start: number
  readonly bytes: number
}

/** A slice with its leaves: plain data. */
export interface SliceRequest {
  readonly task: SliceTask
  /** The slice's leaves, with the sections that it reads. */
  readonly leaves: readonly LeafRecord[]
  /** One for each arena that holds a leaf. */
  readonly scratch: readonly ScratchRange[]
  /** Ord of the search's record in the control buffer. */
  readonly control: number
}

/** Runs slices on one thread, with kernels for each arena, made on first use. */
export class SliceRunner {
  readonly #control: SharedArrayBuffer
  readonly #worker: number
  readonly #arenas = new Map<number, { readonly arena: Arena; kernels: Kernels | null }>()

  /** @param worker number of the thread, −1 for the coordinating one */
  constructor(control: SharedArrayBuffer, worker: number) {
    this.#control = control
    this.#worker = worker
  }

  addArena(arena: Arena): void {
    this.#arenas.set(arena.index, { arena, kernels: null })
  }

  arena(index: number): Arena {
    return this.#arenas.get(index)!.arena
  }

  /** The kernels bound to an arena on this thread. */
  kernels(index: number): Kernels {
    const entry = this.#arenas.get(index)!
    entry.kernels ??= instantiateKernels(entry.arena.memory)
    return entry.kernels
  }

  /** Discards the kernels: after a trap an instance is in an undefined state. */
  reset(): void {
    for (const entry of this.#arenas.values()) entry.kernels = null
  }

  run(request: SliceRequest): SliceOutcome {
    const scratches = new Map<number, Scratch>()
    for (const { arena, start, bytes } of request.scratch)
      scratches.set(arena, new Scratch(start, bytes))
    const records = new Map<number, LeafRecord>()
    for (const leaf of request.leaves) records.set(leaf.ord, leaf)
    const leafOf = (ord: number): Leaf => {
      const record = records.get(ord)!
      const { arena } = this.#arenas.get(record.arena)!
      const kernels = this.kernels(record.arena)
      const scratch = scratches.get(record.arena)!
      return new Leaf(record, arena.views, kernels, scratch, null, pinnedSets(record.keptSets))
    }
    const control = new SearchControl(controlWords(this.#control, request.control))
    try {
      return runSlice(request.task, leafOf, control, this.#worker)
    } catch (error) {
      this.reset()
      throw error
    }
  }
}
