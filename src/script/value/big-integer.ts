import { ScriptObject, type ScriptValue } from './script-value.ts'

/** A `java.math.BigInteger`. */
export class BigIntegerValue extends ScriptObject {
  readonly className: string = 'java.math.BigInteger'
  readonly value: bigint

  constructor(value: bigint) {
    super()
    this.value = value
  }

  override text(): string {
    return String(this.value)
  }

  override equals(other: ScriptValue): boolean {
    return other instanceof BigIntegerValue && other.value === this.value
  }
}
