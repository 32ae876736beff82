import { isFieldAlias } from '../../schema/field-alias.ts'
import type { FieldType, MappingEntry, ObjectType } from '../../schema/field-type.ts'
import { isObjectType } from '../../schema/field-type.ts'
import { Mapping } from '../../schema/mapping.ts'
import type { FieldRestrictions } from '../../task/access.ts'

/** Mappings of other restrictions that are kept for one mapping. */
const MOST_KEPT = 64

/** By the whole mapping, then by the key of the restrictions. */
const kept = new WeakMap<Mapping, Map<string, Mapping>>()

/**
 * A mapping in which the fields that are hidden do not exist, so that whatever is planned with it treats them as
 * fields that no document has. The same object for the same mapping and restrictions.
 */
export function visibleMapping(mapping: Mapping, fields: FieldRestrictions): Mapping {
  let known = kept.get(mapping)
  if (known === undefined) {
    known = new Map()
    kept.set(mapping, known)
  }
  let visible = known.get(fields.key)
  if (visible === undefined) {
    visible = new Mapping(visibleObject(mapping.root, fields), mapping.options)
    if (known.size >= MOST_KEPT) known.clear()
    known.set(fields.key, visible)
  }
  return visible
}

/** The depth of a mapping is bounded when it is read. */
function visibleObject(object: ObjectType, fields: FieldRestrictions): ObjectType {
  const children = new Map<string, MappingEntry>()
  for (const [key, entry] of object.children) {
    if (isObjectType(entry)) {
      const inner = visibleObject(entry, fields)
      if (inner.children.size > 0 || fields.sees(entry.name)) children.set(key, inner)
    } else if (isFieldAlias(entry)) {
      if (fields.sees(entry.path)) children.set(key, entry)
    } else if (isSeen(entry, fields)) children.set(key, visibleField(entry, fields))
    // A multi-field that is seen without its parent stands by itself.
    else
      for (const below of seenBelow(entry, fields))
        children.set(`${key}${below.name.slice(entry.name.length)}`, below)
  }
  return { ...object, children }
}

function visibleField(field: FieldType, fields: FieldRestrictions): FieldType {
  const multiFields = field.multiFields.flatMap(each =>
    isSeen(each, fields) ? [visibleField(each, fields)] : [],
  )
  return { ...field, multiFields, copyTo: field.copyTo.filter(path => fields.sees(path)) }
}

function seenBelow(field: FieldType, fields: FieldRestrictions): readonly FieldType[] {
  return field.multiFields.flatMap(each =>
    isSeen(each, fields) ? [visibleField(each, fields)] : seenBelow(each, fields),
  )
}

/**
 * Whether a field can be searched. One column has the values of all keys of an object that is one field: where a key
 * may be hidden, none of them is searched.
 */
function isSeen({ name, type }: FieldType, fields: FieldRestrictions): boolean {
  const hasKeys = type === 'flat_object' || type === 'rank_features'
  return fields.sees(name) && !(hasKeys && fields.mayHideWithin(name))
}
