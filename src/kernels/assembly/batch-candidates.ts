/** Lists the documents of a batch whose value may be among the first of their owning bucket. */
import { COUNTS, FLIP, MINS, OUT_OWNERS, OWNER_LIMIT, OWNERS } from './batch-record'
import { groupIndexes, groupValues, nextGroup, openValues } from './batch-values'

/**
 * Reads a column of one value a document; counts documents by owning bucket, and lists the indexes of
 * those whose value, flipped for a descending order, is at most the threshold of the bucket.
 * @returns how many are listed
 */
export function listCandidates(at: usize): i32 {
  openValues(at)
  const flip = <i64>load<i32>(at, FLIP)
  const thresholds = load<usize>(at, MINS)
  const counts = load<usize>(at, COUNTS)
  const owners = load<usize>(at, OWNERS)
  const ownerLimit = load<u32>(at, OWNER_LIMIT)
  const list = load<usize>(at, OUT_OWNERS)
  const values = groupValues()
  const indexes = groupIndexes()
  let out: usize = 0
  for (let size = nextGroup(); size > 0; size = nextGroup()) {
    for (let i: usize = 0; i < <usize>size << 2; i += 4) {
      const index = load<i32>(indexes + i)
      const owner = owners ? <usize>load<u32>(owners + (<usize>index << 2)) : 0
      if (owner >= <usize>ownerLimit) continue
      const count = counts + (owner << 2)
      store<u32>(count, load<u32>(count) + 1)
      const value = load<i64>(values + (i << 1)) ^ flip
      store<i32>(list + out, index)
      out += (<usize>(value <= load<i64>(thresholds + (owner << 3)))) << 2
    }
  }
  return <i32>(out >> 2)
}
