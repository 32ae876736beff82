import {
  classNameOf,
  type ScriptMap,
  ScriptObject,
  type ScriptValue,
  scalarText,
} from './script-value.ts'

/** A `java.util.Map.Entry`: a key of a map with its value. */
export class MapEntry extends ScriptObject {
  readonly className: string = 'java.util.Map$Entry'
  readonly key: ScriptValue
  /** The map that a change of the value reaches; null: the entry stands alone. */
  readonly map: ScriptMap | null
  value: ScriptValue

  constructor(key: ScriptValue, value: ScriptValue, map: ScriptMap | null) {
    super()
    this.key = key
    this.value = value
    this.map = map
  }

  override text(): string {
    return `${shortText(this.key)}=${shortText(this.value)}`
  }

  /** `hash.ts` and `equality.ts` look inside: an entry may hold itself. */
  override hash(): number {
    return 0
  }

  override plain(): ScriptValue {
    return new Map([[this.key, this.value]])
  }
}

function shortText(value: ScriptValue): string {
  return value === null ? 'null' : (scalarText(value) ?? classNameOf(value))
}
