/** Counts the documents of a batch by bucket, and lists them with their buckets. */
import {
  beginKeys,
  compareSteps,
  countEqualSteps,
  countListedSteps,
  countSteps,
  makeKeys,
  MAX_COMPARED,
  nextKeys,
  NO_KEY,
} from './batch-keys'
import { countOne } from './batch-owners'
import {
  ACCEPTED,
  BASE,
  COUNTS,
  CROWDED,
  DOCS,
  FRESH,
  FRESH_COUNT,
  INVERSE,
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
  countIntegers,
  countListed,
  countPlain,
  endValue,
  firstIndex,
  firstValue,
  groupIndexes,
  groupValues,
  haveOneEach,
  isSparse,
  nextAccepted,
  openValues,
  SIGNS,
  unpack,
  unpackNarrow,
} from './batch-values'

/** Counts the values of a record's batch by slot. */
export function countKeys(at: usize): void {
  openValues(at)
  beginKeys(at)
  const counts = load<usize>(at, COUNTS)
  const owners = load<usize>(at, OWNERS)
  if (!owners && load<i32>(at, RUN) >= 0 && !load<i32>(at, REPEATS)) {
    countRun(at, counts)
    return
  }
  if (!owners && haveOneEach() && load<i32>(at, RUN) < 0) {
    const isStepped = load<usize>(at, SLOTS) != 0
    if (isStepped && !load<i32>(at, CROWDED) && !isSparse()) {
      countListedSteps(at, counts)
      return
    }
    if (!isStepped && !load<usize>(at, ACCEPTED)) {
      countListed(counts, load<i64>(at, BASE), load<u32>(at, KEYS))
      return
    }
  }
  for (let size = nextKeys(at); size > 0; size = nextKeys(at)) {
    if (owners) addOwners(at, owners, size)
    countIntegers(size, counts)
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
  const isEqual = load<f64>(at, INVERSE) != 0
  const hasRoom = load<u32>(at, ROOM) > 0
  const isStepped = load<usize>(at, SLOTS) != 0 && !load<i32>(at, CROWDED) && !isEqual
  const isCompared = load<usize>(at, SLOTS) != 0 && load<i32>(at, KEYS) <= MAX_COMPARED
  for (let index = firstValue(); index < end; index += 128) {
    const size = min(128, end - index)
    if (isCompared && unpackNarrow(index, size, load<i64>(at, BASE))) {
      compareSteps(at, size, counts)
      continue
    }
    unpack(index, size)
    if (isStepped) countSteps(at, size, counts)
    else if (isEqual && hasRoom) countEqualSteps(at, size, counts)
    else {
      makeKeys(at, size)
      countIntegers(size, counts)
    }
  }
}

// Slots that become buckets as they are met: a count and a bucket each, u32 and i32.
let table: usize = 0
let fresh: usize = 0
let freshCount: i32 = 0
let nextBucket: i32 = 0

/**
 * The same of a column of one value a document, whose slots become buckets as they are met: lists
 * the documents that fell into one, and returns their number.
 */
export function assignBuckets(at: usize): i32 {
  openValues(at)
  beginKeys(at)
  table = load<usize>(at, COUNTS)
  fresh = load<usize>(at, FRESH)
  freshCount = 0
  nextBucket = load<i32>(at, NEXT_BUCKET)
  const owners = load<usize>(at, OWNERS)
  const outOwners = load<usize>(at, OUT_OWNERS)
  const outDocs = load<usize>(at, OUT_DOCS)
  const run = load<i32>(at, RUN)
  const accepted: usize = load<usize>(at, SLOTS) ? 0 : load<usize>(at, ACCEPTED)
  let out: usize = 0
  if (accepted && outDocs && !owners && run >= 0 && haveOneEach()) {
    const keys = load<u32>(at, KEYS)
    for (let size = nextAccepted(accepted, keys); size >= 0; size = nextAccepted(accepted, keys))
      out += listGroup(outOwners + out, outDocs + out, size)
    addToAll(outDocs, out, run)
    store<i32>(at, freshCount, FRESH_COUNT)
    return <i32>(out >> 2)
  }
  for (let size = nextKeys(at); size > 0; size = nextKeys(at)) {
    if (owners) addOwners(at, owners, size)
    if (!outDocs) {
      out += bucketGroup(outOwners + out, size)
      continue
    }
    const listed = listGroup(outOwners + out, outDocs + out, size)
    if (run < 0) docsOfIndexes(load<usize>(at, DOCS), outDocs + out, listed)
    else addToAll(outDocs + out, listed, run)
    out += listed
  }
  store<i32>(at, freshCount, FRESH_COUNT)
  return <i32>(out >> 2)
}

/** Turns the keys of a group into slots. */
function addOwners(at: usize, owners: usize, size: i32): void {
  const keys = groupValues()
  const keyCount = load<i32>(at, KEYS)
  const ownerLimit = load<u32>(at, OWNER_LIMIT)
  if (haveOneEach()) {
    addAlongside(keys, owners + (<usize>firstIndex() << 2), size, keyCount, ownerLimit)
    return
  }
  const indexes = groupIndexes()
  for (let i: usize = 0; i < <usize>size << 2; i += 4) {
    const owner = load<u32>(owners + (<usize>load<i32>(indexes + i) << 2))
    const key = load<i32>(keys + i)
    const has = key >= 0 && owner < ownerLimit
    store<i32>(keys + i, has ? <i32>owner * keyCount + key : NO_KEY)
  }
}

/** The same where each key has an owner beside it. Lists of owners have room beside the last one. */
function addAlongside(
  keys: usize, owners: usize, size: i32, keyCount: i32, ownerLimit: u32,
): void {
  const factor = i32x4.splat(keyCount)
  const limit = i32x4.splat(ownerLimit)
  const none = i32x4.splat(NO_KEY)
  const zero = i32x4.splat(0)
  for (let i: usize = 0; i < <usize>size << 2; i += 16) {
    const owner = v128.load(owners + i)
    const key = v128.load(keys + i)
    const has = v128.and(i32x4.ge_s(key, zero), i32x4.lt_u(owner, limit))
    const slot = i32x4.add(i32x4.mul(owner, factor), key)
    v128.store(keys + i, v128.or(slot, v128.andnot(none, has)))
  }
}

/** Counts the slots of a group, and lists their buckets. @returns bytes of the list */
function bucketGroup(outOwners: usize, size: i32): usize {
  const slots = groupValues()
  const end = slots + (<usize>size << 2)
  const slotTable = table
  let at = slots
  let out = outOwners
  for (; at + 16 <= end; at += 16, out += 16) {
    const first = load<u64>(at)
    const second = load<u64>(at, 8)
    if ((first | second) & SIGNS) break
    store<i32>(out, bucketOf(slotTable, <u32>first))
    store<i32>(out, bucketOf(slotTable, <u32>(first >> 32)), 4)
    store<i32>(out, bucketOf(slotTable, <u32>second), 8)
    store<i32>(out, bucketOf(slotTable, <u32>(second >> 32)), 12)
  }
  for (; at < end; at += 4) {
    const slot = load<i32>(at)
    if (slot < 0) continue
    store<i32>(out, bucketOf(slotTable, slot))
    out += 4
  }
  return out - outOwners
}

/** The same, with the indexes of the documents. */
function listGroup(outOwners: usize, outIndexes: usize, size: i32): usize {
  const slots = groupValues()
  const indexes = groupIndexes()
  let out: usize = 0
  for (let i: usize = 0; i < <usize>size << 2; i += 4) {
    const slot = load<i32>(slots + i)
    if (slot < 0) continue
    store<i32>(outOwners + out, bucketOf(table, slot))
    store<i32>(outIndexes + out, load<i32>(indexes + i))
    out += 4
  }
  return out
}

/** Counts a document of a slot, and returns its bucket. */
@inline function bucketOf(slotTable: usize, slot: u32): i32 {
  const entry = slotTable + (<usize>slot << 3)
  const counted = load<u64>(entry) + 1
  store<u64>(entry, counted)
  const bucket = <i32>(counted >> 32)
  return bucket < 0 ? freshBucket(entry, slot) : bucket
}

function freshBucket(entry: usize, slot: u32): i32 {
  const bucket = nextBucket++
  store<i32>(entry, bucket, 4)
  store<i32>(fresh + (<usize>freshCount << 2), slot)
  freshCount++
  return bucket
}

/** Replaces indexes of documents of the batch by the documents. */
function docsOfIndexes(docs: usize, list: usize, bytes: usize): void {
  for (let i: usize = 0; i < bytes; i += 4)
    store<i32>(list + i, load<i32>(docs + (<usize>load<i32>(list + i) << 2)))
}

function addToAll(list: usize, bytes: usize, by: i32): void {
  for (let i: usize = 0; i < bytes; i += 4) store<i32>(list + i, load<i32>(list + i) + by)
}
