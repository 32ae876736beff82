/**
 * Whether two values of plain data print the same as JSON: records, lists, texts, numbers, booleans and null. A field
 * that is undefined counts as one that is absent. Allocates nothing.
 */
export function isSamePlain(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true
  if (!isComposite(a) || !isComposite(b) || Array.isArray(a) !== Array.isArray(b)) return false
  for (const key in a) if (!isSamePlain(a[key], b[key])) return false
  for (const key in b) if (!(key in a) && b[key] !== undefined) return false
  return true
}

function isComposite(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
