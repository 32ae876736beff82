/** JSON text of values among which there are vectors as typed arrays. */

/** A vector as programs hold it: components of `float`, or of `byte` and the bytes of `binary`. */
export type Vector = Float32Array | Float64Array | Int8Array

/** Digits with which some float32 read back as themselves, and with which all do. */
const FEW_DIGITS = 7
const ALL_DIGITS = 9

/** Whether a value is a vector. */
export function isVector(value: unknown): value is Vector {
  return (
    value instanceof Float32Array || value instanceof Float64Array || value instanceof Int8Array
  )
}

/**
 * The JSON text of a value, as `JSON.stringify` writes it but for vectors, which become lists: each component in
 * the fewest digits that read back as the same float32.
 * @returns undefined where JSON has no such value
 * @throws {TypeError} a cycle, a bigint
 */
export function vectorJson(value: unknown): string | undefined {
  return holdsVector(value, new Set()) ? textOf(value) : JSON.stringify(value)
}

/** @param seen objects that were looked into: in cycles, too, each is once */
function holdsVector(value: unknown, seen: Set<object>): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (isVector(value)) return true
  if (ArrayBuffer.isView(value) || hasOwnForm(value) || seen.has(value)) return false
  seen.add(value)
  return Object.values(value).some(item => holdsVector(item, seen))
}

function hasOwnForm(value: object): boolean {
  return 'toJSON' in value && typeof value.toJSON === 'function'
}

function textOf(value: unknown): string | undefined {
  if (isVector(value)) return listText(value)
  if (!holdsVector(value, new Set())) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(item => textOf(item) ?? 'null').join(',')}]`
  const entries = Object.entries(value as object).flatMap(([key, item]) => {
    const text = textOf(item)
    return text === undefined ? [] : [`${JSON.stringify(key)}:${text}`]
  })
  return `{${entries.join(',')}}`
}

function listText(vector: Vector): string {
  const digits = vector instanceof Float32Array ? singleText : componentText
  let text = '['
  for (let i = 0; i < vector.length; i++) text += (i === 0 ? '' : ',') + digits(vector[i]!)
  return `${text}]`
}

/** JSON has no such numbers; as text the field refuses them in words of its own. */
function componentText(value: number): string {
  return Number.isFinite(value) ? String(value) : `"${value}"`
}

function singleText(value: number): string {
  if (!Number.isFinite(value)) return componentText(value)
  for (let digits = FEW_DIGITS; digits < ALL_DIGITS; digits++) {
    const short = Number(value.toPrecision(digits))
    if (Math.fround(short) === value) return String(short)
  }
  return String(Number(value.toPrecision(ALL_DIGITS)))
}
