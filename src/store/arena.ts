/**
 * An arena: one shared WebAssembly memory that holds bytes of segments, live docs and the scratch
 * of the threads that search them. Created at its maximum size and never grown, because a thread
 * may still hold the buffer from before a grow; untouched pages cost nothing. 2 GiB is the size at
 * which JavaScript still reads fast and addresses stay positive.
 */

import { workerData } from 'node:worker_threads'

/** An arena's full size, and the size tried when the address space is limited. */
export const ARENA_BYTES: number = 2 ** 31
const SMALL_ARENA_BYTES: number = 2 ** 29
/** Never allocated, so that address 0 and small stray addresses are invalid. */
export const ARENA_RESERVED_BYTES = 65536

/** The views of one arena on one thread, made once. Offsets are bytes; `i32[at >> 2]` and so on. */
export interface ArenaViews {
  readonly u8: Uint8Array
  readonly i32: Int32Array
  readonly u32: Uint32Array
  readonly f32: Float32Array
  readonly f64: Float64Array
}

/** A shared memory with its index; the memory itself crosses threads. */
export interface Arena {
  /** Index in the node's list of arenas. */
  readonly index: number
  readonly memory: WebAssembly.Memory
  readonly views: ArenaViews
}

/** Key of a thread's `workerData` that holds the memory of its first arena. */
export const ARENA_KEY = 'lamellaArena'

/**
 * Memories of closed engines and ended threads, for reuse: a dropped memory is freed late or never,
 * only once every thread that saw it has collected it, which a terminated thread never does.
 */
const spares: WebAssembly.Memory[] = handedOver()

/** The memory in this thread's start data. */
function handedOver(): WebAssembly.Memory[] {
  const data: unknown = workerData
  if (typeof data !== 'object' || data === null || !(ARENA_KEY in data)) return []
  const memory = data[ARENA_KEY]
  return memory instanceof WebAssembly.Memory ? [memory] : []
}

/**
 * Makes an arena available to the next engine or thread of this process; no thread may use it any
 * more.
 */
export function recycleArena({ memory }: Arena): void {
  spares.push(memory)
}

/**
 * Creates an arena of 2 GiB, or of 512 MiB in a limited address space.
 * @throws {Error} when both fail; the message names the remedy
 */
export function createArena(index: number): Arena {
  const spare = spares.pop()
  if (spare !== undefined) return arenaOf(index, spare)
  for (const bytes of [ARENA_BYTES, SMALL_ARENA_BYTES]) {
    try {
      return arenaOf(index, createMemory(bytes))
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
    }
  }
  throw new Error(
    'no shared memory could be reserved: each arena reserves 10 GiB of virtual addresses. ' +
      'Lift the address-space limit (ulimit -v unlimited) or start Node with --disable-wasm-trap-handler',
  )
}

/** A shared memory of exactly `bytes`, a multiple of 64 KiB; untouched pages cost nothing. */
export function createMemory(bytes: number): WebAssembly.Memory {
  const pages = bytes / 65536
  return new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true })
}

/** The arena over a memory of another thread. */
export function arenaOf(index: number, memory: WebAssembly.Memory): Arena {
  return { index, memory, views: viewsOf(memory.buffer) }
}

/** Views over any buffer, shared or not, whose length is a multiple of 4. */
export function viewsOf(buffer: ArrayBufferLike): ArenaViews {
  return {
    u8: new Uint8Array(buffer),
    i32: new Int32Array(buffer),
    u32: new Uint32Array(buffer),
    f32: new Float32Array(buffer),
    f64: new Float64Array(buffer, 0, buffer.byteLength >>> 3),
  }
}
