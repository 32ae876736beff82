/** Records that cross between the engine and the thread of pipelines: plain data. */

import type { PainlessSettings } from '../script/painless/painless-settings.ts'
import type { ErrorRecord } from '../util/errors.ts'
import type { DocumentMetadata } from './document-metadata.ts'
import type { MetadataRows } from './metadata-rows.ts'
import type { PipelineCounts } from './run-counts.ts'
import type { ProcessorLimits } from './watched-request.ts'

/** Requests to the pipeline worker. */
export type PipelineRequest =
  | PutPipelinesRequest
  | RunRequest
  | SimulateRequest
  | UpdateRequest
  | RewriteRequest

/** All pipelines; those of before are forgotten. */
export interface PutPipelinesRequest {
  readonly kind: 'putPipelines'
  /** Rises with every change of any pipeline. */
  readonly generation: number
  /** Definitions as JSON, by id. */
  readonly definitions: ReadonlyMap<string, Uint8Array>
  readonly scripts: PipelineScripts
}

/** Inputs of processors' scripts beside their definitions. */
export interface PipelineScripts {
  /** Sources of stored scripts in painless, by id. */
  readonly stored: ReadonlyMap<string, string>
  readonly regex: Pick<PainlessSettings, 'regex' | 'regexLimitFactor'>
}

/** Pipelines that a document passes, in their order. */
export interface PipelineChain {
  readonly ids: readonly string[]
  /** Whether the last one is the final pipeline, which may not change the index. */
  readonly endsFinal: boolean
}

/** Documents to run pipelines over. */
export interface RunRequest {
  readonly kind: 'run'
  readonly generation: number
  /** Words that the thread writes while it runs (`watched-request.ts`). */
  readonly progress: SharedArrayBuffer
  /** Sources: document i is `bytes[bounds[2 i], bounds[2 i + 1])`. */
  readonly bytes: Uint8Array
  readonly bounds: Uint32Array
  readonly metadata: MetadataRows
  readonly chains: readonly PipelineChain[]
  /** By document, the index of its chain. */
  readonly chainOf: Uint32Array
  readonly limits: ProcessorLimits
  /** By document, matches that are known to take too long and fail at once. */
  readonly hopeless: ReadonlyMap<number, readonly number[]>
  /** When the documents came, as `_ingest.timestamp` prints it. */
  readonly timestamp: string
}

/** The outcome of one document. */
export type DocumentOutcome = 'kept' | 'dropped' | 'failed'

/** The answer to documents. */
export type RunAnswer =
  /** The thread lacks the generation. */
  | { readonly kind: 'lost' }
  | {
      readonly kind: 'done'
      readonly outcomes: readonly DocumentOutcome[]
      /** Sources of the kept documents; others have an empty range. */
      readonly bytes: Uint8Array
      readonly bounds: Uint32Array
      /** Of documents whose metadata changed. */
      readonly metadata: ReadonlyMap<number, DocumentMetadata>
      readonly errors: ReadonlyMap<number, ErrorRecord>
      /** By id of the pipeline. */
      readonly counts: ReadonlyMap<string, PipelineCounts>
    }

/** Runs one pipeline over documents that are shown and not kept. */
export interface SimulateRequest {
  readonly kind: 'simulate'
  readonly generation: number
  readonly progress: SharedArrayBuffer
  readonly limits: ProcessorLimits
  /** As of `RunRequest`. */
  readonly hopeless: ReadonlyMap<number, readonly number[]>
  /** JSON of the definition; null: a stored pipeline's. */
  readonly definition: Uint8Array | null
  readonly id: string
  readonly documents: readonly SimulatedDocument[]
  readonly isVerbose: boolean
  readonly timestamp: string
}

/** A document of a simulation. */
export interface SimulatedDocument {
  readonly metadata: DocumentMetadata
  /** JSON of an object. */
  readonly source: Uint8Array
}

/** The answer to a simulation. */
export type SimulateAnswer =
  | { readonly kind: 'lost' }
  | { readonly kind: 'done'; readonly results: readonly SimulatedResult[] }

/** The outcome of a document. */
export type SimulatedResult =
  | { readonly kind: 'document'; readonly document: ShownDocument }
  | { readonly kind: 'dropped' }
  | { readonly kind: 'failed'; readonly error: ErrorRecord }
  | { readonly kind: 'verbose'; readonly steps: readonly SimulatedStep[] }

/** A document as a simulation shows it. */
export interface ShownDocument {
  readonly metadata: readonly (readonly [key: string, text: string])[]
  /** JSON. */
  readonly source: Uint8Array
  readonly ingest: Uint8Array
}

/** One processor's part of a verbose simulation. */
export interface SimulatedStep {
  readonly type: string
  readonly status: 'success' | 'error' | 'error_ignored' | 'skipped' | 'dropped'
  readonly tag: string | null
  readonly description: string | null
  readonly condition: { readonly source: string; readonly result: boolean } | null
  readonly document: ShownDocument | null
  readonly error: ErrorRecord | null
}

/** Runs the script of an update over a document. */
export interface UpdateRequest {
  readonly kind: 'update'
  readonly script: {
    readonly source: string
    /** Of a stored script, which errors name; else null. */
    readonly id: string | null
    /** JSON of an object; null: none. */
    readonly params: Uint8Array | null
    readonly regex: PipelineScripts['regex']
  }
  readonly document: {
    readonly index: string
    readonly id: string
    readonly routing: string | null
    /** Null: there is none yet, and the source is that of the upsert. */
    readonly version: bigint | null
    readonly source: Uint8Array
  }
  /** Milliseconds since 1970. */
  readonly now: number
}

/** The outcome of an update's script. */
export type UpdatedDocument =
  | {
      readonly kind: 'done'
      readonly op: 'create' | 'index' | 'delete' | 'none'
      readonly source: Uint8Array
    }
  | { readonly kind: 'failed'; readonly error: ErrorRecord }

/** Runs the script of a reindex or an update by query over documents. */
export interface RewriteRequest {
  readonly kind: 'rewrite'
  readonly script: UpdateRequest['script']
  readonly documents: readonly {
    readonly index: string
    readonly id: string
    readonly routing: string | null
    readonly version: bigint
    readonly source: Uint8Array
  }[]
  /** Whether the script may change index, id, routing and version. */
  readonly mayMove: boolean
  /** Milliseconds since 1970. */
  readonly now: number
}

/** A document as the script left it; keys of its metadata are there where the script changed them. */
export interface RewrittenDocument {
  readonly op: 'index' | 'noop' | 'delete'
  readonly source: Uint8Array
  readonly index?: string
  readonly id?: string | null
  readonly routing?: string | null
  readonly version?: bigint | null
}

/** The outcome: of all documents, or the error of the first that failed. */
export type RewrittenDocuments =
  | { readonly kind: 'done'; readonly documents: readonly RewrittenDocument[] }
  | { readonly kind: 'failed'; readonly error: ErrorRecord }
