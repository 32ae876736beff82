/** Sets of section kinds as bits: the sections of a field that a search reads. */

import { SECTION_KINDS, SECTION_NUMBERS, type SectionKind } from '../../codec/directory/format.ts'
import type { TermFrequencyFilter } from '../../segment/uninvert.ts'

/**
 * The sections of a field that scorers read; `field` is empty for sections of the whole segment.
 */
export interface SectionUse {
  readonly field: string
  /** Bit i: the section `SECTION_KINDS[i]`. */
  readonly kinds: number
  /** Ordinals are the field's terms uninverted, those that the filter lets through. */
  readonly fieldData?: TermFrequencyFilter
}

/** A kind's bit. */
export function sectionBit(kind: SectionKind): number {
  return 1 << SECTION_NUMBERS[kind]
}

/** The first kind of a non-zero set of bits; `bits & (bits − 1)` removes it. */
export function firstSection(bits: number): SectionKind {
  return SECTION_KINDS[31 - Math.clz32(bits & -bits)]!
}
