import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type KernelHooks, type Kernels, NO_TICKER } from '../../src/kernels/kernel-module.ts'
import { Scratch } from '../../src/segment/scratch.ts'
import { type ArenaViews, createMemory, viewsOf } from '../../src/store/arena.ts'

/** A kernel of the debug build touched what its call has no business with. */
export class StrayAccess extends Error {
  override name = 'StrayAccess'
  readonly writes: boolean

  constructor(at: number, byteLength: number, writes: boolean) {
    super(
      `a kernel ${writes ? 'wrote' : 'read'} ${byteLength} bytes at ${at}, which are not its own`,
    )
    this.writes = writes
  }
}

/** Who a byte belongs to, as in `kernels/assembly/checked.ts`: nobody, a leaf (1–254), or scratch. */
const NOBODY = 0
const SCRATCH = 0xff
const MAX_LEAVES = 254
/** Between two ranges of scratch. */
const GAP_BYTES = 64

/** The debug build's exports: those of the kernels, and the one that says whose call it is. */
interface CheckedExports extends Omit<Kernels, 'hooks'> {
  searchLeaf(arenaBytes: number, leaf: number): void
}

/** A memory whose upper half says who owns each byte of the lower one, the arena. */
export class CheckedMemory {
  readonly memory: WebAssembly.Memory
  /** Of the arena. */
  readonly views: ArenaViews
  readonly #bytes: number
  readonly #owners: Uint8Array
  readonly #exports: CheckedExports
  readonly #hooks: KernelHooks = {
    ticker: NO_TICKER,
    makeRoom: () => {
      throw new Error('nothing is inverted here')
    },
  }
  readonly #checksReads: boolean

  /** @param bytes of the arena */
  constructor(bytes: number, checksReads: boolean) {
    this.memory = createMemory(2 * bytes)
    this.views = viewsOf(this.memory.buffer)
    this.#bytes = bytes
    this.#owners = new Uint8Array(this.memory.buffer, bytes)
    this.#checksReads = checksReads
    const env = {
      memory: this.memory,
      tick: () => this.#hooks.ticker.tick(),
      makeRoom: this.#hooks.makeRoom,
      stray(at: number, byteLength: number, writes: number): never {
        throw new StrayAccess(at >>> 0, byteLength, writes !== 0)
      },
    }
    this.#exports = new WebAssembly.Instance(debugModule(), { env })
      .exports as unknown as CheckedExports
  }

  /** The kernels as a leaf calls them. */
  kernelsOf(leaf: number): Kernels {
    const number = this.#checksReads ? ownerOf(leaf) : NOBODY
    const { searchLeaf, ...calls } = this.#exports
    const entries = Object.entries(calls).map(([name, call]) => {
      const own = (...args: number[]): unknown => {
        searchLeaf(this.#bytes, number)
        return (call as (...args: number[]) => unknown)(...args)
      }
      return [name, own]
    })
    return { ...Object.fromEntries(entries), hooks: this.#hooks } as Kernels
  }

  /** Gives a range to a leaf. */
  give(start: number, length: number, leaf: number): void {
    this.#owners.fill(ownerOf(leaf), start, start + length)
  }

  /** Takes back all that lies in a range. */
  take(start: number, length: number): void {
    this.#owners.fill(NOBODY, start, start + length)
  }

  /** Scratch whose ranges lie apart, each as long as it was asked for. */
  scratch(start: number, length: number): Scratch {
    return new CheckedScratch(start, length, this.#owners)
  }
}

class CheckedScratch extends Scratch {
  readonly #owners: Uint8Array

  constructor(start: number, length: number, owners: Uint8Array) {
    super(start, length)
    this.#owners = owners
  }

  override allocate(bytes: number): number {
    const at = super.allocate(bytes + GAP_BYTES)
    this.#owners.fill(SCRATCH, at, at + bytes)
    return at
  }

  override release(mark: number): void {
    this.#owners.fill(NOBODY, mark, Math.max(mark, this.mark()))
    super.release(mark)
  }

  override reset(): void {
    const end = this.mark()
    super.reset()
    this.#owners.fill(NOBODY, this.mark(), end)
  }

  override moveTo(): never {
    throw new Error('checked scratch stays where it is')
  }
}

function ownerOf(leaf: number): number {
  if (leaf >= MAX_LEAVES) throw new RangeError(`a checked arena has ${MAX_LEAVES} leaves at most`)
  return leaf + 1
}

let compiled: WebAssembly.Module | null = null

function debugModule(): WebAssembly.Module {
  if (compiled !== null) return compiled
  const file = fileURLToPath(new URL('../../build/kernels-debug.wasm', import.meta.url))
  if (!existsSync(file))
    throw new Error(
      `${file} is missing or was made of other sources: run node scripts/build.mjs --debug-kernels`,
    )
  compiled = new WebAssembly.Module(readFileSync(file))
  return compiled
}
