/**
 * A response as data, before it becomes bytes. Numbers say what they are, because the wire tells
 * them apart: a plain number prints as an integer where it is whole, `Float32` and `Float64` always
 * keep a fraction (`1.0`), a bigint is a long of any size. `RawJson` carries bytes that are JSON
 * already (a document's `_source`) and are copied as they stand.
 *
 * Keys that come from users go into a `Map`, which keeps any key (`__proto__`, `1`) in its place;
 * a plain record is for keys that the code names.
 */
export type JsonValue =
  | null
  | boolean
  | number
  | bigint
  | string
  | Float32
  | Float64
  | RawJson
  | readonly JsonValue[]
  | JsonMap
  | JsonRecord

/** An object whose keys users may have chosen, in print order. */
export type JsonMap = ReadonlyMap<string, JsonValue>

/** An object with keys of ours, in print order; a key whose value is undefined is left out. */
export interface JsonRecord {
  readonly [key: string]: JsonValue | undefined
}

/** A single-precision number: a score, a boost. Prints as Java's `Float.toString` digits. */
export class Float32 {
  readonly value: number

  constructor(value: number) {
    this.value = Math.fround(value)
  }
}

/** A double that keeps its fraction on the wire, as Java's `Double.toString` prints it. */
export class Float64 {
  readonly value: number

  constructor(value: number) {
    this.value = value
  }
}

/** UTF-8 bytes that are one JSON value already; copied unread, byte for byte. */
export class RawJson {
  readonly bytes: Uint8Array

  constructor(bytes: Uint8Array) {
    this.bytes = bytes
  }
}
