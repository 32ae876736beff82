/**
 * Records that cross threads. Plain data: no class instances, no functions. A slice's request
 * travels in a command slot: as a word record (`util/word-record.ts`), or serialised for a profile
 * (`parallel/slice-request.ts`).
 */
import type { MessagePort } from 'node:worker_threads'
import type { ErrorRecord } from '../util/errors.ts'
import type { JsonObjectNode } from '../util/json/json-tree.ts'

/** Start data of a looping worker: its command slot, and the port beside it. */
export interface LoopStart {
  readonly slot: SharedArrayBuffer
  /** Control records of searches (`control-buffer.ts`). */
  readonly control: SharedArrayBuffer
  /** Shared state of the threads (`thread-board.ts`). */
  readonly board: SharedArrayBuffer
  /** Number of the thread, from 0. */
  readonly worker: number
  readonly port: MessagePort
}

/** A message to a looping worker's port ahead of a request. */
export type LoopNotice =
  | { readonly kind: 'arena'; readonly index: number; readonly memory: WebAssembly.Memory }
  | { readonly kind: 'large'; readonly bytes: Uint8Array }
  /** Modules are to be loaded that further requests may need (`LoopHandler.prepare`). */
  | { readonly kind: 'prepare' }

/** A file that a worker wrote, or its bytes when the store is in the coordinator's memory. */
export interface WrittenFile {
  readonly name: string
  readonly length: number
  /** CRC-32 of the file without its last eight bytes. */
  readonly checksum: number
  /** Null when the worker wrote the file itself. */
  readonly bytes: Uint8Array | null
}

/** Requests to write workers. `shard` names a shard of the node: `⟨index uuid⟩/⟨number⟩`. */
export type WriteRequest =
  | PutSchemaRequest
  | WriteChunkRequest
  | SealRequest
  | CommitFilesRequest
  | LinkFilesRequest
  | PartitionRequest
  | { readonly kind: 'dropShard'; readonly shard: string; readonly index: string }

/** A plugin module: a thread loads it before it reads settings that name its components. */
export interface PluginRecord {
  readonly kind: 'tokenizer' | 'filter' | 'char_filter'
  readonly type: string
  /** URL. */
  readonly module: string
}

/** The mapping and analysis of an index, sent before the first chunk that is parsed with them. */
export interface PutSchemaRequest {
  readonly kind: 'putSchema'
  readonly index: string
  /** Rises with every change of the mapping. */
  readonly version: number
  /** JSON of the mapping, as `GET _mapping` prints it. */
  readonly mapping: Uint8Array
  /** Explicit index settings, flat. */
  readonly settings: ReadonlyMap<string, string | readonly string[]>
  /** Contents of the word files that the analysis settings name, by their keys. */
  readonly wordFiles: ReadonlyMap<string, readonly string[]>
  /** Settings of the scripts that the analysis settings hold; null: they hold none. */
  readonly scripts: {
    readonly regex: 'true' | 'false' | 'limited'
    readonly regexLimitFactor: number
  } | null
  /** Plugin modules that the analysis settings name. */
  readonly plugins: readonly PluginRecord[]
}

/** Documents to parse and invert, in order of arrival. */
export interface WriteChunkRequest {
  readonly kind: 'chunk'
  readonly index: string
  readonly shard: string
  /** Number of the buffer; a worker with another one starts a new buffer. */
  readonly buffer: number
  /** Number of documents that the buffer must hold already. */
  readonly firstSlot: number
  readonly schemaVersion: number
  readonly bytes: Uint8Array
  /** Document i is `bytes[bounds[2 i], bounds[2 i + 1])`. */
  readonly bounds: Uint32Array
  readonly ids: readonly string[]
  /** Null when no document has a routing. */
  readonly routings: readonly (string | null)[] | null
}

/** The answer to a chunk of documents. */
export type WriteChunkAnswer =
  /**
   * The mapping lacks fields; the dynamic mapping proposes these. Documents before the first that
   * needs them were indexed; the rest must be sent again.
   */
  | {
      readonly kind: 'proposal'
      readonly fields: readonly ProposedField[]
      readonly slots: Int32Array
      readonly errors: ReadonlyMap<number, ErrorRecord>
    }
  /** Nothing was indexed: the worker lacks the buffer, or its number of documents differs. */
  | { readonly kind: 'lost' }
  | {
      readonly kind: 'taken'
      /** By document: its slot, or −1 when it failed. */
      readonly slots: Int32Array
      /** Errors by index of the failed document. */
      readonly errors: ReadonlyMap<number, ErrorRecord>
      /** Estimated bytes of the buffer now. */
      readonly bufferBytes: number
    }

