/** `Optional`, `OptionalInt`, `OptionalLong` and `OptionalDouble`. */
import { noSuchElement, nullPointer } from '../../java-faults.ts'
import { boxed } from '../../value/boxing.ts'
import { ScriptObject, type ScriptValue, scalarText } from '../../value/script-value.ts'
import { doubleFrom, holds, intFrom, longFrom } from './call-function.ts'
import { classOf } from './class-of.ts'
import type { ClassType, ScriptFunction } from './class-type.ts'
import { members } from './members.ts'

/** A `java.util.Optional`, of an item type that is `def` or a primitive one. */
export class OptionalValue extends ScriptObject {
  readonly className: string
  readonly itemType: string
  /** In the form of the item type; undefined: it is empty. */
  readonly value: ScriptValue | undefined

  constructor(itemType: string, value: ScriptValue | undefined) {
    super()
    this.className = `java.util.${optionalName(itemType)}`
    this.itemType = itemType
    this.value = value
  }

  /** As a `def`; null: it is empty. */
  get boxed(): ScriptValue {
    return this.value === undefined ? null : boxed(this.itemType, this.value)
  }

  override text(): string {
    const name = optionalName(this.itemType)
    if (this.value === undefined) return `${name}.empty`
    return `${name}[${scalarText(this.boxed) ?? '…'}]`
  }

  override equals(other: ScriptValue): boolean {
    return (
      other instanceof OptionalValue &&
      other.className === this.className &&
      (Object.is(other.value, this.value) || other.text() === this.text())
    )
  }
}

/** `Optional` for `def`, `OptionalInt` for `int`. */
export function optionalName(itemType: string): string {
  return itemType === 'def'
    ? 'Optional'
    : `Optional${itemType[0]!.toUpperCase()}${itemType.slice(1)}`
}

/** An optional value of any class. */
export function optionalOf(value: ScriptValue): OptionalValue {
  return new OptionalValue('def', value === null ? undefined : value)
}

function valueIn(optional: OptionalValue): ScriptValue {
  if (optional.value === undefined) throw noSuchElement('No value present')
  return optional.value
}

const OPTIONAL: ClassType = {
  ...classOf(
    'Optional',
    'java.util.Optional',
    value => value instanceof OptionalValue && value.itemType === 'def',
  ),
  methods: members({
    'Optional filter(Predicate)': (_run, optional: OptionalValue, predicate: ScriptFunction) =>
      optional.value !== undefined && holds(predicate, optional.value)
        ? optional
        : optionalOf(null),
    'Optional flatMap(Function)': (_run, optional: OptionalValue, of: ScriptFunction) => {
      if (optional.value === undefined) return optional
      const result = of.call(optional.value)
      if (!(result instanceof OptionalValue)) throw nullPointer('the function gave no Optional')
      return result.itemType === 'def' ? result : optionalOf(result.boxed)
    },
    'def get()': (_run, optional: OptionalValue) => valueIn(optional),
    'void ifPresent(Consumer)': (_run, optional: OptionalValue, consumer: ScriptFunction) => {
      if (optional.value !== undefined) consumer.call(optional.value)
    },
    'boolean isPresent()': (_run, optional: OptionalValue) => optional.value !== undefined,
    'Optional map(Function)': (_run, optional: OptionalValue, of: ScriptFunction) =>
      optional.value === undefined ? optional : optionalOf(of.call(optional.value)),
    'def orElse(def)': (_run, optional: OptionalValue, otherwise: ScriptValue) =>
      optional.value ?? otherwise,
    'def orElseGet(Supplier)': (_run, optional: OptionalValue, supplier: ScriptFunction) =>
      optional.value ?? supplier.call(),
  }),
  statics: members({
    'Optional empty()': () => optionalOf(null),
    'Optional of(def)': (_run, _, value: ScriptValue) => {
      if (value === null) throw nullPointer('the value must not be null')
      return optionalOf(value)
    },
    'Optional ofNullable(def)': (_run, _, value: ScriptValue) => optionalOf(value),
  }),
}

type Supply = (supplier: ScriptFunction) => ScriptValue

function primitiveOptional(type: string, supply: Supply): ClassType {
  const name = optionalName(type)
  const end = name.slice('Optional'.length)
  return {
    ...classOf(
      name,
      `java.util.${name}`,
      value => value instanceof OptionalValue && value.itemType === type,
    ),
    methods: members({
      [`${type} getAs${end}()`]: (_run, optional: OptionalValue) => valueIn(optional),
      [`void ifPresent(${end}Consumer)`]: (
        _run,
        optional: OptionalValue,
        consumer: ScriptFunction,
      ) => {
        if (optional.value !== undefined) consumer.call(optional.boxed)
      },
      'boolean isPresent()': (_run, optional: OptionalValue) => optional.value !== undefined,
      [`${type} orElse(${type})`]: (_run, optional: OptionalValue, otherwise: ScriptValue) =>
        optional.value ?? otherwise,
      [`${type} orElseGet(${end}Supplier)`]: (
        _run,
        optional: OptionalValue,
        supplier: ScriptFunction,
      ) => optional.value ?? supply(supplier),
    }),
    statics: members({
      [`${name} empty()`]: () => new OptionalValue(type, undefined),
      [`${name} of(${type})`]: (_run, _, value: ScriptValue) => new OptionalValue(type, value),
    }),
  }
}

/** `Optional` and those of primitive types. */
export const OPTIONAL_CLASSES: readonly ClassType[] = [
  OPTIONAL,
  primitiveOptional('int', intFrom),
  primitiveOptional('long', longFrom),
  primitiveOptional('double', doubleFrom),
]
