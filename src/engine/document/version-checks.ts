/** Checks of a write's versions and sequence numbers, made before its index is looked up. */
import type { Shard } from '../../shard/shard.ts'
import { EngineError, IllegalArgumentError, validationFailed } from '../../util/errors.ts'
import type { Long } from '../../util/long.ts'
import type { VersionType, WriteOptions } from '../api/documents.ts'
import type { IndexService } from '../node/index-service.ts'

/** The parameters of a write that are checked together. */
type VersionedWrite = Pick<WriteOptions, 'version' | 'versionType' | 'ifSeqNo' | 'ifPrimaryTerm'>

/** Stands for a version that was not given, in messages. */
const MATCH_ANY = -3

/**
 * All faults of a write's versions, in the documented order; empty for none.
 * @param hasId false: the engine makes the id
 * @throws {EngineError} `illegal_argument_exception`: a negative sequence number or primary term
 */
export function versionFaults(
  write: VersionedWrite,
  opType: 'index' | 'create' | 'delete',
  hasId: boolean,
): string[] {
  const { version, versionType, ifSeqNo, ifPrimaryTerm } = write
  checkSeqNo(ifSeqNo, ifPrimaryTerm)
  if (opType === 'create') {
    const fault = createFault(write)
    if (fault !== null) return [`create operations ${fault}. use index instead`]
  }
  const faults: string[] = []
  const isInternal = versionType === 'internal'
  if (!hasId && (!isInternal || version !== null))
    faults.push('an id must be provided if version type or value are set')
  const isLegal = version === null ? isInternal : version > 0 || (version === 0 && !isInternal)
  if (!isLegal)
    faults.push(
      `illegal version value [${version ?? MATCH_ANY}] for version type [${versionType.toUpperCase()}]`,
    )
  if (isInternal && version !== null)
    faults.push(
      'internal versioning can not be used for optimistic concurrency control. ' +
        'Please use `if_seq_no` and `if_primary_term` instead',
    )
  if (ifSeqNo !== null && (!isInternal || version !== null))
    faults.push('compare and write operations can not use versioning')
  faults.push(...seqNoFaults(ifSeqNo, ifPrimaryTerm))
  return faults
}

/** @throws {EngineError} see `versionFaults`; all faults at once */
export function checkVersions(
  write: VersionedWrite,
  opType: 'index' | 'create' | 'delete',
  hasId: boolean,
): void {
  const faults = versionFaults(write, opType, hasId)
  if (faults.length > 0) throw validationFailed(faults)
}

/** Faults of a sequence number and a primary term, of which one needs the other. */
export function seqNoFaults(ifSeqNo: Long | null, ifPrimaryTerm: Long | null): string[] {
  const term = ifPrimaryTerm ?? 0
  if (ifSeqNo !== null) return term === 0 ? ['ifSeqNo is set, but primary term is [0]'] : []
  return term === 0 ? [] : [`ifSeqNo is unassigned, but primary term is [${term}]`]
}

/** @throws {EngineError} `illegal_argument_exception`: a negative one */
export function checkSeqNo(ifSeqNo: Long | null, ifPrimaryTerm: Long | null): void {
  if (ifSeqNo !== null && ifSeqNo < 0)
    throw new IllegalArgumentError(`sequence numbers must be non negative. got [${ifSeqNo}].`)
  if (ifPrimaryTerm !== null && ifPrimaryTerm < 0)
    throw new IllegalArgumentError(`primary term must be non negative. got [${ifPrimaryTerm}]`)
}

/** @throws {EngineError} the version of a get is none that a document can have */
export function checkReadVersion(version: Long | null, versionType: VersionType): void {
  if (version === null || version > 0 || (version === 0 && versionType !== 'internal')) return
  throw validationFailed([
    `illegal version value [${version}] for version type [${versionType.toUpperCase()}]`,
  ])
}

/**
 * Checks that a document that was found has the version that a read asks for, if it asks for one.
 * @throws {EngineError} `version_conflict_engine_exception`
 */
export function checkFoundVersion(
  { id, version: asked }: { readonly id: string | null; readonly version: Long | null },
  version: Long,
  index: IndexService,
  { name }: Pick<Shard, 'name'>,
): void {
  if (asked === null || asked === version) return
  throw new EngineError({
    type: 'version_conflict_engine_exception',
    reason: `[${id}]: version conflict, current version [${version}] is different than the one provided [${asked}]`,
    extra: {
      index: index.name,
      shard: String(name.shard),
      index_uuid: index.metadata.uuid,
    },
  })
}

/** The reason for which a create cannot have the versions of a write; null for none. */
function createFault({
  version,
  versionType,
  ifSeqNo,
  ifPrimaryTerm,
}: VersionedWrite): string | null {
  if (versionType !== 'internal') return 'only support internal versioning'
  if (version !== null) return 'do not support explicit versions'
  if (ifSeqNo !== null || ifPrimaryTerm !== null) return 'do not support compare and set'
  return null
}
