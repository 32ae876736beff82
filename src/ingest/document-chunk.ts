/** What a write thread needs of a document. */
export interface BufferedDocument {
  readonly id: string
  readonly routing: string | null
  readonly source: Uint8Array
}

/** Documents on their way to a write thread: copies, as one run of bytes with their bounds. */
export class DocumentChunk {
  #bytes: Uint8Array
  #length = 0
  readonly #ids: string[] = []
  #routings: (string | null)[] | null = null
  readonly #bounds: number[] = []

  /** @param capacity bytes of documents that are expected */
  constructor(capacity: number) {
    this.#bytes = new Uint8Array(capacity)
  }

  static of(documents: readonly BufferedDocument[]): DocumentChunk {
    let length = 0
    for (const { source } of documents) length += source.length
    const chunk = new DocumentChunk(length)
    for (const document of documents) chunk.add(document)
    return chunk
  }

  get count(): number {
    return this.#ids.length
  }

  /** Whether so many bytes more need no other room. */
  hasRoomFor(bytes: number): boolean {
    return this.#length + bytes <= this.#bytes.length
  }

  add({ id, routing, source }: BufferedDocument): void {
    if (!this.hasRoomFor(source.length)) {
      const grown = new Uint8Array(Math.max(this.#length + source.length, 2 * this.#bytes.length))
      grown.set(this.#bytes.subarray(0, this.#length))
      this.#bytes = grown
    }
    this.#bytes.set(source, this.#length)
    this.#bounds.push(this.#length, this.#length + source.length)
    this.#length += source.length
    if (routing !== null) this.#routings ??= new Array<string | null>(this.count).fill(null)
    this.#routings?.push(routing)
    this.#ids.push(id)
  }

  /** The documents from number `from` on, as a request names them. */
  from(from: number): {
    readonly bytes: Uint8Array
    readonly bounds: Uint32Array
    readonly ids: readonly string[]
    readonly routings: readonly (string | null)[] | null
  } {
    const isWhole = from === 0
    // A view would be sent with all of its buffer, and a short log makes no full chunk.
    const isNearlyFull = 4 * this.#length >= 3 * this.#bytes.length
    return {
      bytes: isNearlyFull ? this.#bytes : this.#bytes.slice(0, this.#length),
      bounds: Uint32Array.from(isWhole ? this.#bounds : this.#bounds.slice(2 * from)),
      ids: isWhole ? this.#ids : this.#ids.slice(from),
      routings: isWhole ? this.#routings : (this.#routings?.slice(from) ?? null),
    }
  }
}
