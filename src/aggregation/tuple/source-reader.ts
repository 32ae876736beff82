import type { TermsReader } from '../../codec/terms/reader.ts'
import { joinHalves } from '../../search/query/point-value.ts'
import type { Leaf } from '../../segment/leaf.ts'
import type { BucketBatch } from '../bucket-batch.ts'
import { NumberColumn } from '../number-column.ts'
import { MISSING_ORD, OrdinalColumn } from '../ordinal-column.ts'
import type { TermKey } from '../terms/term-keys.ts'
import { TextColumn } from '../text-column.ts'
import type { NumberSource, TermSource, TextSource } from '../value-source.ts'
import { termOfText } from '../value-text.ts'
import { CellReader } from './cell-reader.ts'
import type { TupleReader } from './tuple-reader.ts'
import { bucketStart, type TupleSource } from './tuple-source.ts'
import { ValueIds } from './value-ids.ts'

/** The reader of a source. */
export function sourceReader(source: TupleSource): TupleReader {
  const { values, hasNull } = source
  const ids = new ValueIds()
  if (values === null) return new FixedReader(ids, hasNull ? [ids.idOf(null)] : [])
  switch (values.kind) {
    case 'constant':
      return new FixedReader(ids, [ids.idOf(values.value)])
    case 'texts':
      return new TextReader(ids, values, hasNull)
    case 'terms':
      return new TermReader(ids, values, hasNull)
    case 'numbers':
      return source.rounding.kind === 'cell'
        ? new CellReader(ids, values, source.rounding.cells, hasNull)
        : new NumberReader(ids, values, source)
  }
}

/** All documents have the same values. */
class FixedReader implements TupleReader {
  readonly ids: ValueIds
  readonly #fixed: readonly number[]

  constructor(ids: ValueIds, fixed: readonly number[]) {
    this.ids = ids
    this.#fixed = fixed
  }

  openLeaf(): void {}

  read(): void {}

  of(): readonly number[] {
    return this.#fixed
  }
}

class TermReader implements TupleReader {
  readonly ids: ValueIds
  readonly #source: TermSource
  readonly #column: OrdinalColumn
  readonly #hasNull: boolean
  readonly #list: number[] = []
  #terms: TermsReader | null = null
  /** Id + 1 by ord of the leaf. */
  #byOrd = new Int32Array(0)
  #next = 0

  constructor(ids: ValueIds, source: TermSource, hasNull: boolean) {
    this.ids = ids
    this.#source = source
    this.#column = new OrdinalColumn(source)
    this.#hasNull = hasNull
  }

  openLeaf(leaf: Leaf): void {
    const { field } = this.#source
    this.#column.openLeaf(leaf)
    this.#terms = leaf.fieldInfo(field) === null ? null : leaf.terms(field)
    this.#byOrd = new Int32Array(this.#terms?.termCount ?? 0)
  }

  read(batch: BucketBatch): void {
    this.#column.read(batch)
    this.#next = 0
  }

  of(index: number): readonly number[] {
    const { count, index: docs, ords } = this.#column
    const list = this.#list
    list.length = 0
    while (this.#next < count && docs[this.#next]! < index) this.#next++
    for (let at = this.#next; at < count && docs[at] === index; at++)
      list.push(this.#idOf(ords[at]!))
    if (list.length === 0 && this.#hasNull) list.push(this.ids.idOf(null))
    return list
  }

  #idOf(ord: number): number {
    if (ord === MISSING_ORD) return this.ids.idOf(this.#source.missing)
    const known = this.#byOrd[ord]!
    if (known !== 0) return known - 1
    const id = this.ids.idOf(this.#terms!.termOfOrd(ord))
    this.#byOrd[ord] = id + 1
    return id
  }
}

class TextReader implements TupleReader {
  readonly ids: ValueIds
  readonly #column: TextColumn
  readonly #format: TextSource['format']
  readonly #hasNull: boolean
  #next = 0

  constructor(ids: ValueIds, source: TextSource, hasNull: boolean) {
    this.ids = ids
    this.#column = new TextColumn(source)
    this.#format = source.format
    this.#hasNull = hasNull
  }

  openLeaf(): void {
    this.#column.openLeaf()
  }

  read(batch: BucketBatch): void {
    this.#column.read(batch)
    this.#next = 0
  }

  of(index: number): readonly number[] {
    const { count, index: docs, texts } = this.#column
    const found = new Set<number>()
    while (this.#next < count && docs[this.#next]! < index) this.#next++
    for (let at = this.#next; at < count && docs[at] === index; at++)
      found.add(this.ids.idOf(termOfText(this.#format, texts[at]!)))
    if (found.size === 0 && this.#hasNull) found.add(this.ids.idOf(null))
    return [...found]
  }
}

class NumberReader implements TupleReader {
  readonly ids: ValueIds
  readonly #values: NumberSource
  readonly #column: NumberColumn
  readonly #start: ((value: number) => number) | null
  readonly #hasNull: boolean
  readonly #list: number[] = []
  #doubles: Float64Array | null = null
  #next = 0

  constructor(ids: ValueIds, values: NumberSource, { rounding, hasNull }: TupleSource) {
    this.ids = ids
    this.#values = values
    this.#column = new NumberColumn(values)
    this.#start = bucketStart(rounding)
    this.#hasNull = hasNull
  }

  openLeaf(leaf: Leaf): void {
    this.#column.openLeaf(leaf)
  }

  read(batch: BucketBatch): void {
    this.#column.read(batch)
    const isWhole = this.#start === null && this.#values.type !== 'double'
    this.#doubles = isWhole ? null : this.#column.doubles()
    this.#next = 0
  }

  of(index: number): readonly number[] {
    const { count, index: docs } = this.#column
    const list = this.#list
    list.length = 0
    while (this.#next < count && docs[this.#next]! < index) this.#next++
    for (let at = this.#next; at < count && docs[at] === index; at++) {
      const id = this.ids.idOf(this.#valueAt(at))
      // Values ascend: those of one bucket lie side by side.
      if (list.at(-1) !== id) list.push(id)
    }
    if (list.length === 0 && this.#hasNull) list.push(this.ids.idOf(null))
    return list
  }

  #valueAt(at: number): TermKey {
    if (this.#doubles !== null) {
      const value = this.#doubles[at]!
      return this.#start === null ? value : this.#start(value)
    }
    const stored = joinHalves(this.#column.high[at]!, this.#column.low[at]!)
    return this.#values.type === 'long' ? stored : BigInt.asUintN(64, stored) ^ (1n << 63n)
  }
}
