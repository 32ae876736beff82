/** The owning buckets of the documents of a group. */
import { firstIndex, groupIndexes, haveOneEach } from './batch-values'

/**
 * Address of the owning buckets of a group's documents, u32 each; 0: one of them lies beyond the limit,
 * which a parent never hands down.
 */
export function ownersOfGroup(owners: usize, limit: u32, size: i32): usize {
  let found = owners + (<usize>firstIndex() << 2)
  if (!haveOneEach()) {
    found = groupIndexes()
    for (let i: usize = 0; i < <usize>size << 2; i += 4)
      store<u32>(found + i, load<u32>(owners + (<usize>load<i32>(found + i) << 2)))
  }
  const bytes = <usize>size << 2
  const whole = bytes & ~15
  let highest = i32x4.splat(0)
  for (let i: usize = 0; i < whole; i += 16) highest = i32x4.max_u(highest, v128.load(found + i))
  for (let i = whole; i < bytes; i += 4)
    highest = i32x4.max_u(highest, i32x4.splat(load<u32>(found + i)))
  return v128.any_true(i32x4.ge_u(highest, i32x4.splat(limit))) ? 0 : found
}

/** Counts one more. */
@inline export function countOne(count: usize): void {
  store<u32>(count, load<u32>(count) + 1)
}

/** Counts the documents of a group by owning bucket. */
export function countOwners(owners: usize, size: i32, counts: usize): void {
  for (let i: usize = 0; i < <usize>size << 2; i += 4)
    countOne(counts + (<usize>load<u32>(owners + i) << 2))
}
