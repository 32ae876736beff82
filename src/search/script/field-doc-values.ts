/** Values of fields in the document at hand, read from the columns of a leaf when a script asks. */

import { BytesValue } from '../../script/doc/bytes-value.ts'
import { type DocValuesKind, docValuesClass } from '../../script/doc/doc-classes.ts'
import { GeoPointValue } from '../../script/doc/geo-point-value.ts'
import { illegalArgument } from '../../script/java-faults.ts'
import { BigIntegerValue } from '../../script/value/big-integer.ts'
import { DocDateValue } from '../../script/value/date/zoned-date-time.ts'
import { doubleValue, type ScriptValue } from '../../script/value/script-value.ts'
import type { Leaf } from '../../segment/leaf.ts'
import { decodeUtf8 } from '../../util/bytes.ts'
import { printAddress } from '../../util/ip-address.ts'
import { type Long, longOfHalves } from '../../util/long.ts'
import { textMasker } from '../../util/text-mask.ts'
import { PlaceValues } from '../scorer/place-values.ts'
import { decodePoint } from '../scorer/point-encoding.ts'
import { LeafDocValues } from './leaf-doc-values.ts'
import { LeafVectors } from './leaf-vectors.ts'
import type { ScriptField } from './script-field.ts'

/**
 * The values of a field in a leaf.
 * @throws {ScriptFault} `illegal_argument_exception`: it keeps none by document
 */
export function leafDocValues(field: ScriptField, leaf: Leaf): LeafDocValues {
  switch (field.kind) {
    case 'text':
    case 'address':
      return new TermValues(field, leaf)
    case 'place':
      return new Places(field.column, leaf)
    case 'bytes':
      return new Bytes(field.column, leaf)
    case 'vector':
      return new LeafVectors(field, leaf)
    case 'constant':
      return new Constant(field.value)
    case 'id':
      return new Ids(leaf)
    case 'unreadable':
      throw illegalArgument(field.reason)
    case 'long':
    case 'double':
    case 'boolean':
    case 'unsignedLong':
    case 'millis':
    case 'nanos':
      return new Numbers(field, leaf)
  }
}

type NumericField = Extract<ScriptField, { readonly column: { readonly scale: number } }>

const CLASSES = {
  long: 'Longs',
  double: 'Doubles',
  boolean: 'Booleans',
  unsignedLong: 'UnsignedLongs',
  millis: 'Dates',
  nanos: 'Dates',
} as const satisfies Record<NumericField['kind'], DocValuesKind>

class Numbers extends LeafDocValues {
  override readonly numbers: 'long' | 'double' | null
  readonly #field: NumericField
  readonly #reader: ReturnType<Leaf['numericValues']>

  constructor(field: NumericField, leaf: Leaf) {
    super(docValuesClass(CLASSES[field.kind]))
    this.#field = field
    this.#reader = leaf.numericValues(field.column.field)
    this.numbers = field.kind === 'long' || field.kind === 'double' ? field.kind : null
  }

  override at(index: number): ScriptValue {
    const long = this.#long(index)
    switch (this.#field.kind) {
      case 'long':
        return BigInt(long)
      case 'double':
        return doubleValue(this.bareAt(index) as number)
      case 'boolean':
        return Number(long) === 1
      case 'unsignedLong':
        return new BigIntegerValue(BigInt.asUintN(64, BigInt(long) - (1n << 63n)))
      case 'millis':
        return new DocDateValue(Number(long))
      case 'nanos':
        return nanosDate(BigInt(long))
    }
  }

  override bareAt(index: number): Long {
    if (this.#field.kind === 'long') return this.#long(index)
    const { encoding, scale } = this.#field.column
    const reader = this.#reader!
    reader.select(index)
    const value = decodePoint(reader.hi(), reader.lo(), encoding)
    return scale === 1 ? value : value / scale
  }

  protected override open(docId: number): number {
    const reader = this.#reader
    return reader?.advanceExact(docId) === true ? reader.valueCount() : 0
  }

  #long(index: number): Long {
    const reader = this.#reader!
    reader.select(index)
    return longOfHalves(reader.hi(), reader.lo())
  }
}

