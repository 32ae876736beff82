/** A document as a write thread needs it. */
export interface BufferedDocument {
  readonly id: string
  readonly routing: string | null
  readonly source: Uint8Array
}

/**
 * Pool of shared memory for chunks: none is allocated per chunk, and sending copies nothing.
 * Buffers are never dropped, since dropped shared memory stays resident for long.
 */
const spare: Uint8Array<SharedArrayBuffer>[] = []
const SHARED_BYTES = 1 << 19
const MAX_SHARED = 16
let sharedCount = 0

/** Documents on their way to a write thread, copied into one buffer with their bounds. */
export class DocumentChunk {
  #bytes: Uint8Array
  #shared: Uint8Array<SharedArrayBuffer> | null
  #length = 0
  readonly #ids: string[] = []
  #routings: (string | null)[] | null = null
  readonly #bounds: number[] = []

  /** @param capacity expected bytes of documents, or the buffer to copy them to */
  constructor(capacity: number | Uint8Array<SharedArrayBuffer>) {
    this.#shared = typeof capacity === 'number' ? null : capacity
    this.#bytes = typeof capacity === 'number' ? new Uint8Array(capacity) : capacity
  }

  /** A chunk of exactly these documents; release it once the write thread has answered. */
  static of(documents: readonly BufferedDocument[]): DocumentChunk {
    let length = 0
    for (const { source } of documents) length += source.length
    const chunk = new DocumentChunk((length <= SHARED_BYTES ? takeShared() : null) ?? length)
    for (const document of documents) chunk.add(document)
    return chunk
  }

  /** Returns the buffer to the pool; it must not be read any more. */
  release(): void {
    if (this.#shared !== null) spare.push(this.#shared)
    this.#shared = null
  }

  get count(): number {
    return this.#ids.length
  }

  /** Whether this many more bytes fit without growing. */
  hasRoomFor(bytes: number): boolean {
    return this.#length + bytes <= this.#bytes.length
  }

  add({ id, routing, source }: BufferedDocument): void {
    if (!this.hasRoomFor(source.length)) {
      const grown = new Uint8Array(Math.max(this.#length + source.length, 2 * this.#bytes.length))
      grown.set(this.#bytes.subarray(0, this.#length))
      this.#bytes = grown
      this.release()
    }
    this.#bytes.set(source, this.#length)
    this.#bounds.push(this.#length, this.#length + source.length)
    this.#length += source.length
    if (routing !== null) this.#routings ??= new Array<string | null>(this.count).fill(null)
    this.#routings?.push(routing)
    this.#ids.push(id)
  }

  /** The documents from index `from` on, in the form of a request. */
  from(from: number): {
    readonly bytes: Uint8Array
    readonly bounds: Uint32Array
    readonly ids: readonly string[]
    readonly routings: readonly (string | null)[] | null
  } {
    const isWhole = from === 0
    // Sending a view would copy its whole buffer, and a short log does not fill a chunk.
    const isNearlyFull = 4 * this.#length >= 3 * this.#bytes.length
    return {
      bytes:
        this.#shared !== null
          ? this.#shared.subarray(0, this.#length)
          : isNearlyFull
            ? this.#bytes
            : this.#bytes.slice(0, this.#length),
      bounds: new Uint32Array(isWhole ? this.#bounds : this.#bounds.slice(2 * from)),
      ids: isWhole ? this.#ids : this.#ids.slice(from),
      routings: isWhole ? this.#routings : (this.#routings?.slice(from) ?? null),
    }
  }
}

/** Null when the pool is in use. */
function takeShared(): Uint8Array<SharedArrayBuffer> | null {
  const found = spare.pop()
  if (found !== undefined || sharedCount === MAX_SHARED) return found ?? null
  sharedCount++
  return new Uint8Array(new SharedArrayBuffer(SHARED_BYTES))
}
