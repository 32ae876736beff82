/**
 * A mapping laid out for reading documents: for each object a hash table from a name's bytes to
 * what is there, so that a mapped field costs no string.
 */
import { encodeUtf8 } from '../util/bytes.ts'
import { isFieldAlias, REFUSING_WRITES } from './field-alias.ts'
import type { ValueTaker } from './field-type/field-kind.ts'
import { fieldKind } from './field-type/field-types.ts'
import type { MappedField } from './field-type/mapped-field.ts'
import {
  type Dynamic,
  type FieldAlias,
  type FieldType,
  isObjectType,
  type ObjectType,
} from './field-type.ts'
import type { Mapping } from './mapping.ts'

/** A field as the parser needs it. */
export interface LeafPlan {
  readonly field: MappedField
  /** Takes its values: asked for each, so that none is looked up by name. */
  readonly kind: ValueTaker<MappedField>
  /** Index in `Mapping.leaves`. */
  readonly ordinal: number
  /** Derived fields that get its values. */
  readonly derived: readonly LeafPlan[]
  /** Multi-fields, which may have such themselves. */
  readonly multiFields: readonly LeafPlan[]
  /** Full paths of the fields that get its values too. */
  readonly copyTo: readonly string[]
}

/** Conditions around an object. */
interface PlanScope {
  readonly dynamic: Dynamic
  /** Whether the fields of the document around it are indexed in the whole document too. */
  readonly reachesRoot: boolean
}

/** How nested objects are indexed besides their own documents. */
export interface NestedPlan {
  readonly toParent: boolean
  /** False where the parent's own inclusion takes the values there already. */
  readonly toRoot: boolean
  readonly reachesRoot: boolean
}

function nestedPlan({ nested }: ObjectType, around: PlanScope | null): NestedPlan | null {
  if (nested === null) return null
  const toParent = nested.includeInParent ?? false
  const isByParent = toParent && (around?.reachesRoot ?? true)
  const toRoot = (nested.includeInRoot ?? false) && !isByParent
  return { toParent, toRoot, reachesRoot: isByParent || toRoot }
}

/** An object as the parser needs it; `dynamic` is resolved through the objects around it. */
export class ObjectPlan {
  readonly path: string
  readonly dynamic: Dynamic
  readonly isEnabled: boolean
  /** Whether it takes no objects, so that the names of its fields have dots. */
  readonly isFlat: boolean
  /** Null unless its objects are documents of their own. */
  readonly nested: NestedPlan | null
  readonly #names: Uint8Array[] = []
  readonly #entries: (LeafPlan | ObjectPlan)[] = []
  #table: Int32Array
  readonly #byText: ReadonlyMap<string, LeafPlan | ObjectPlan>

  /** @param around null for the root */
  constructor(object: ObjectType, mapping: Mapping, around: PlanScope | null) {
    this.path = object.name
    this.dynamic = object.dynamic ?? around?.dynamic ?? 'true'
    this.isEnabled = object.enabled ?? true
    this.isFlat = object.disableObjects ?? false
    this.nested = nestedPlan(object, around)
    const scope = {
      dynamic: this.dynamic,
      reachesRoot: this.nested?.reachesRoot ?? around?.reachesRoot ?? true,
    }
    const byText = new Map<string, LeafPlan | ObjectPlan>()
    for (const [name, entry] of object.children) {
      const plan = isObjectType(entry)
        ? new ObjectPlan(entry, mapping, scope)
        : isFieldAlias(entry)
          ? aliasPlan(entry)
          : leafPlan(entry, mapping)
      byText.set(name, plan)
      this.#names.push(encodeUtf8(name))
      this.#entries.push(plan)
    }
    this.#byText = byText
    let size = 8
    while (size < this.#names.length * 2) size *= 2
    this.#table = new Int32Array(size).fill(-1)
    for (const [i, name] of this.#names.entries()) {
      let at = hashName(name, 0, name.length) & (size - 1)
      while (this.#table[at] !== -1) at = (at + 1) & (size - 1)
      this.#table[at] = i
    }
  }

  /** The entry whose name is `bytes[start, end)`, null when there is none. */
  find(bytes: Uint8Array, start: number, end: number): LeafPlan | ObjectPlan | null {
    const table = this.#table
    const mask = table.length - 1
    let at = hashName(bytes, start, end) & mask
    for (;;) {
      const index = table[at]!
      if (index === -1) return null
      const name = this.#names[index]!
      if (name.length === end - start) {
        let i = 0
        while (i < name.length && name[i] === bytes[start + i]) i++
        if (i === name.length) return this.#entries[index]!
      }
      at = (at + 1) & mask
    }
  }

  /** The entry of that last name, null when there is none. */
  findText(name: string): LeafPlan | ObjectPlan | null {
    return this.#byText.get(name) ?? null
  }
}

function leafPlan(field: FieldType, mapping: Mapping): LeafPlan {
  const kind = fieldKind(field.type)
  return {
    field,
    kind,
    ordinal: mapping.ordinal(field.name),
    derived: kind.fills === undefined ? field.derived.map(sub => leafPlan(sub, mapping)) : [],
    multiFields: field.multiFields.map(sub => leafPlan(sub, mapping)),
    copyTo: field.copyTo,
  }
}

function aliasPlan(alias: FieldAlias): LeafPlan {
  return {
    field: alias,
    kind: REFUSING_WRITES,
    ordinal: -1,
    derived: [],
    multiFields: [],
    copyTo: [],
  }
}

function hashName(bytes: Uint8Array, start: number, end: number): number {
  let hash = end - start
  for (let i = start; i < end; i++) hash = Math.imul(hash ^ bytes[i]!, 0x01000193)
  return hash ^ (hash >>> 15)
}
