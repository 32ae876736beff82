/** Buckets that know their owning bucket. */
export interface OwnedBuckets {
  readonly size: number
  owner(bucket: number): number
}

/** The buckets of each of some owning buckets, in order of the buckets. */
export function bucketsByOwner(buckets: OwnedBuckets, owners: Int32Array): readonly Int32Array[] {
  const { size } = buckets
  if (owners.length === 1 && size > 0) {
    const all = new Int32Array(size)
    let count = 0
    for (let bucket = 0; bucket < size; bucket++)
      if (buckets.owner(bucket) === owners[0]) all[count++] = bucket
    return [all.subarray(0, count)]
  }
  const indexOf = new Map<number, number>()
  for (const [i, owner] of owners.entries()) indexOf.set(owner, i)
  const counts = new Int32Array(owners.length)
  for (let bucket = 0; bucket < size; bucket++) {
    const at = indexOf.get(buckets.owner(bucket))
    if (at !== undefined) counts[at] = counts[at]! + 1
  }
  const lists = Array.from(counts, count => new Int32Array(count))
  counts.fill(0)
  for (let bucket = 0; bucket < size; bucket++) {
    const at = indexOf.get(buckets.owner(bucket))
    if (at === undefined) continue
    lists[at]![counts[at]!] = bucket
    counts[at] = counts[at]! + 1
  }
  return lists
}
