/** Columns of buckets by a double: plain data. */
export interface KeyedPartial {
  readonly owners: Int32Array
  readonly keys: Float64Array
  readonly counts: Float64Array
}

/** Whether pairs of an owning bucket and a key ascend, none of them twice. */
export function isAscending(owners: Int32Array, keys: Float64Array): boolean {
  for (let i = 1; i < owners.length; i++) {
    const owner = owners[i]!
    const before = owners[i - 1]!
    if (owner < before || (owner === before && !(keys[i]! > keys[i - 1]!))) return false
  }
  return true
}

/** Two runs of ascending pairs as one, each pair once. */
export function mergedRuns(a: KeyedPartial, b: KeyedPartial): KeyedPartial {
  const room = columns(a.keys.length + b.keys.length)
  let [i, j, count] = [0, 0, 0]
  while (i < a.keys.length || j < b.keys.length) {
    const order = compareAt(a, i, b, j)
    const [from, at] = order <= 0 ? [a, i] : [b, j]
    room.owners[count] = from.owners[at]!
    room.keys[count] = from.keys[at]!
    room.counts[count++] = (order <= 0 ? a.counts[i]! : 0) + (order >= 0 ? b.counts[j]! : 0)
    if (order <= 0) i++
    if (order >= 0) j++
  }
  return {
    owners: room.owners.slice(0, count),
    keys: room.keys.slice(0, count),
    counts: room.counts.slice(0, count),
  }
}

/** Columns one behind the other; a pair may be in both. */
export function joinedRuns(a: KeyedPartial, b: KeyedPartial): KeyedPartial {
  const joined = columns(a.keys.length + b.keys.length)
  for (const name of ['owners', 'keys', 'counts'] as const) {
    joined[name].set(a[name])
    joined[name].set(b[name], a.keys.length)
  }
  return joined
}

function columns(count: number): KeyedPartial {
  return {
    owners: new Int32Array(count),
    keys: new Float64Array(count),
    counts: new Float64Array(count),
  }
}

/** Negative: the pair of the first run is next; behind a run's end is the other's. */
function compareAt(a: KeyedPartial, i: number, b: KeyedPartial, j: number): number {
  if (i === a.keys.length) return 1
  if (j === b.keys.length) return -1
  return a.owners[i]! - b.owners[j]! || a.keys[i]! - b.keys[j]!
}
