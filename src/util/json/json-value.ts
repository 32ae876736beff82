/**
 * A response as data, before it becomes bytes. Numbers are typed, because the wire distinguishes
 * them: a plain number prints as an integer if it is whole, `Float32` and `Float64` always keep a
 * fraction (`1.0`), a bigint is a long of any size. `RawJson` holds JSON bytes (a document's
 * `_source`) that are copied verbatim. `DeferredJson` is a large part of a larger whole, made while that is
 * written.
 *
 * Keys chosen by users go into a `Map`, which keeps the order of any key (`__proto__`, `1`); a
 * plain record is for keys that the code names.
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
  | DeferredJson
  | readonly JsonValue[]
  | JsonMap
  | JsonRecord

/** An object whose keys users may have chosen, in print order. */
export type JsonMap = ReadonlyMap<string, JsonValue>

/** An object with fixed keys, in print order; a key with an undefined value is omitted. */
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

/** UTF-8 bytes of one JSON value; copied verbatim. */
export class RawJson {
  readonly bytes: Uint8Array

  constructor(bytes: Uint8Array) {
    this.bytes = bytes
  }
}

/** A value that is made when it is written, and is not kept: another writing makes it anew. */
export class DeferredJson {
  readonly make: () => JsonValue

  /** @param make gives an equal value each time */
  constructor(make: () => JsonValue) {
    this.make = make
  }
}
