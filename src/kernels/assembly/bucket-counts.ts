/** Counts the documents of a batch by bucket, and lists them with their buckets. */
import { beginKeys, countSteps, makeKeys } from './batch-keys'
import {
  ACCEPTED,
  BASE,
  BUCKETS,
  COUNTS,
  CROWDED,
  DOCS,
  FRESH,
  FRESH_COUNT,
  KEYS,
  NEXT_BUCKET,
  OUT_DOCS,
  OUT_OWNERS,
  OWNER_LIMIT,
  OWNERS,
  REPEATS,
  ROOM,
  RUN,
  SLOTS,
} from './batch-record'
import {
  countPlain,
  endValue,
  firstValue,
  groupIndexes,
  groupValues,
  nextGroup,
  openValues,
  unpack,
} from './batch-values'

/** Counts the values of a record's batch by slot. */
export function countKeys(at: usize): void {
  openValues(at)
  beginKeys()
  const values = groupValues()
  const indexes = groupIndexes()
  const counts = load<usize>(at, COUNTS)
  const owners = load<usize>(at, OWNERS)
  const keys = load<i32>(at, KEYS)
  const ownerLimit = load<u32>(at, OWNER_LIMIT)
  if (!owners && load<i32>(at, RUN) >= 0 && !load<i32>(at, REPEATS)) {
    countRun(at, counts)
    return
  }
  for (let size = nextGroup(); size > 0; size = nextGroup()) {
    makeKeys(at, size)
    if (!owners) {
      countGroup(counts, size)
      continue
    }
    for (let i: usize = 0; i < <usize>size << 2; i += 4) {
      const key = load<i32>(values + (i << 1))
      if (key < 0) continue
      const owner = load<u32>(owners + (<usize>load<i32>(indexes + i) << 2))
      if (owner >= ownerLimit) continue
      const slot = counts + (<usize>(<i32>owner * keys + key) << 2)
      store<u32>(slot, load<u32>(slot) + 1)
    }
  }
}

/** Counts a run of documents, whose values lie side by side, in one owning bucket. */
function countRun(at: usize, counts: usize): void {
  const end = endValue()
  if (!load<usize>(at, SLOTS) && !load<usize>(at, ACCEPTED)) {
    const keys = load<u32>(at, KEYS)
    countPlain(firstValue(), end, counts, load<i64>(at, BASE), keys, keys + load<u32>(at, ROOM))
    return
  }
  const isStepped = load<usize>(at, SLOTS) != 0 && !load<i32>(at, CROWDED)
  for (let index = firstValue(); index < end; index += 128) {
    const size = min(128, end - index)
    unpack(index, size)
    if (isStepped) countSteps(at, size, counts)
    else {
      makeKeys(at, size)
      countGroup(counts, size)
    }
  }
}

/** Counts the keys of a group in one owning bucket. */
function countGroup(counts: usize, size: i32): void {
  const keys = groupValues()
  for (let i: usize = 0; i < <usize>size << 3; i += 8) {
    const key = load<i32>(keys + i)
    if (key < 0) continue
    const slot = counts + (<usize>key << 2)
    store<u32>(slot, load<u32>(slot) + 1)
  }
}

/**
 * The same of a column of one value a document, whose slots become buckets as they are met: lists
 * the documents that fell into one, and returns their number.
 */
export function assignBuckets(at: usize): i32 {
  openValues(at)
  beginKeys()
  const values = groupValues()
  const indexes = groupIndexes()
  const counts = load<usize>(at, COUNTS)
  const buckets = load<usize>(at, BUCKETS)
  const fresh = load<usize>(at, FRESH)
  const owners = load<usize>(at, OWNERS)
  const keys = load<i32>(at, KEYS)
  const ownerLimit = load<u32>(at, OWNER_LIMIT)
  const docs = load<usize>(at, DOCS)
  const run = load<i32>(at, RUN)
  const outDocs = load<usize>(at, OUT_DOCS)
  const outOwners = load<usize>(at, OUT_OWNERS)
  let nextBucket = load<i32>(at, NEXT_BUCKET)
  let freshCount: i32 = 0
  let out: usize = 0
  for (let size = nextGroup(); size > 0; size = nextGroup()) {
    makeKeys(at, size)
    for (let i: usize = 0; i < <usize>size << 2; i += 4) {
      const key = load<i32>(values + (i << 1))
      if (key < 0) continue
      const index = load<i32>(indexes + i)
      let slot = key
      if (owners) {
        const owner = load<u32>(owners + (<usize>index << 2))
        if (owner >= ownerLimit) continue
        slot += <i32>owner * keys
      }
      const offset = <usize>slot << 2
      store<u32>(counts + offset, load<u32>(counts + offset) + 1)
      let bucket = load<i32>(buckets + offset)
      if (!bucket) {
        bucket = ++nextBucket
        store<i32>(buckets + offset, bucket)
        store<i32>(fresh + (<usize>freshCount << 2), slot)
        freshCount++
      }
      store<i32>(outOwners + out, bucket - 1)
      if (outDocs)
        store<i32>(outDocs + out, run < 0 ? load<i32>(docs + (<usize>index << 2)) : run + index)
      out += 4
    }
  }
  store<i32>(at, freshCount, FRESH_COUNT)
  return <i32>(out >> 2)
}
