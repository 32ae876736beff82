/**
 * Appends to a list; an empty one is replaced by a new list, as V8 reserves 17 elements when an
 * empty array grows.
 */
export function appended<T>(list: T[], item: T): T[] {
  if (list.length === 0) return [item]
  list.push(item)
  return list
}
