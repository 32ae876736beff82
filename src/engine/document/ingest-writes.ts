/** Writes on their way through ingest pipelines. */

import { type DocumentMetadata, NO_VERSION } from '../../pipeline/document-metadata.ts'
import { type Long, parseLong } from '../../util/long.ts'
import type { IndexDocument, VersionType, WriteOutcome } from '../api/documents.ts'
import { parseVersionType } from '../dsl/version-type.ts'

/** The parts of a write that pipelines see and may change. */
export type IngestedWrite = Pick<
  IndexDocument,
  'index' | 'id' | 'routing' | 'version' | 'versionType' | 'ifSeqNo' | 'ifPrimaryTerm' | 'source'
>

/** The metadata of a write, as pipelines see it; sequence numbers stay with the write. */
export function metadataOf({
  index,
  id,
  routing,
  version,
  versionType,
}: Omit<IngestedWrite, 'source'>): DocumentMetadata {
  return {
    index,
    id,
    routing,
    version: BigInt(version ?? NO_VERSION),
    versionType,
    ifSeqNo: null,
    ifPrimaryTerm: null,
  }
}

/**
 * A write with what pipelines made of it.
 * @throws {EngineError} `illegal_argument_exception`: a type of versions that there is none of
 */
export function withIngested<W extends IngestedWrite>(
  write: W,
  metadata: DocumentMetadata,
  source: Uint8Array,
): W {
  const { index, id, routing, version, versionType, ifSeqNo, ifPrimaryTerm } = metadata
  return {
    ...write,
    index,
    id,
    routing,
    version: version === null || version === BigInt(NO_VERSION) ? null : longOf(version),
    versionType: typeOf(versionType),
    ifSeqNo: ifSeqNo === null ? write.ifSeqNo : longOf(ifSeqNo),
    ifPrimaryTerm: ifPrimaryTerm === null ? write.ifPrimaryTerm : longOf(ifPrimaryTerm),
    source,
  }
}

/** The outcome of a write that a pipeline dropped. */
export function droppedOutcome({
  index,
  id,
  version,
}: Pick<IngestedWrite, 'index' | 'id' | 'version'>): WriteOutcome {
  return {
    index,
    id: id ?? 'auto-generated',
    version: version ?? NO_VERSION,
    result: 'noop',
    forcedRefresh: false,
    shards: { total: 0, successful: 0, failed: 0 },
    seqNo: -2,
    primaryTerm: 0,
  }
}

function longOf(value: bigint): Long {
  return parseLong(String(value)) ?? 0
}

function typeOf(name: string | null): VersionType {
  return name === null ? 'internal' : parseVersionType(name)
}
