/** The types that a source may name, with their members joined over their supers. */
import { Float32, Float64 } from '../../util/json/json-value.ts'
import { classNameOf, type ScriptValue } from '../value/script-value.ts'
import type { ClassType, Member, TypeName } from './library/class-type.ts'

const PRIMITIVES: ReadonlySet<TypeName> = new Set(
  'boolean byte short char int long float double'.split(' '),
)

const BOXES: ReadonlyMap<TypeName, TypeName> = new Map([
  ['boolean', 'Boolean'],
  ['byte', 'Byte'],
  ['short', 'Short'],
  ['char', 'Character'],
  ['int', 'Integer'],
  ['long', 'Long'],
  ['float', 'Float'],
  ['double', 'Double'],
])

const PRIMITIVE_OF_BOX: ReadonlyMap<TypeName, TypeName> = new Map(
  [...BOXES].map(([primitive, box]) => [box, primitive]),
)

/** Whether a type is one of Java's eight. */
export function isPrimitive(type: TypeName): boolean {
  return PRIMITIVES.has(type)
}

/** The class whose values a primitive type's become; other types stay. */
export function boxOf(type: TypeName): TypeName {
  return BOXES.get(type) ?? type
}

/** The primitive type whose values a class holds; null: it holds none. */
export function unboxedOf(type: TypeName): TypeName | null {
  return PRIMITIVE_OF_BOX.get(type) ?? null
}

/** Whether a type is an array; the type of its items is `itemTypeOf`. */
export function isArray(type: TypeName): boolean {
  return type.endsWith('[]')
}

/** The type of an array's items. */
export function itemTypeOf(type: TypeName): TypeName {
  return type.slice(0, -2)
}

/** An allow-list under its names. */
export class ClassTable {
  readonly #byName = new Map<string, ClassType>()
  readonly #byJavaName = new Map<string, ClassType>()
  readonly #methods = new Map<ClassType, ReadonlyMap<string, Member>>()
  readonly #supers = new Map<ClassType, ReadonlySet<string>>()
  readonly #object: ClassType
  readonly #string: ClassType
  readonly #integer: ClassType
  readonly #long: ClassType
  readonly #double: ClassType
  readonly #boolean: ClassType
  readonly #list: ClassType
  readonly #map: ClassType

  constructor(classes: readonly ClassType[]) {
    for (const type of classes) {
      this.#byName.set(type.name, type)
      this.#byJavaName.set(canonical(type.javaName), type)
    }
    this.#object = this.#byName.get('Object')!
    this.#string = this.#byName.get('String') ?? this.#object
    this.#integer = this.#byName.get('Integer') ?? this.#object
    this.#long = this.#byName.get('Long') ?? this.#object
    this.#double = this.#byName.get('Double') ?? this.#object
    this.#boolean = this.#byName.get('Boolean') ?? this.#object
    this.#list = this.#byName.get('ArrayList') ?? this.#object
    this.#map = this.#byName.get('HashMap') ?? this.#object
  }

  /** A type as the compiler names it, out of a written one; null: there is none. */
  resolve(written: string): TypeName | null {
    const bare = written.replace(/(\[\])+$/, '')
    const dimensions = written.slice(bare.length)
    if (isPrimitive(bare) || bare === 'def') return written
    if (bare === 'void') return dimensions === '' ? 'void' : null
    const type = this.#byName.get(bare) ?? this.#byJavaName.get(bare)
    return type === undefined ? null : type.name + dimensions
  }

  /** The class of a type; null for primitives, `def` and arrays. */
  classOf(type: TypeName): ClassType | null {
    return this.#byName.get(type) ?? null
  }

  /** The class of a value, or `Object` where the allow-list has none. */
  classOfValue(value: Exclude<ScriptValue, null>): ClassType {
    switch (typeof value) {
      case 'string':
        return this.#string
      case 'number':
        return Number.isInteger(value) ? this.#integer : this.#double
      case 'bigint':
        return this.#long
      case 'boolean':
        return this.#boolean
      case 'object':
        if (value.constructor === Map) return this.#map
        if (value.constructor === Array) return this.#list
        if (value instanceof Float64) return this.#double
        if (value instanceof Float32) return this.#byName.get('Float') ?? this.#object
        return this.#byJavaName.get(canonical(classNameOf(value))) ?? this.#object
    }
  }

  /** Methods of a class and its supers by `name/arity`. */
  methods(type: ClassType): ReadonlyMap<string, Member> {
    const known = this.#methods.get(type)
    if (known !== undefined) return known
    const methods = new Map<string, Member>()
    for (const each of [...this.#line(type)].reverse())
      for (const [key, member] of Object.entries(each.methods)) methods.set(key, member)
    this.#methods.set(type, methods)
    return methods
  }

  /** Whether every value of a class type is one of another. */
  isSubclass(type: TypeName, other: TypeName): boolean {
    if (type === other || other === 'Object') return true
    const from = this.classOf(type)
    if (from === null) return false
    let supers = this.#supers.get(from)
    if (supers === undefined) {
      supers = new Set([...this.#line(from)].map(each => each.name))
      this.#supers.set(from, supers)
    }
    return supers.has(other)
  }

  /** A class with all above it, the nearest first. */
  #line(type: ClassType): Set<ClassType> {
    const line = new Set([type])
    for (const each of line)
      for (const name of each.supers) {
        const above = this.#byName.get(name)
        if (above !== undefined && above !== this.#object) line.add(above)
      }
    return line.add(this.#object)
  }

  /** A type as errors name it: `java.util.List`, `int`, `java.lang.String[]`. */
  nameOf(type: TypeName): string {
    if (isArray(type)) return `${this.nameOf(itemTypeOf(type))}[]`
    return canonical(this.classOf(type)?.javaName ?? type)
  }

  /** The class of a value as errors name it. */
  nameOfValue(value: ScriptValue): string {
    return value === null ? 'null' : canonical(classNameOf(value))
  }
}

/** A nested class's name with dots, as a source writes it. */
function canonical(javaName: string): string {
  return javaName.replaceAll('$', '.')
}
