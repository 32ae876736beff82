import { boxed } from './boxing.ts'
import { ScriptObject, type ScriptValue } from './script-value.ts'

/** An array of Java's: its length is fixed. Two are equal when they are the same. */
export class ScriptArray extends ScriptObject {
  readonly className: string
  /** By name, as scripts name it: `int`, `String`, `def`, `int[]`. */
  readonly itemType: string
  /** In the form of the item type. */
  readonly items: ScriptValue[]

  constructor(itemType: string, items: ScriptValue[]) {
    super()
    this.className = `${itemType}[]`
    this.itemType = itemType
    this.items = items
  }

  override text(): string {
    return `${this.className}@${this.hash().toString(16)}`
  }

  /** Equality is identity, so that any function of what cannot change serves. */
  override hash(): number {
    return this.items.length
  }

  override plain(): ScriptValue {
    return this.values()
  }

  /** Its items as values. */
  values(): ScriptValue[] {
    return this.items.map(item => boxed(this.itemType, item))
  }
}

/** The value that new items of a type have. */
export function emptyItem(itemType: string): ScriptValue {
  switch (itemType) {
    case 'boolean':
      return false
    case 'byte':
    case 'short':
    case 'char':
    case 'int':
    case 'long':
    case 'float':
    case 'double':
      return 0
    default:
      return null
  }
}
