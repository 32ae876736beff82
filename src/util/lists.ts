/** Lists that most often have one element. */

/**
 * A list with one more: another one where it had none, else the same. What grows from empty takes room
 * for 17 at once.
 */
export function appended<T>(list: T[], item: T): T[] {
  if (list.length === 0) return [item]
  list.push(item)
  return list
}

/** So many are sorted faster without the call of a sort. */
const FEW = 32

/** Sorts in place, equals as they stand. */
export function sortFew<T>(items: T[], compare: (a: T, b: T) => number): T[] {
  if (items.length > FEW) return items.sort(compare)
  for (let i = 1; i < items.length; i++) {
    const item = items[i]!
    let at = i
    for (; at > 0 && compare(item, items[at - 1]!) < 0; at--) items[at] = items[at - 1]!
    items[at] = item
  }
  return items
}
