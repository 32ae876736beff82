/** Keys by which a sample is diverse: the values of a field, at most one in a document. */
import type { Leaf } from '../../segment/leaf.ts'
import { IllegalArgumentError } from '../../util/errors.ts'
import { murmur128First } from '../../util/murmur128.ts'
import { Word64 } from '../../util/word64.ts'
import type { BucketBatch } from '../bucket-batch.ts'
import { NumberColumn } from '../number-column.ts'
import { MISSING_ORD, OrdinalColumn } from '../ordinal-column.ts'
import { TextColumn } from '../text-column.ts'
import type { AnyValueSource } from '../value-source.ts'
import { termOfText } from '../value-text.ts'
import { HAS_VALUE, NO_VALUE } from './doc-sample.ts'

/** The keys of the documents of a batch. */
export interface KeyColumn {
  /** By index of the document: `HAS_VALUE` or `NO_VALUE`. */
  readonly spaces: Int32Array
  readonly highs: Int32Array
  readonly lows: Int32Array
  openLeaf(leaf: Leaf): void
  /** @throws {IllegalArgumentError} a document has two values */
  read(batch: BucketBatch): void
}

/** Reads the keys of a source; those of terms are ords of the open leaf. */
export function keyColumn(values: AnyValueSource): KeyColumn {
  switch (values.kind) {
    case 'numbers': {
      const column = new NumberColumn(values)
      return new ValueKeys(
        column,
        leaf => column.openLeaf(leaf),
        (keys, i, at) => {
          keys.highs[i] = column.high[at]!
          keys.lows[i] = column.low[at]!
        },
      )
    }
    case 'terms': {
      const column = new OrdinalColumn(values)
      const { field, missing } = values
      let missingOrd = MISSING_ORD
      const open = (leaf: Leaf): void => {
        column.openLeaf(leaf)
        const terms = missing === null || leaf.fieldInfo(field) === null ? null : leaf.terms(field)
        missingOrd = terms?.ordOf(missing!) ?? MISSING_ORD
      }
      return new ValueKeys(column, open, (keys, i, at) => {
        const ord = column.ords[at]!
        keys.lows[i] = ord === MISSING_ORD ? missingOrd : ord
        if (keys.lows[i] === MISSING_ORD) keys.spaces[i] = NO_VALUE
      })
    }
    case 'texts': {
      const column = new TextColumn(values)
      const hash = new Word64()
      return new ValueKeys(
        column,
        () => column.openLeaf(),
        (keys, i, at) => {
          murmur128First(termOfText(values.format, column.texts[at]!), hash)
          keys.highs[i] = hash.high
          keys.lows[i] = hash.low
        },
      )
    }
    case 'constant':
      return new ValueKeys(
        NO_COLUMN,
        () => {},
        () => {},
      )
  }
}

/** Pairs of a document's index and a value. */
interface Pairs {
  readonly isEmpty: boolean
  readonly count: number
  readonly index: ArrayLike<number>
  read(batch: BucketBatch): void
}

const NO_COLUMN: Pairs = { isEmpty: true, count: 0, index: new Int32Array(0), read() {} }

class ValueKeys implements KeyColumn {
  spaces: Int32Array = new Int32Array(0)
  highs: Int32Array = new Int32Array(0)
  lows: Int32Array = new Int32Array(0)
  readonly #pairs: Pairs
  readonly #open: (leaf: Leaf) => void
  readonly #store: (keys: ValueKeys, index: number, pair: number) => void

  constructor(
    pairs: Pairs,
    open: (leaf: Leaf) => void,
    store: (keys: ValueKeys, index: number, pair: number) => void,
  ) {
    this.#pairs = pairs
    this.#open = open
    this.#store = store
  }

  openLeaf(leaf: Leaf): void {
    this.#open(leaf)
  }

  read(batch: BucketBatch): void {
    const { count } = batch
    if (this.spaces.length < count) {
      this.spaces = new Int32Array(count)
      this.highs = new Int32Array(count)
      this.lows = new Int32Array(count)
    }
    this.spaces.fill(NO_VALUE, 0, count)
    this.highs.fill(0, 0, count)
    this.lows.fill(0, 0, count)
    const pairs = this.#pairs
    if (pairs.isEmpty) return
    pairs.read(batch)
    for (let at = 0; at < pairs.count; at++) {
      const i = pairs.index[at]!
      if (at > 0 && pairs.index[at - 1] === i)
        throw new IllegalArgumentError('Sample diversifying key must be a single valued-field')
      this.spaces[i] = HAS_VALUE
      this.#store(this, i, at)
    }
  }
}
