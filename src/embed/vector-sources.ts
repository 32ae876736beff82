/** Vectors in the sources that a program gets back. */

/** The fields of vectors of an index, by the names that lead to each. */
export type VectorFields = readonly VectorPlace[]

/** A field of vectors: its components become float32 or, of `byte` and `binary`, integers of eight bits. */
export interface VectorPlace {
  readonly names: readonly string[]
  readonly isFloat: boolean
}

/**
 * Puts typed arrays in place of the lists of vectors; a value that is no list of numbers stays. Each array is the
 * caller's own.
 * @param source as `JSON.parse` made it; its vectors are replaced within it
 */
export function withVectors<T>(source: T, fields: VectorFields): T {
  for (const { names, isFloat } of fields) replace(source, names, 0, isFloat)
  return source
}

function replace(node: unknown, names: readonly string[], from: number, isFloat: boolean): void {
  if (Array.isArray(node)) {
    for (const item of node) replace(item, names, from, isFloat)
    return
  }
  if (typeof node !== 'object' || node === null) return
  const own = node as Record<string, unknown>
  // A document may write several names as one: `{"a.b": …}`.
  for (let end = from + 1; end <= names.length; end++) {
    const key = names.slice(from, end).join('.')
    if (!Object.hasOwn(own, key)) continue
    if (end === names.length) own[key] = typedOf(own[key], isFloat)
    else replace(own[key], names, end, isFloat)
  }
}

function typedOf(value: unknown, isFloat: boolean): unknown {
  if (!Array.isArray(value) || !value.every(isComponent)) return value
  return isFloat ? Float32Array.from(value, Number) : Int8Array.from(value, Number)
}

/** Fields take digits in quotes too. */
function isComponent(value: unknown): boolean {
  return typeof value === 'number' || (typeof value === 'string' && value.trim() !== '')
}

/** The fields of vectors of a mapping in the documented form. */
export function vectorFieldsOf(mapping: object): VectorFields {
  const found: VectorPlace[] = []
  const look = (node: unknown, names: readonly string[]): void => {
    const properties = (node as { readonly properties?: unknown } | null)?.properties
    if (typeof properties !== 'object' || properties === null) return
    for (const [name, field] of Object.entries(properties)) {
      const own = [...names, ...name.split('.')]
      const { type, data_type: element = 'float' } = (field ?? {}) as Record<string, unknown>
      if (type === 'knn_vector') found.push({ names: own, isFloat: element === 'float' })
      look(field, own)
    }
  }
  look(mapping, [])
  return found
}
