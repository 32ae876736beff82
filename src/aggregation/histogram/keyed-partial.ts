/** Columns of buckets by a double: plain data. */
export interface KeyedPartial {
  readonly owners: Int32Array
  readonly keys: Float64Array
  readonly counts: Float64Array
}

const NAMES = ['owners', 'keys', 'counts'] as const

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
  const { owners, keys, counts } = room
  let [i, j, size] = [0, 0, 0]
  while (i < a.keys.length && j < b.keys.length) {
    const order = a.owners[i]! - b.owners[j]! || a.keys[i]! - b.keys[j]!
    owners[size] = order <= 0 ? a.owners[i]! : b.owners[j]!
    keys[size] = order <= 0 ? a.keys[i]! : b.keys[j]!
    let count = 0
    if (order <= 0) count += a.counts[i++]!
    if (order >= 0) count += b.counts[j++]!
    counts[size++] = count
  }
  const [rest, from] = i < a.keys.length ? [a, i] : [b, j]
  const end = size + rest.keys.length - from
  for (const name of NAMES) room[name].set(rest[name].subarray(from), size)
  return {
    owners: owners.slice(0, end),
    keys: keys.slice(0, end),
    counts: counts.slice(0, end),
  }
}

/** Columns one behind the other; a pair may be in both. */
export function joinedRuns(a: KeyedPartial, b: KeyedPartial): KeyedPartial {
  const joined = columns(a.keys.length + b.keys.length)
  for (const name of NAMES) {
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
