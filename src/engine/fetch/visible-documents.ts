import type { StoredCache } from '../../segment/stored-cache.ts'
import type { FieldRestrictions } from '../../task/access.ts'
import { visibleSource } from './visible-source.ts'

/** Where sources are read from, as of a `StoredCache`. */
export type StoredDocuments = Pick<StoredCache, 'read' | 'readBeside'>

/**
 * Stored documents as a caller sees them.
 * @param fields what is hidden from him; null: nothing
 */
export function storedThrough(
  stored: StoredDocuments,
  fields: FieldRestrictions | null,
): StoredDocuments {
  if (fields === null) return stored
  return {
    read: (segment, docId) => visibleSource(stored.read(segment, docId), fields),
    readBeside(segment, docId) {
      const beside = stored.readBeside(segment, docId)
      return beside === null ? null : visibleSource(beside, fields)
    },
  }
}
