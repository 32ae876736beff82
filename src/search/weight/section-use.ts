import { SECTION_KINDS, SECTION_NUMBERS, type SectionKind } from '../../codec/directory/format.ts'

/** What scorers read of a field; `field` is empty for what belongs to the whole segment. */
export interface SectionUse {
  readonly field: string
  /** Bit i: the section `SECTION_KINDS[i]`. */
  readonly kinds: number
}

/** A kind's bit. */
export function sectionBit(kind: SectionKind): number {
  return 1 << SECTION_NUMBERS[kind]
}

/** The first kind of some bits that are not 0; what is left when it is taken away is `bits & (bits − 1)`. */
export function firstSection(bits: number): SectionKind {
  return SECTION_KINDS[31 - Math.clz32(bits & -bits)]!
}
