/** Names of blobs: the files of segments in a repository, whole or in parts. */
import type { FileList } from './place/file-store.ts'
import type { StoredFile } from './shard-record.ts'

/** Beginning of the name of a blob that is not whole yet. */
export const UNFINISHED = 'tmp-'

/** One part of a blob, or all of it. */
export interface BlobPart {
  readonly name: string
  /** In bytes from the start of the blob. */
  readonly offset: number
  readonly length: number
}

/**
 * The name of a blob: the identity of a file that never changes. The same segment has it in every index and
 * in every snapshot, so that it is kept once.
 */
export function blobName({ segmentId, kind, length, checksum }: StoredFile): string {
  return `blob-${segmentId}-${length}-${checksum.toString(16).padStart(8, '0')}.${kind}`
}

/** Whether a file of a repository is a blob, or a part of one. */
export function isBlob(fileName: string): boolean {
  return fileName.startsWith('blob-')
}

/** The blob that a file is, or is a part of: `blob-….seg` of `blob-….seg.1048576.0`. */
export function blobOfPart(fileName: string): string {
  return fileName.replace(/\.\d+\.\d+$/, '')
}

/**
 * The parts in which a blob is written.
 * @param partBytes longest part; Infinity writes it whole
 */
export function partsOf(name: string, length: number, partBytes: number): BlobPart[] {
  if (length <= partBytes) return [{ name, offset: 0, length }]
  return Array.from({ length: Math.ceil(length / partBytes) }, (_, i) => {
    const offset = i * partBytes
    return {
      name: `${name}.${partBytes}.${i}`,
      offset,
      length: Math.min(partBytes, length - offset),
    }
  })
}

/** The length of the parts of a blob; null: it is whole. */
export function partBytesOf(parts: readonly BlobPart[]): number | null {
  // A blob that is shorter than a part is whole.
  return parts.length === 1 ? null : parts[0]!.length
}

/** Finds blobs. */
export interface BlobFinder {
  /** The parts of a blob, or null where it is not all there. */
  find(file: StoredFile): readonly BlobPart[] | null
}

/** Blobs whose snapshots say in which parts they are; one that is missing is noticed when it is read. */
export const RECORDED_BLOBS: BlobFinder = {
  find: file => partsOf(blobName(file), file.length, file.partBytes ?? Number.POSITIVE_INFINITY),
}

/** The blobs of a repository at one moment. */
export class BlobListing implements BlobFinder {
  readonly #list: FileList
  readonly #names: ReadonlySet<string>
  /** Lengths of parts by blob. */
  readonly #partBytes = new Map<string, Set<number>>()

  /** @param list all blobs and their parts */
  constructor(list: FileList) {
    this.#list = list
    this.#names = new Set(list.names)
    for (const name of list.names) {
      const match = /^(blob-.*)\.(\d{1,15})\.0$/.exec(name)
      if (match === null) continue
      const [, blob, bytes] = match
      const known = this.#partBytes.get(blob!) ?? new Set()
      this.#partBytes.set(blob!, known.add(Number(bytes)))
    }
  }

  find(file: StoredFile): readonly BlobPart[] | null {
    const name = blobName(file)
    const isThere = (parts: readonly BlobPart[]): boolean =>
      parts.every(
        ({ name, length }) => this.#names.has(name) && this.#list.lengthOf(name) === length,
      )
    for (const bytes of [Number.POSITIVE_INFINITY, ...(this.#partBytes.get(name) ?? [])]) {
      if (bytes === 0) continue
      const parts = partsOf(name, file.length, bytes)
      if (isThere(parts)) return parts
    }
    return null
  }
}
