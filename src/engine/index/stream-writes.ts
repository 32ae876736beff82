/** Writes that data streams and their indices take: a stream grows, its documents are changed in its indices. */

import { IllegalArgumentError } from '../../util/errors.ts'
import type { Long } from '../../util/long.ts'
import type { DataStream } from '../metadata/data-stream.ts'
import type { MetadataStore } from '../metadata/metadata-store.ts'
import type { IndexService } from '../node/index-service.ts'

/** The kind of a write. */
export type WriteKind = 'index' | 'create' | 'update' | 'delete'

/**
 * Passes a create, which alone goes through the name of a data stream.
 * @throws {EngineError} `illegal_argument_exception`
 */
export function checkStreamTakes(kind: WriteKind): void {
  if (kind !== 'create')
    throw new IllegalArgumentError(
      'only write ops with an op_type of create are allowed in data streams',
    )
}

/** Where a write goes, and the data stream through which it does. */
interface StreamTarget {
  readonly index: IndexService
  readonly stream: DataStream | null
}

/** One write, as far as data streams ask. */
interface StreamWrite {
  /** As the request gave it. */
  readonly routing: string | null
  readonly ifSeqNo: Long | null
}

/**
 * Refuses a write with a routing through a data stream, and a new document that goes to one of its indices
 * by that index's own name.
 * @throws {EngineError} `illegal_argument_exception`
 */
export function checkStreamWrite(
  metadata: MetadataStore,
  { index, stream }: StreamTarget,
  kind: WriteKind,
  { routing, ifSeqNo }: StreamWrite,
): void {
  if (stream !== null) {
    if (routing === null) return
    throw new IllegalArgumentError(
      `index request targeting data stream [${stream.name}] specifies a custom routing. target the ` +
        'backing indices directly or remove the custom routing.',
    )
  }
  const isNew = kind === 'create' || (kind === 'index' && ifSeqNo === null)
  const owner = isNew ? metadata.dataStreamOf(index.metadata) : null
  if (owner === null) return
  const what = kind === 'create' ? 'create' : 'index and no if_primary_term and if_seq_no set'
  throw new IllegalArgumentError(
    `index request with op_type=${what} targeting backing indices is disallowed, target ` +
      `corresponding data stream [${owner.name}] instead`,
  )
}
