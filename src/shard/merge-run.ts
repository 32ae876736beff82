import { randomBytes } from 'node:crypto'
import type { MergeAnswer } from '../pool/messages.ts'
import { BitSet } from '../util/bit-set.ts'
import type { Cancellation } from '../util/cancellation.ts'
import type { LiveSegment } from './live-segment.ts'
import type { ShardContext } from './shard-context.ts'

/** A finished merge that is to replace its sources. */
export interface MergeRun {
  readonly answer: MergeAnswer
  /** Applies deletes of the sources that came while the merge ran. */
  carryDeletes(merged: LiveSegment): void
}

/**
 * Merges segments on the merge thread; the sources stay open and may lose documents meanwhile.
 * @param signal for whom it runs; null: for nobody in particular
 */
export async function runMerge(
  context: ShardContext,
  sources: readonly LiveSegment[],
  stem: string,
  signal: Cancellation | null,
): Promise<MergeRun> {
  const { lanes, folder, directory } = context
  const liveAtStart = sources.map(source => source.liveWords())
  for (const source of sources) source.segment.acquire()
  try {
    const request = {
      kind: 'merge' as const,
      folder,
      sources: sources.map((source, i) => ({
        stem: source.segment.stem,
        maxDoc: source.maxDoc,
        live: liveAtStart[i]!,
        files:
          folder === null
            ? source.files.map(({ name }) => ({ name, bytes: directory.read(name) }))
            : [],
      })),
      segmentId: randomBytes(16),
      stem,
      order: context.settings().mergeOrder,
      sort: context.settings().indexSort,
      graphFrom: context.settings().graphFrom,
    }
    const answer = await lanes.merge(request, signal)
    return {
      answer,
      carryDeletes: merged => carryDeletes(merged, sources, liveAtStart, answer.docMaps),
    }
  } finally {
    for (const source of sources) source.segment.release()
  }
}

function carryDeletes(
  merged: LiveSegment,
  sources: readonly LiveSegment[],
  liveAtStart: readonly (Int32Array | null)[],
  docMaps: readonly Int32Array[],
): void {
  sources.forEach((source, i) => {
    const before = liveAtStart[i]
    const wasLive = before == null ? null : new BitSet(source.maxDoc, before)
    for (let doc = 0; doc < source.maxDoc; doc++) {
      if (source.isLive(doc) || (wasLive !== null && !wasLive.has(doc))) continue
      // A document takes its nested ones with it.
      if (source.isNested(doc)) continue
      merged.delete(docMaps[i]![doc]!)
    }
  })
}