/** A new field by its full path, as dynamic mapping maps it. */
export interface ProposedField {
  readonly path: string
  readonly definition: JsonObjectNode
  /** Number of the document that brings it, from the first that the mapping does not cover. */
  readonly document: number
}

/** Seals a buffer into a segment; the buffer is gone afterwards. */
export interface SealRequest {
  readonly kind: 'seal'
  readonly shard: string
  readonly buffer: number
  /** By slot; their length is the number of documents that the buffer must hold. */
  readonly seqNos: Float64Array
  readonly versions: BigInt64Array
  readonly primaryTerms: Float64Array
  /** Slots that were superseded or refused, ascending. */
  readonly deadSlots: Int32Array
  readonly segmentId: Uint8Array
  /** The sort of the index, as text (`schema/index-sort.ts`); '' for none. */
  readonly sort: string
  /** The least number of vectors of which a graph is made; Infinity: of none. */
  readonly graphFrom: number
  readonly stem: string
  /** Folder of the files; null: their bytes are sent back. */
  readonly folder: string | null
  /** A word that is not 0 once the seal is given up. */
  readonly stop: SharedArrayBuffer
}

/** The answer to a seal request. */
export type SealAnswer =
  | { readonly kind: 'lost' }
  | {
      readonly kind: 'sealed'
      readonly files: readonly WrittenFile[]
      readonly maxDoc: number
      /** Document by slot, −1 when it was dropped; null when slots equal documents. */
      readonly docOfSlot: Int32Array | null
    }

/** Makes a commit point durable by the store's `reliability` rules, step by step. */
export interface CommitFilesRequest {
  readonly kind: 'commitFiles'
  readonly folder: string
  /** Small files to write first: new generations of live docs. */
  readonly newFiles: readonly { readonly name: string; readonly bytes: Uint8Array }[]
  /** Files to sync, besides the new ones. */
  readonly unsynced: readonly string[]
  readonly commit: Uint8Array
  readonly generation: number
}

/** Puts files of one shard's folder into another's under other names, without copying where it can. */
export interface LinkFilesRequest {
  readonly kind: 'linkFiles'
  readonly from: string
  readonly to: string
  readonly files: readonly { readonly name: string; readonly as: string }[]
}

/** Asks for the shards that documents of a segment belong to. */
export interface PartitionRequest {
  readonly kind: 'partition'
  /** Folder of the segment; null: `bytes` are those of its file. */
  readonly folder: string | null
  readonly stem: string
  readonly bytes: Uint8Array | null
  /** Half-open range of documents, nested ones among them; the answer is a `Uint16Array` of as many. */
  readonly start: number
  readonly end: number
  /** As in `ShardRouting`. */
  readonly numberOfShards: number
  readonly routingShards: number
  readonly partitionSize: number
}

/** A request to the merge worker. */
export interface MergeRequest {
  readonly kind: 'merge'
  /** Folder of the files; null: `files` carries them. */
  readonly folder: string | null
  readonly sources: readonly MergeSource[]
  readonly segmentId: Uint8Array
  readonly stem: string
  /** Document order: the text of `index.lamella.reorder`. */
  readonly order: string
  /** The sort of the index, which wins over the order; '' for none. */
  readonly sort: string
  /** The least number of vectors of which a graph is made; Infinity: of none. */
  readonly graphFrom: number
  /** A word of shared memory; not 0 cancels the merge. */
  readonly stop: SharedArrayBuffer
}

/** One segment to merge. */
export interface MergeSource {
  readonly stem: string
  readonly maxDoc: number
  /** Bits of the live documents; null: all are live. */
  readonly live: Int32Array | null
  readonly files: readonly { readonly name: string; readonly bytes: Uint8Array }[]
}

/** The answer of a merge worker. */
export interface MergeAnswer {
  readonly files: readonly WrittenFile[]
  readonly maxDoc: number
  /** By source, new document by old one; −1 when it was deleted. */
  readonly docMaps: readonly Int32Array[]
}
