/** Tells the documents of a held shard apart by the shards of another index. */
import type { AdoptedSegment } from './adopt-segments.ts'
import type { HeldSegment, HeldShard } from './held-shard.ts'
import type { ShardRouting } from './shard-routing.ts'
import type { WriteLanes } from './write-lanes.ts'

/** Documents of one request: a few dozen milliseconds of a write thread, which others wait for. */
const DOCS_AT_ONCE = 1 << 17

/** The segments of a held shard, each document with the shard of the new index that it belongs to. */
export class SplitSegments {
  readonly #from: HeldShard
  readonly #shards: readonly Uint16Array[]

  private constructor(from: HeldShard, shards: readonly Uint16Array[]) {
    this.#from = from
    this.#shards = shards
  }

  /**
   * @param to   how the documents of the new index are routed
   * @param goOn called between requests; throws to give up
   */
  static async of(
    from: HeldShard,
    to: ShardRouting,
    lanes: WriteLanes,
    goOn: () => void,
  ): Promise<SplitSegments> {
    const shards: Uint16Array[] = []
    for (const { segment } of from.segments) {
      const { stem, maxDoc } = segment
      const { folder, directory } = from.shard
      const bytes = folder === null ? directory.read(`${stem}.seg`) : null
      const { numberOfShards, routingShards, partitionSize } = to
      const all = new Uint16Array(maxDoc)
      for (let start = 0; start < maxDoc; start += DOCS_AT_ONCE) {
        goOn()
        const end = Math.min(start + DOCS_AT_ONCE, maxDoc)
        const part = await lanes.partition(lanes.assign(), {
          kind: 'partition',
          folder,
          stem,
          bytes,
          start,
          end,
          numberOfShards,
          routingShards,
          partitionSize,
        })
        all.set(part, start)
      }
      shards.push(all)
    }
    return new SplitSegments(from, shards)
  }

  /**
   * The segments of one of the new shards: all that have live documents of it.
   * @param shard its number
   */
  partOf(shard: number): AdoptedSegment[] {
    const parts: AdoptedSegment[] = []
    for (const [i, segment] of this.#from.segments.entries()) {
      const live = liveOf(segment, this.#shards[i]!, shard)
      if (live !== null) parts.push({ from: this.#from, segment, live })
    }
    return parts
  }

  /**
   * Refuses to lose a document that belongs to none of the shards.
   * @param first of the shards, half open to `end`
   */
  checkWithin(first: number, end: number): void {
    for (const [i, { live, segment }] of this.#from.segments.entries()) {
      const shards = this.#shards[i]!
      for (let doc = 0; doc < shards.length; doc++) {
        const shard = shards[doc]!
        if ((shard >= first && shard < end) || !isLive(live, doc)) continue
        const { index, shard: number } = this.#from.shard.name
        throw new Error(
          `document ${doc} of segment [${segment.stem}] of [${index}][${number}] belongs to shard ${shard}, ` +
            `not to one of ${first} to ${end - 1}`,
        )
      }
    }
  }
}

/** Bits of the live documents of a shard; null where there is none. */
function liveOf({ live }: HeldSegment, shards: Uint16Array, shard: number): Int32Array | null {
  const words = new Int32Array((shards.length + 31) >>> 5)
  let isEmpty = true
  for (let doc = 0; doc < shards.length; doc++) {
    if (shards[doc] !== shard || !isLive(live, doc)) continue
    words[doc >>> 5]! |= 1 << (doc & 31)
    isEmpty = false
  }
  return isEmpty ? null : words
}

function isLive(live: Int32Array | null, doc: number): boolean {
  return live === null || ((live[doc >>> 5]! >>> (doc & 31)) & 1) === 1
}