const NANOS_PER_MILLI = 1_000_000n

/** An instant in nanoseconds since 1970. */
function nanosDate(nanos: bigint): DocDateValue {
  const rest = ((nanos % NANOS_PER_MILLI) + NANOS_PER_MILLI) % NANOS_PER_MILLI
  return new DocDateValue(Number((nanos - rest) / NANOS_PER_MILLI), Number(rest))
}

class TermValues extends LeafDocValues {
  override readonly numbers = null
  readonly #print: (term: Uint8Array) => string
  readonly #ordinals: ReturnType<Leaf['ordinals']>
  readonly #terms: ReturnType<Leaf['terms']>

  constructor(
    { kind, column, fieldData, mask }: Extract<ScriptField, { kind: 'text' | 'address' }>,
    leaf: Leaf,
  ) {
    super(docValuesClass('Strings'))
    const print = kind === 'text' ? decodeUtf8 : printAddress
    const masked = mask === undefined ? null : textMasker(mask)
    this.#print = masked === null ? print : term => masked(print(term))
    this.#ordinals = fieldData === null ? leaf.ordinals(column) : leaf.uninverted(column, fieldData)
    this.#terms = leaf.terms(column)
  }

  override at(index: number): ScriptValue {
    return this.#print(this.#terms!.termOfOrd(this.#ordinals!.ord(index)))
  }

  override bareAt(): Long {
    return 0
  }

  protected override open(docId: number): number {
    const ordinals = this.#ordinals
    if (this.#terms === null || ordinals?.advanceExact(docId) !== true) return 0
    return ordinals.valueCount()
  }
}

class Places extends LeafDocValues {
  override readonly numbers = null
  readonly #values: PlaceValues

  constructor(column: string, leaf: Leaf) {
    super(docValuesClass('GeoPoints'))
    this.#values = new PlaceValues(leaf.numericValues(column))
  }

  override at(index: number): ScriptValue {
    const { lat, lon } = this.#values.value(index)
    return new GeoPointValue(lat, lon)
  }

  override bareAt(): Long {
    return 0
  }

  protected override open(docId: number): number {
    return this.#values.open(docId)
  }
}

class Bytes extends LeafDocValues {
  override readonly numbers = null
  readonly #values: ReturnType<Leaf['bytes']>

  constructor(column: string, leaf: Leaf) {
    super(docValuesClass('BytesRefs'))
    this.#values = leaf.bytes(column)
  }

  override at(index: number): ScriptValue {
    return new BytesValue(this.#values!.value(index).slice())
  }

  override bareAt(): Long {
    return 0
  }

  protected override open(docId: number): number {
    const values = this.#values
    return values?.advanceExact(docId) === true ? values.valueCount() : 0
  }
}

/** The id of each document. */
class Ids extends LeafDocValues {
  override readonly numbers = null
  readonly #ids: ReturnType<Leaf['ids']>
  #docId = 0

  constructor(leaf: Leaf) {
    super(docValuesClass('Strings'))
    this.#ids = leaf.ids()
  }

  override at(): ScriptValue {
    return decodeUtf8(this.#ids.id(this.#docId))
  }

  override bareAt(): Long {
    return 0
  }

  protected override open(docId: number): number {
    this.#docId = docId
    return 1
  }
}

/** One text in all documents. */
class Constant extends LeafDocValues {
  override readonly numbers = null
  readonly #value: string

  constructor(value: string) {
    super(docValuesClass('Strings'))
    this.#value = value
  }

  override at(): ScriptValue {
    return this.#value
  }

  override bareAt(): Long {
    return 0
  }

  protected override open(): number {
    return 1
  }
}
