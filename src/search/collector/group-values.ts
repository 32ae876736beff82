import type { NumericValuesReader, OrdinalsReader } from '../../codec/doc-values/reader.ts'
import type { TermsReader } from '../../codec/terms/reader.ts'
import type { Leaf } from '../../segment/leaf.ts'
import { decodeUtf8, encodeUtf8 } from '../../util/bytes.ts'
import { EngineError } from '../../util/errors.ts'
import { textMasker } from '../../util/text-mask.ts'
import { joinHalves } from '../query/point-value.ts'
import type { SortValue } from '../sort/sort-key.ts'
import type { CollapseKey } from './gather-plan.ts'

/** The values by which hits are collapsed, read document by document. */
export class GroupValues {
  readonly #key: CollapseKey
  /** Null: keywords are as they are. */
  readonly #mask: ((text: string) => string) | null
  #numbers: NumericValuesReader | null = null
  #ordinals: OrdinalsReader | null = null
  #terms: TermsReader | null = null
  /** Of the leaf, by ordinal: the same few are read again and again. */
  readonly #ofOrd = new Map<number, Group>()
  /** No document of the leaf has several values. */
  isSingleValued = false

  constructor(key: CollapseKey) {
    this.#key = key
    this.#mask = key.mask === undefined ? null : textMasker(key.mask)
  }

  openLeaf(leaf: Leaf): void {
    this.#ofOrd.clear()
    const { kind, field } = this.#key
    if (kind === 'number') this.#numbers = leaf.numericValues(field)
    else {
      this.#ordinals = leaf.ordinals(field)
      this.#terms = leaf.terms(field)
    }
    this.isSingleValued = leaf.fieldInfo(field)?.multiValued !== true
  }

  /**
   * Refuses a document of several values; every match is looked at, so that the error does not
   * depend on the order of matches.
   * @throws {EngineError} `illegal_state_exception`
   */
  check(docId: number): void {
    const values = this.#numbers ?? this.#ordinals
    if (values?.advanceExact(docId) === true && values.valueCount() > 1)
      throw new EngineError({
        type: 'illegal_state_exception',
        reason: `failed to collapse ${docId}, the collapse field must be single valued`,
      })
  }

  /** The group of the document that `check` has passed. */
  group(docId: number): Group {
    const numbers = this.#numbers
    if (numbers !== null) {
      if (!numbers.advanceExact(docId)) return NO_VALUE
      const value = joinHalves(numbers.hi(), numbers.lo())
      return { value, key: value }
    }
    const ordinals = this.#ordinals
    if (ordinals?.advanceExact(docId) !== true || this.#terms === null) return NO_VALUE
    const ord = ordinals.ord(0)
    const known = this.#ofOrd.get(ord)
    if (known !== undefined) return known
    const term = this.#terms.termOfOrd(ord)
    const value = this.#mask === null ? term : encodeUtf8(this.#mask(decodeUtf8(term)))
    const group = { value, key: groupKey(value) }
    if (this.#ofOrd.size < MAX_KEPT) this.#ofOrd.set(ord, group)
    return group
  }
}

/** Groups kept of one leaf. */
const MAX_KEPT = 4096

/** The group of documents with one value, or with none. */
export interface Group {
  readonly value: bigint | Uint8Array | null
  /** Of maps: equal values have equal keys. */
  readonly key: string | bigint | null
}

/** A group's value as a key of maps: equal values have equal keys. */
export function groupKey(value: SortValue): string | bigint | null {
  if (value === null || typeof value === 'bigint') return value
  if (typeof value === 'number') return String(value)
  // A buffer and its text take longer than a few characters.
  if (value.length <= FEW_BYTES) return String.fromCharCode.apply(null, value as never)
  return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('latin1')
}

const FEW_BYTES = 64

const NO_VALUE: Group = { value: null, key: null }
