/**
 * A list with one more: another one where it had none, else the same. What grows from empty takes room
 * for 17 at once.
 */
export function appended<T>(list: T[], item: T): T[] {
  if (list.length === 0) return [item]
  list.push(item)
  return list
}
