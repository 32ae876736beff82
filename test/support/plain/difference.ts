/** The first difference of two printed answers, the order of keys and the sign of 0 included. */

/** A number that is right to so many digits that no document is missing from it. */
export class Near {
  readonly value: number

  constructor(value: number) {
    this.value = value
  }

  accepts(other: unknown): boolean {
    if (!Number.isFinite(this.value)) return other === 'NaN'
    if (typeof other !== 'number') return false
    return Math.abs(other - this.value) <= 1e-9 * Math.max(1, Math.abs(this.value))
  }
}

/** Where two answers differ and how; null: nowhere. */
export function difference(actual: unknown, expected: unknown, path = ''): string | null {
  if (expected instanceof Near)
    return expected.accepts(actual) ? null : told(path, actual, expected.value)
  if (!isObject(actual) || !isObject(expected))
    return Object.is(actual, expected) ? null : told(path, actual, expected)
  const keys = Object.keys(actual)
  const wanted = Object.keys(expected).filter(key => expected[key] !== undefined)
  for (const key of wanted) {
    if (!keys.includes(key)) return told(`${path}.${key}`, undefined, expected[key])
    const found = difference(actual[key], expected[key], `${path}.${key}`)
    if (found !== null) return found
  }
  return keys.join() === wanted.join() ? null : told(`keys of ${path}`, keys, wanted)
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}

function told(path: string, actual: unknown, expected: unknown): string {
  return `${path} is ${JSON.stringify(actual)}, expected ${JSON.stringify(expected)}`
}
