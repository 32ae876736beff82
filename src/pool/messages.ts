/**
 * The records that cross threads. Plain data: no class instances, no functions. What a slice is
 * asked travels inside a command slot: as a word record (`word-record.ts`), or serialised where it is
 * profiled (`parallel/slice-request.ts`).
 */
import type { MessagePort } from 'node:worker_threads'
import type { ErrorRecord } from '../util/errors.ts'
import type { JsonObjectNode } from '../util/json/json-tree.ts'

/** Starts a looping worker: its command slot, and the port beside it. */
export interface LoopStart {
  readonly slot: SharedArrayBuffer
  /** The records that the slices of one search share (`control-buffer.ts`). */
  readonly control: SharedArrayBuffer
  /** What the threads see of one another (`thread-board.ts`). */
  readonly board: SharedArrayBuffer
  /** Number of the thread, from 0. */
  readonly worker: number
  readonly port: MessagePort
}

/** What is posted to a looping worker's port ahead of a request. */
export type LoopNotice =
  | { readonly kind: 'arena'; readonly index: number; readonly memory: WebAssembly.Memory }
  | { readonly kind: 'large'; readonly bytes: Uint8Array }

/** A file that a worker wrote, or its bytes where the store lies in the coordinator's memory. */
export interface WrittenFile {
  readonly name: string
  readonly length: number
  /** CRC-32 of the file but its last eight bytes. */
  readonly checksum: number
  /** Null when the worker wrote the file itself. */
  readonly bytes: Uint8Array | null
}

/** What write workers are asked. `shard` names a shard of the node: `⟨index uuid⟩/⟨number⟩`. */
export type WriteRequest =
  | PutSchemaRequest
  | WriteChunkRequest
  | SealRequest
  | CommitFilesRequest
  | { readonly kind: 'dropShard'; readonly shard: string; readonly index: string }

/** A module that makes components: a thread loads it before it reads settings that name them. */
export interface PluginRecord {
  readonly kind: 'tokenizer' | 'filter' | 'char_filter'
  readonly type: string
  /** URL. */
  readonly module: string
}

/** The mapping and analysis of an index, before the first chunk that is parsed with them. */
export interface PutSchemaRequest {
  readonly kind: 'putSchema'
  readonly index: string
  /** Rises with every change of the mapping. */
  readonly version: number
  /** JSON of the mapping, as `GET _mapping` prints it. */
  readonly mapping: Uint8Array
  /** Explicit index settings, flat. */
  readonly settings: ReadonlyMap<string, string | readonly string[]>
  /** Lines of the files that the settings' analysis names, by path. */
  readonly wordFiles: ReadonlyMap<string, readonly string[]>
  /** Modules that make components of the settings' analysis. */
  readonly plugins: readonly PluginRecord[]
}

/** Documents to parse and invert, in order of arrival. */
export interface WriteChunkRequest {
  readonly kind: 'chunk'
  readonly index: string
  readonly shard: string
  /** Number of the buffer; a worker that holds another one starts afresh. */
  readonly buffer: number
  /** Documents that the buffer must hold already. */
  readonly firstSlot: number
  readonly schemaVersion: number
  readonly bytes: Uint8Array
  /** Document i is `bytes[bounds[2 i], bounds[2 i + 1])`. */
  readonly bounds: Uint32Array
  readonly ids: readonly string[]
  /** Null when no document has a routing. */
  readonly routings: readonly (string | null)[] | null
}

/** What a write thread answers for a chunk of documents. */
export type WriteChunkAnswer =
  /**
   * The mapping lacks fields, which the documents would have mapped so. The documents before the
   * first that needs them were taken; the rest is to be sent again.
   */
  | {
      readonly kind: 'proposal'
      readonly fields: readonly ProposedField[]
      readonly slots: Int32Array
      readonly errors: ReadonlyMap<number, ErrorRecord>
    }
  /** Nothing was taken: the worker does not hold the buffer, or not with that many documents. */
  | { readonly kind: 'lost' }
  | {
      readonly kind: 'taken'
      /** By document: its slot, or −1 when it failed. */
      readonly slots: Int32Array
      /** By document that failed: why. */
      readonly errors: ReadonlyMap<number, ErrorRecord>
      /** About what the buffer takes now. */
      readonly bufferBytes: number
    }

/** A field that documents brought, by its full path, as the dynamic rules map it. */
export interface ProposedField {
  readonly path: string
  readonly definition: JsonObjectNode
}

/** Makes a segment of a buffer; the buffer is gone afterwards. */
export interface SealRequest {
  readonly kind: 'seal'
  readonly shard: string
  readonly buffer: number
  /** By slot; their length is the number of documents that the buffer must hold. */
  readonly seqNos: Float64Array
  readonly versions: Float64Array
  readonly primaryTerms: Float64Array
  /** Slots that were superseded or refused, ascending. */
  readonly deadSlots: Int32Array
  readonly segmentId: Uint8Array
  readonly stem: string
  /** Where the files go; null has their bytes sent back. */
  readonly folder: string | null
}

/** What a write thread answers once it has sealed a buffer. */
export type SealAnswer =
  | { readonly kind: 'lost' }
  | {
      readonly kind: 'sealed'
      readonly files: readonly WrittenFile[]
      readonly maxDoc: number
      /** By slot: its document, −1 when it was left out; null when slots are documents. */
      readonly docOfSlot: Int32Array | null
    }

/** Makes a commit point durable: `reliability` rules of the store, step by step. */
export interface CommitFilesRequest {
  readonly kind: 'commitFiles'
  readonly folder: string
  /** Small files to write first: new generations of live documents. */
  readonly newFiles: readonly { readonly name: string; readonly bytes: Uint8Array }[]
  /** Files to sync, the new ones left out. */
  readonly unsynced: readonly string[]
  readonly commit: Uint8Array
  readonly generation: number
}

/** What the merge worker is asked. */
export interface MergeRequest {
  readonly kind: 'merge'
  /** Where the files lie; null: `files` carries them. */
  readonly folder: string | null
  readonly sources: readonly MergeSource[]
  readonly segmentId: Uint8Array
  readonly stem: string
  /** How its documents are ordered: the text of `index.lamella.reorder`. */
  readonly order: string
  /** A word of shared memory; not 0 tells the merge to give up. */
  readonly stop: SharedArrayBuffer
}

/** One segment to merge. */
export interface MergeSource {
  readonly stem: string
  readonly maxDoc: number
  /** Bits of the live documents; null when all are. */
  readonly live: Int32Array | null
  readonly files: readonly { readonly name: string; readonly bytes: Uint8Array }[]
}

/** What a merge thread answers. */
export interface MergeAnswer {
  readonly files: readonly WrittenFile[]
  readonly maxDoc: number
  /** By source: by document its new document, −1 when it was deleted. */
  readonly docMaps: readonly Int32Array[]
}
