import type { SortKey } from '../../../search/collector/sort-key.ts'
import { assert } from '../../../util/assert.ts'
import { decodeUtf8, encodeUtf8 } from '../../../util/bytes.ts'
import type { ResolvedSort } from './sort-level.ts'

/** A level by the order of terms. */
export function byTerms(key: SortKey): ResolvedSort {
  return {
    key,
    read: encodeUtf8,
    print(value) {
      assert(value instanceof Uint8Array, 'a level by terms has terms')
      return decodeUtf8(value)
    },
  }
}
