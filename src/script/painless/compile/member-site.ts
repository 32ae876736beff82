/** Properties and items of values whose class only run time knows. */
import { DocFields, DocValues, unmodifiable } from '../../doc/doc-values.ts'
import { arrayIndexOutOfBounds, indexOutOfBounds } from '../../java-faults.ts'
import { chargeMap } from '../../script-growth.ts'
import type { ScriptRun } from '../../script-run.ts'
import { boxed } from '../../value/boxing.ts'
import { setKey, valueOfKey } from '../../value/keys.ts'
import { ScriptArray } from '../../value/script-array.ts'
import type { ScriptList, ScriptMap, ScriptValue } from '../../value/script-value.ts'
import type { ClassTable } from '../class-table.ts'
import type { ClassType, Member, Typed } from '../library/class-type.ts'
import { CallSite, missing, nullDereference } from './call-site.ts'
import { type Execution, frozenFault } from './frame.ts'
import { callOf } from './member-call.ts'
import { unboxTo } from './unbox.ts'

/** The getter of a class for a property: `getName`, or `isName`; null: it has none. */
export function getterOf(classes: ClassTable, type: ClassType, name: string): Member | null {
  const methods = classes.methods(type)
  const capital = capitalized(name)
  return methods.get(`get${capital}/0`) ?? methods.get(`is${capital}/0`) ?? null
}

/** The setter of a class for a property; null: it has none. */
export function setterOf(classes: ClassTable, type: ClassType, name: string): Member | null {
  return classes.methods(type).get(`set${capitalized(name)}/1`) ?? null
}

function capitalized(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1)
}

/** A property `.name` of a source. */
export class MemberSite {
  readonly #classes: ClassTable
  readonly #name: string
  /** Whether a plain map has no getter of that name, so that it is a key. */
  readonly #isKey: boolean
  #lastClass: ClassType | null = null
  #lastGetter: Member | null = null

  constructor(classes: ClassTable, name: string) {
    this.#classes = classes
    this.#name = name
    const map = classes.classOf('HashMap')
    this.#isKey = map === null || getterOf(classes, map, name) === null
  }

  /** @throws {ScriptFault} `illegal_argument_exception`, `null_pointer_exception` */
  get(execution: Execution, value: ScriptValue): ScriptValue {
    const name = this.#name
    if (this.#isKey && value instanceof Map) return value.get(name) ?? null
    if (value === null) throw nullDereference(name)
    if (value instanceof ScriptArray && name === 'length') return value.items.length
    const type = this.#classes.classOfValue(value)
    if (type !== this.#lastClass) {
      this.#lastClass = type
      this.#lastGetter = getterOf(this.#classes, type, name)
    }
    const getter = this.#lastGetter
    if (getter !== null) {
      const result = callOf(getter)(execution.run, value) as ScriptValue
      return boxed(getter.returns, result)
    }
    if (value instanceof Map) return value.get(name) ?? null
    if (value instanceof DocFields) return value.field(name)
    if (Array.isArray(value) && /^\d+$/.test(name)) return itemOf(value, Number(name))
    throw missing(`dynamic getter [${this.#classes.nameOfValue(value)}, ${name}] not found`)
  }

  /** @throws {ScriptFault} `illegal_argument_exception`, `null_pointer_exception` */
  set(execution: Execution, value: ScriptValue, given: ScriptValue): void {
    const name = this.#name
    if (value === null) throw nullDereference(name)
    const type = this.#classes.classOfValue(value)
    const setter = setterOf(this.#classes, type, name)
    if (setter !== null) {
      const take = unboxTo(this.#classes, setter.parameters[0]!, false)
      callOf(setter)(execution.run, value, take === null ? given : take(given))
    } else if (value instanceof Map) putKey(value, name, given, execution.run)
    else if (Array.isArray(value) && /^\d+$/.test(name)) setItem(value, Number(name), given)
    else throw missing(`dynamic setter [${this.#classes.nameOfValue(value)}, ${name}] not found`)
  }
}

/** Sets the value of a key, and charges a new entry. */
export function putKey(map: ScriptMap, key: ScriptValue, value: ScriptValue, run: ScriptRun): void {
  if (!map.has(key)) chargeMap(run, map.size + 1, 1)
  setKey(map, key, value, run)
}

/** An item `[index]` of a source. */
export class ItemSite {
  readonly #classes: ClassTable
  readonly #toInt: (value: ScriptValue) => Typed
  readonly #get: CallSite

  constructor(classes: ClassTable) {
    this.#classes = classes
    this.#toInt = unboxTo(classes, 'int', false)!
    this.#get = new CallSite(classes, 'get', 1)
  }

  /** @throws {ScriptFault} `illegal_argument_exception`, `index_out_of_bounds_exception` and others */
  get(execution: Execution, value: ScriptValue, key: ScriptValue): ScriptValue {
    if (value instanceof Map) return valueOfKey(value, key, execution.run)
    if (Array.isArray(value)) return itemOf(value, this.#toInt(key) as number)
    if (value instanceof ScriptArray)
      return boxed(value.itemType, value.items[arrayIndex(value, this.#toInt(key) as number)]!)
    if (value instanceof DocFields) return value.field(textOfKey(key))
    if (value === null) throw nullDereference('[]')
    if (!this.#classes.methods(this.#classes.classOfValue(value)).has('get/1'))
      throw this.#notAnArray(value)
    return this.#get.call(execution, value, [key])
  }

  /** @throws {ScriptFault} `illegal_argument_exception`, `index_out_of_bounds_exception` and others */
  set(execution: Execution, value: ScriptValue, key: ScriptValue, given: ScriptValue): void {
    if (value instanceof Map) putKey(value, key, given, execution.run)
    else if (Array.isArray(value)) setItem(value, this.#toInt(key) as number, given)
    else if (value instanceof ScriptArray) {
      const index = arrayIndex(value, this.#toInt(key) as number)
      const take = unboxTo(this.#classes, value.itemType, false)
      value.items[index] = (take === null ? given : take(given)) as ScriptValue
    } else if (value === null) throw nullDereference('[]')
    else if (value instanceof DocValues) throw unmodifiable()
    else throw this.#notAnArray(value)
  }

  #notAnArray(value: ScriptValue): Error {
    const name = this.#classes.nameOfValue(value)
    return missing(`Attempting to address a non-array-like type [${name}] as an array.`)
  }
}

function textOfKey(key: ScriptValue): string {
  return typeof key === 'string' ? key : String(key)
}

/**
 * An item of a list; a negative index counts from the end.
 * @throws {ScriptFault} `index_out_of_bounds_exception`
 */
export function itemOf(list: ScriptList, index: number): ScriptValue {
  return list[listIndex(list, index)]!
}

/**
 * Sets an item of a list.
 * @throws {ScriptFault} `index_out_of_bounds_exception`, `unsupported_operation_exception`
 */
export function setItem(list: ScriptList, index: number, value: ScriptValue): void {
  const at = listIndex(list, index)
  try {
    list[at] = value
  } catch (error) {
    throw frozenFault(error, list)
  }
}

function listIndex(list: ScriptList, index: number): number {
  const at = index < 0 ? index + list.length : index
  if (at < 0 || at >= list.length) throw indexOutOfBounds(index, list.length)
  return at
}

/**
 * Where an item of an array stands; a negative index counts from the end.
 * @throws {ScriptFault} `array_index_out_of_bounds_exception`
 */
export function arrayIndex(array: ScriptArray, index: number): number {
  const at = index < 0 ? index + array.items.length : index
  if (at < 0 || at >= array.items.length) throw arrayIndexOutOfBounds(index, array.items.length)
  return at
}
