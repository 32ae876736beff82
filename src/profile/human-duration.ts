import type { JsonRecord } from '../util/json/json-value.ts'

const UNITS: readonly (readonly [string, number])[] = [
  ['d', 86_400e9],
  ['h', 3_600e9],
  ['m', 60e9],
  ['s', 1e9],
  ['ms', 1e6],
  ['micros', 1e3],
]

/**
 * A duration in the largest unit that gives at least 1, with at most one decimal, truncated: 113711
 * → `113.7micros`, 1000000 → `1ms`, 123 → `123nanos`, 0 → `0s`.
 */
export function humanDuration(nanos: number): string {
  if (nanos === 0) return '0s'
  for (const [unit, size] of UNITS) {
    if (nanos < size) continue
    const tenths = Math.floor((nanos * 10) / size)
    const rest = tenths % 10
    return `${Math.floor(tenths / 10)}${rest === 0 ? '' : `.${rest}`}${unit}`
  }
  return `${nanos}nanos`
}

/** Text twins, then the raw values; the twins only if requested. */
export function durations(
  values: readonly (readonly [string, number])[],
  human: boolean,
): JsonRecord {
  const twins = human ? values.map(([key, value]) => [key, humanDuration(value)] as const) : []
  const raw = values.map(([key, value]) => [`${key}_in_nanos`, value] as const)
  return Object.fromEntries([...twins, ...raw])
}
