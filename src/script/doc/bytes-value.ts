import { decodeUtf8 } from '../../util/bytes.ts'
import { ScriptObject, type ScriptValue } from '../value/script-value.ts'

/** Bytes: a value of a `binary` field. */
export class BytesValue extends ScriptObject {
  readonly className: string = 'org.apache.lucene.util.BytesRef'
  readonly bytes: Uint8Array

  constructor(bytes: Uint8Array) {
    super()
    this.bytes = bytes
  }

  /** As Lucene prints them: `[6d 6f]`. */
  override text(): string {
    return `[${[...this.bytes].map(byte => byte.toString(16)).join(' ')}]`
  }

  override equals(other: ScriptValue): boolean {
    return other instanceof BytesValue && Buffer.compare(other.bytes, this.bytes) === 0
  }

  override plain(): ScriptValue {
    return Buffer.from(this.bytes).toString('base64')
  }

  /** The bytes decoded as UTF-8. */
  utf8(): string {
    return decodeUtf8(this.bytes)
  }
}
