import type { JsonRecord } from '../../../util/json/json-value.ts'

/**
 * A list as the API of notifications prints it.
 * @param name the key that the list stands under
 */
export function listEnvelope(
  from: number,
  total: number,
  name: string,
  list: readonly JsonRecord[],
): JsonRecord {
  return { start_index: from, total_hits: total, total_hit_relation: 'eq', [name]: list }
}
