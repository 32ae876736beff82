/** Metadata of documents: among a document's fields while pipelines run, apart before and after. */

import { javaText } from '../script/value/java-text.ts'
import { type ScriptMap, type ScriptValue, scalarText } from '../script/value/script-value.ts'
import { IllegalArgumentError } from '../util/errors.ts'

/** The version of a write that names none. */
export const NO_VERSION = -3

/** Metadata of one document, as plain data. */
export interface DocumentMetadata {
  readonly index: string
  /** Null: one is to be made. */
  readonly id: string | null
  readonly routing: string | null
  /** Null: none was given. */
  readonly version: bigint | null
  /** As requests name it: `internal`, `external`, `external_gte`. */
  readonly versionType: string | null
  readonly ifSeqNo: bigint | null
  readonly ifPrimaryTerm: bigint | null
}

const KEYS = [
  '_index',
  '_id',
  '_routing',
  '_version',
  '_version_type',
  '_if_seq_no',
  '_if_primary_term',
]

const METADATA: ReadonlySet<string> = new Set(KEYS)

/** Whether a field is one of the metadata. */
export function isMetadata(field: string): boolean {
  return METADATA.has(field)
}

/** Joins a source and its metadata; a field of the source that is called like metadata gives way. */
export function withMetadata(metadata: DocumentMetadata, source: ScriptMap): ScriptMap {
  const { index, id, routing, version, versionType, ifSeqNo, ifPrimaryTerm } = metadata
  source.set('_index', index)
  source.set('_id', id)
  if (routing !== null) source.set('_routing', routing)
  if (version !== null) source.set('_version', version)
  if (versionType !== null) source.set('_version_type', versionType)
  if (ifSeqNo !== null) source.set('_if_seq_no', ifSeqNo)
  if (ifPrimaryTerm !== null) source.set('_if_primary_term', ifPrimaryTerm)
  return source
}

/**
 * Takes the metadata out of a document's fields, which are then its source.
 * @throws {EngineError} `illegal_argument_exception`: a version that is no number
 */
export function takeMetadata(fields: ScriptMap): DocumentMetadata {
  const metadata: DocumentMetadata = {
    index: javaText(taken(fields, '_index')),
    id: textOf(fields, '_id'),
    routing: textOf(fields, '_routing'),
    version: longOf(fields, '_version'),
    versionType: textOf(fields, '_version_type'),
    ifSeqNo: longOf(fields, '_if_seq_no'),
    ifPrimaryTerm: longOf(fields, '_if_primary_term'),
  }
  return metadata
}

/** The metadata that a document has, in order, as texts. */
export function printedMetadata(fields: ScriptMap): [key: string, text: string][] {
  return KEYS.flatMap(key => {
    const value = fields.get(key) ?? null
    return value === null ? [] : [[key, javaText(value)] as [string, string]]
  })
}

/** A document's fields without metadata. */
export function sourceOf(fields: ScriptMap): ScriptMap {
  const source = new Map(fields)
  for (const key of KEYS) source.delete(key)
  return source
}

/** Takes a value out of a map; null where there is none. */
function taken(fields: ScriptMap, key: string): ScriptValue {
  const value = fields.get(key)
  if (value === undefined) return null
  fields.delete(key)
  return value
}

function textOf(fields: ScriptMap, key: string): string | null {
  const value = taken(fields, key)
  return value === null ? null : javaText(value)
}

function longOf(fields: ScriptMap, key: string): bigint | null {
  const value = taken(fields, key)
  if (value === null || typeof value === 'bigint') return value
  const text = typeof value === 'string' ? null : scalarText(value)
  if (text !== null && /^-?\d+(?:\.\d+)?$/.test(text)) return BigInt(text.replace(/\..*$/, ''))
  throw new IllegalArgumentError(
    `metadata field [${key}] must be a number, but was [${javaText(value)}]`,
  )
}
