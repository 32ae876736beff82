/** Lists the documents of a batch whose value may be among the first of their owning bucket. */
import { countOwners, ownersOfGroup } from './batch-owners'
import { COUNTS, FLIP, MINS, OUT_OWNERS, OWNER_LIMIT, OWNERS, RUN } from './batch-record'
import {
  groupIndexes,
  groupValues,
  haveOneEach,
  nextGroup,
  openValues,
  skipBeyond,
} from './batch-values'

/** Owning buckets whose highest threshold is found for each batch. */
const MAX_SCANNED: i32 = 1024
const NO_THRESHOLD: i64 = 0x7fffffffffffffff

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
  const ownerLimit = load<i32>(at, OWNER_LIMIT)
  const highest = highestThreshold(thresholds, ownerLimit)
  const list = load<usize>(at, OUT_OWNERS)
  const isRun = load<i32>(at, RUN) >= 0 && haveOneEach()
  let out = list
  for (;;) {
    const skipped = isRun ? skipBeyond(flip, highest) : 0
    const size = skipped || nextGroup()
    if (!size) break
    let own: usize = 0
    if (owners) {
      own = ownersOfGroup(owners, ownerLimit, size)
      if (!own) continue
      countOwners(own, size, counts)
    } else store<u32>(counts, load<u32>(counts) + size)
    // Soon most groups have no value that any bucket would keep.
    if (!skipped && isSomeBelow(size, flip, highest)) out = listGroup(own, size, flip, thresholds, out)
  }
  return <i32>((out - list) >> 2)
}

function highestThreshold(thresholds: usize, ownerLimit: i32): i64 {
  if (ownerLimit > MAX_SCANNED) return NO_THRESHOLD
  let highest: i64 = -NO_THRESHOLD - 1
  for (let i: usize = 0; i < <usize>ownerLimit << 3; i += 8)
    highest = max(highest, load<i64>(thresholds + i))
  return highest
}

/** Whether some value of a group is at most a threshold; one behind the last may count among them. */
function isSomeBelow(size: i32, flip: i64, threshold: i64): bool {
  const values = groupValues()
  const flips = i64x2.splat(flip)
  const limits = i64x2.splat(threshold)
  let found = i64x2.splat(0)
  for (let i: usize = 0; i < <usize>size << 3; i += 16)
    found = v128.or(found, i64x2.le_s(v128.xor(v128.load(values + i), flips), limits))
  return v128.any_true(found)
}

/** Lists the documents of a group. @returns the end of the list */
function listGroup(owners: usize, size: i32, flip: i64, thresholds: usize, list: usize): usize {
  const values = groupValues()
  const indexes = groupIndexes()
  let out = list
  for (let i: usize = 0; i < <usize>size << 2; i += 4) {
    const owner = owners ? <usize>load<u32>(owners + i) : 0
    const value = load<i64>(values + (i << 1)) ^ flip
    store<i32>(out, load<i32>(indexes + i))
    out += (<usize>(value <= load<i64>(thresholds + (owner << 3)))) << 2
  }
  return out
}
