import type { FieldRestrictions, Mask } from '../../task/access.ts'
import type { MaskRule } from './field-mask.ts'
import type { FieldRule } from './field-rule.ts'

/** The fields of an index that roles hide and mask. */
export class RestrictedFields implements FieldRestrictions {
  readonly key: string
  readonly masks: boolean
  readonly #rule: FieldRule | null
  readonly #masks: MaskRule | null

  /**
   * @param rule  null: every field is seen
   * @param masks null: none is masked
   */
  constructor(rule: FieldRule | null, masks: MaskRule | null) {
    this.#rule = rule
    this.#masks = masks
    this.masks = masks !== null
    this.key = JSON.stringify([rule?.key, masks?.key])
  }

  sees(path: string): boolean {
    return this.#rule?.sees(path) ?? true
  }

  showsAround(path: string): boolean {
    return this.#rule?.showsAround(path) ?? true
  }

  mayHideWithin(path: string): boolean {
    return this.#rule?.mayHideWithin(path) ?? false
  }

  maskOf(path: string): Mask | null {
    return this.#masks?.maskOf(path) ?? null
  }
}
