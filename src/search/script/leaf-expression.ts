import type { ExpressionField } from '../../script/expression/expression-field.ts'
import type { Leaf } from '../../segment/leaf.ts'
import { NumberValues } from '../scorer/number-values.ts'
import { PlaceValues } from '../scorer/place-values.ts'
import type { ScriptField } from './script-field.ts'

/** A field of the document at hand; it opens the document when it is first asked. */
abstract class OpenField implements ExpressionField {
  abstract readonly kind: ExpressionField['kind']
  #docId = -1
  #size = -1

  moveTo(docId: number): void {
    this.#docId = docId
    this.#size = -1
  }

  get size(): number {
    if (this.#size < 0) this.#size = this.open(this.#docId)
    return this.#size
  }

  protected abstract open(docId: number): number
  abstract valueAt(index: number): number
  abstract latitude(): number
  abstract longitude(): number
}

/** The fields of a leaf as expressions read them. */
export class LeafExpression {
  readonly #leaf: Leaf
  readonly #find: (name: string) => ScriptField | null
  readonly #open: OpenField[] = []

  constructor(leaf: Leaf, find: (name: string) => ScriptField | null) {
    this.#leaf = leaf
    this.#find = find
  }

  /** Moves to a document, in any order. */
  moveTo(docId: number): void {
    for (const field of this.#open) field.moveTo(docId)
  }

  field(name: string): ExpressionField | 'missing' | 'unusable' {
    const field = this.#find(name)
    if (field === null) return 'missing'
    const opened = openField(field, this.#leaf)
    if (opened === null) return 'unusable'
    this.#open.push(opened)
    return opened
  }
}

function openField(field: ScriptField, leaf: Leaf): OpenField | null {
  switch (field.kind) {
    case 'long':
    case 'double':
    case 'boolean':
    case 'unsignedLong':
    case 'millis':
    case 'nanos':
      return new NumberField(field, leaf)
    case 'place':
      return new PlaceField(field.column, leaf)
    case 'text':
    case 'address':
    case 'bytes':
    case 'vector':
    case 'constant':
    case 'id':
    case 'unreadable':
      return null
  }
}

const NANOS_PER_MILLI = 1e6

class NumberField extends OpenField {
  readonly kind: 'number' | 'date'
  readonly #values: NumberValues
  readonly #divisor: number

  constructor(
    { kind, column }: Extract<ScriptField, { readonly column: { readonly scale: number } }>,
    leaf: Leaf,
  ) {
    super()
    this.kind = kind === 'millis' || kind === 'nanos' ? 'date' : 'number'
    this.#divisor = kind === 'nanos' ? NANOS_PER_MILLI : 1
    this.#values = new NumberValues(leaf.numericValues(column.field), column)
  }

  protected override open(docId: number): number {
    return this.#values.open(docId)
  }

  override valueAt(index: number): number {
    const value = this.#values.value(index)
    return this.#divisor === 1 ? value : Math.floor(value / this.#divisor)
  }

  override latitude(): number {
    return 0
  }

  override longitude(): number {
    return 0
  }
}

class PlaceField extends OpenField {
  override readonly kind = 'geo_point'
  readonly #values: PlaceValues

  constructor(column: string, leaf: Leaf) {
    super()
    this.#values = new PlaceValues(leaf.numericValues(column))
  }

  protected override open(docId: number): number {
    return this.#values.open(docId)
  }

  override valueAt(): number {
    return 0
  }

  override latitude(): number {
    return this.#values.value(0).lat
  }

  override longitude(): number {
    return this.#values.value(0).lon
  }
}
