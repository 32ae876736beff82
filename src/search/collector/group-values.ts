import type { NumericValuesReader, OrdinalsReader } from '../../codec/doc-values/reader.ts'
import type { TermsReader } from '../../codec/terms/reader.ts'
import type { Leaf } from '../../segment/leaf.ts'
import { EngineError } from '../../util/errors.ts'
import { joinHalves } from '../query/point-value.ts'
import type { CollapseKey } from './gather-plan.ts'
import type { SortValue } from './sort-key.ts'

/** The values by which hits are collapsed, read document by document. */
export class GroupValues {
  readonly #key: CollapseKey
  #numbers: NumericValuesReader | null = null
  #ordinals: OrdinalsReader | null = null
  #terms: TermsReader | null = null

  constructor(key: CollapseKey) {
    this.#key = key
  }

  openLeaf(leaf: Leaf): void {
    const { kind, field } = this.#key
    if (kind === 'number') this.#numbers = leaf.numericValues(field)
    else {
      this.#ordinals = leaf.ordinals(field)
      this.#terms = leaf.terms(field)
    }
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

  /** The value of the document that `check` has passed; null: it has none. */
  value(docId: number): SortValue {
    const numbers = this.#numbers
    if (numbers !== null)
      return numbers.advanceExact(docId) ? joinHalves(numbers.hi(), numbers.lo()) : null
    const ordinals = this.#ordinals
    if (ordinals?.advanceExact(docId) !== true || this.#terms === null) return null
    return this.#terms.termOfOrd(ordinals.ord(0))
  }
}

/** A group's value as a key of maps: equal values have equal keys. */
export function groupKey(value: SortValue): string | bigint | null {
  if (value === null || typeof value === 'bigint') return value
  return typeof value === 'number' ? String(value) : Buffer.from(value).toString('latin1')
}
