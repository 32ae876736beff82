import { isFieldAlias } from '../../schema/field-alias.ts'
import {
  type FieldType,
  isObjectType,
  type MappingEntry,
  type ObjectType,
} from '../../schema/field-type.ts'
import { Mapping } from '../../schema/mapping.ts'
import type { FieldRestrictions } from '../../task/access.ts'

/** The mappings of an index for a caller with restrictions. */
interface VisibleMapping {
  /** For searches: without fields that are hidden or masked. */
  readonly mapping: Mapping
  /** For answers: without fields that are hidden. */
  readonly shown: Mapping
}

/** Mappings of other restrictions that are kept for one mapping. */
const MOST_KEPT = 64

/** By the whole mapping, then by the key of the restrictions. */
const kept = new WeakMap<Mapping, Map<string, VisibleMapping>>()

/**
 * Mappings in which the fields that are hidden do not exist, so that whatever is planned with them treats these as
 * fields that no document has. The same objects for the same mapping and restrictions.
 */
export function visibleMapping(whole: Mapping, fields: FieldRestrictions): VisibleMapping {
  let known = kept.get(whole)
  if (known === undefined) {
    known = new Map()
    kept.set(whole, known)
  }
  let visible = known.get(fields.key)
  if (visible === undefined) {
    const without = (isLeft: IsLeft): Mapping =>
      new Mapping(visibleObject(whole.root, isLeft), whole.options)
    const shown = without(field => isSeen(field, fields))
    const mapping = fields.masks
      ? without(field => isSeen(field, fields) && fields.maskOf(field.name) === null)
      : shown
    visible = { mapping, shown }
    if (known.size >= MOST_KEPT) known.clear()
    known.set(fields.key, visible)
  }
  return visible
}

/** Whether an entry of a mapping is left in it, as far as its own path tells. */
type IsLeft = (entry: Pick<FieldType, 'name'> & { readonly type: string }) => boolean

/** The depth of a mapping is bounded when it is read. */
function visibleObject(object: ObjectType, isLeft: IsLeft): ObjectType {
  const children = new Map<string, MappingEntry>()
  for (const [key, entry] of object.children) {
    if (isObjectType(entry)) {
      const inner = visibleObject(entry, isLeft)
      if (inner.children.size > 0 || isLeft({ name: entry.name, type: 'object' }))
        children.set(key, inner)
    } else if (isFieldAlias(entry)) {
      if (isLeft({ name: entry.path, type: entry.type })) children.set(key, entry)
    } else if (isLeft(entry)) children.set(key, visibleField(entry, isLeft))
    // A multi-field that is left without its parent stands by itself.
    else
      for (const below of leftBelow(entry, isLeft))
        children.set(`${key}${below.name.slice(entry.name.length)}`, below)
  }
  return { ...object, children }
}

function visibleField(field: FieldType, isLeft: IsLeft): FieldType {
  const multiFields = field.multiFields.flatMap(each =>
    isLeft(each) ? [visibleField(each, isLeft)] : [],
  )
  const copyTo = field.copyTo.filter(path => isLeft({ name: path, type: field.type }))
  return { ...field, multiFields, copyTo }
}

function leftBelow(field: FieldType, isLeft: IsLeft): readonly FieldType[] {
  return field.multiFields.flatMap(each =>
    isLeft(each) ? [visibleField(each, isLeft)] : leftBelow(each, isLeft),
  )
}

/**
 * Whether an entry is seen. One column has the values of all keys of an object that is one field: where a key may be
 * hidden, none of them is searched.
 */
function isSeen(
  { name, type }: { readonly name: string; readonly type: string },
  fields: FieldRestrictions,
): boolean {
  const hasKeys = type === 'flat_object' || type === 'rank_features'
  return fields.sees(name) && !(hasKeys && fields.mayHideWithin(name))
}
