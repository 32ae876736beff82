/** One field of several leaves, and the part of it that each leaf has. */
import type { FieldInfo } from '../codec/directory/format.ts'
import type { Leaf } from '../segment/leaf.ts'
import type { MergedDocs } from './merged-docs.ts'

/** A leaf that is merged. */
export interface MergedLeaf {
  readonly leaf: Leaf
  /** New document by old one; −1 for a dropped one. */
  readonly docMap: Int32Array
  /** Whether some of its documents may be dropped. */
  readonly hasDeletes: boolean
}

/** A leaf's part of a field. */
export interface FieldPart extends MergedLeaf {
  readonly info: FieldInfo
  /** Ord of the leaf among the merged ones. */
  readonly ord: number
}

/** A field that is merged. */
export interface MergedField {
  readonly name: string
  /** Of the merged segment. */
  readonly docs: MergedDocs
  /** Leaves that have the field, min one. */
  readonly parts: readonly FieldPart[]
}

/** @param leaves min one of them has the field */
export function mergedField(
  name: string,
  leaves: readonly MergedLeaf[],
  docs: MergedDocs,
): MergedField {
  const parts: FieldPart[] = []
  for (const [ord, leaf] of leaves.entries()) {
    const info = leaf.leaf.fieldInfo(name)
    if (info !== null) parts.push({ ...leaf, info, ord })
  }
  return { name, docs, parts }
}

/** A value for each part, by leaf ord; null for a leaf without the field. */
export function byLeaf<T>(
  { docs, parts }: MergedField,
  of: (part: FieldPart, at: number) => T,
): (T | null)[] {
  const all: (T | null)[] = docs.docMaps.map(() => null)
  for (const [at, part] of parts.entries()) all[part.ord] = of(part, at)
  return all
}
