/** The shards that documents of a segment belong to, read from its ids and routings alone. */
import type { SectionKind } from '../codec/directory/format.ts'
import { OrdinalsReader } from '../codec/doc-values/reader.ts'
import { type IdsReader, openIds } from '../codec/ids/reader.ts'
import { ParentsReader } from '../codec/parents/reader.ts'
import type { Section } from '../codec/section.ts'
import { TermsReader } from '../codec/terms/reader.ts'
import type { PartitionRequest } from '../pool/messages.ts'
import { loadSection, openSegmentFile, segmentFileName } from '../segment/open-segment.ts'
import { viewsOf } from '../store/arena.ts'
import type { Directory } from '../store/directory.ts'
import { FsDirectory } from '../store/fs-directory.ts'
import { MemoryDirectory } from '../store/memory-directory.ts'
import { decodeUtf8 } from '../util/bytes.ts'
import { shardOf } from './shard-routing.ts'

/**
 * By document of the range, the number of the shard that it belongs to; nested documents belong where
 * theirs does. Those that are deleted are counted like all others.
 */
export function partitionSegment(request: PartitionRequest): Uint16Array {
  const { start, end } = request
  const { ids, parents, routingOf } = openParts(request)
  const shards = new Uint16Array(end - start)
  for (let doc = start; doc < end; ) {
    const whole = parents === null ? doc : parents.next(doc)
    const shard = shardOf(request, decodeUtf8(ids.id(whole)), routingOf(whole))
    // A block may go on beyond the range.
    for (; doc <= whole && doc < end; doc++) shards[doc - start] = shard
  }
  return shards
}

interface Parts {
  readonly ids: IdsReader
  readonly parents: ParentsReader | null
  /** The routing of a document; null: it has none. Documents ascend. */
  routingOf(doc: number): string | null
}

function openParts({ folder, stem, bytes }: PartitionRequest): Parts {
  const name = segmentFileName(stem)
  const directory = folder === null ? directoryWith(name, bytes!) : new FsDirectory(folder)
  const { file, segment } = openSegmentFile(directory, name)
  try {
    const { fields, sections } = segment.directory
    const load = (kind: SectionKind, field: number): Section | null => {
      const found = sections.find(one => one.kind === kind && one.field === field)
      if (found === undefined) return null
      const buffer = new ArrayBuffer(Math.ceil(found.length / 64) * 64)
      loadSection(name, file, found, new Uint8Array(buffer, 0, found.length))
      return { views: viewsOf(buffer), start: 0, length: found.length, name }
    }
    const parents = load('parents', -1)
    const routing = fields.find(field => field.name === '_routing')
    const ordinals = routing === undefined ? null : load('ordinals', routing.number)
    const terms = routing === undefined ? null : load('terms', routing.number)
    return {
      ids: openIds(load('ids', -1)!),
      parents: parents === null ? null : new ParentsReader(parents),
      routingOf:
        ordinals === null || terms === null
          ? () => null
          : routings(new OrdinalsReader(ordinals), new TermsReader(terms, routing!.averageLength)),
    }
  } finally {
    file.close()
  }
}

function routings(ordinals: OrdinalsReader, terms: TermsReader): Parts['routingOf'] {
  let last = -1
  let text = ''
  return doc => {
    if (!ordinals.advanceExact(doc)) return null
    const ord = ordinals.ord(0)
    if (ord !== last) text = decodeUtf8(terms.termOfOrd(ord))
    last = ord
    return text
  }
}

function directoryWith(name: string, bytes: Uint8Array): Directory {
  const directory = new MemoryDirectory()
  directory.write(name, bytes)
  return directory
}
