import { ScriptObject, type ScriptValue } from './script-value.ts'

/** A `java.lang.Character`: one UTF-16 unit. */
export class CharacterValue extends ScriptObject {
  readonly className: string = 'java.lang.Character'
  readonly unit: number

  constructor(unit: number) {
    super()
    this.unit = unit
  }

  override text(): string {
    return String.fromCharCode(this.unit)
  }

  override equals(other: ScriptValue): boolean {
    return other instanceof CharacterValue && other.unit === this.unit
  }

  override hash(): number {
    return this.unit
  }
}
