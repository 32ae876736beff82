import type { SectionKind } from '../codec/directory/format.ts'

/** Bytes of sections in memory, by what they are for. */
export interface SegmentUse {
  terms: number
  termVectors: number
  norms: number
  points: number
  docValues: number
  /** Of nested documents. */
  bitSets: number
}

/** The part that each kind of section counts to. */
export const PART_OF_SECTION: Readonly<Record<SectionKind, keyof SegmentUse>> = {
  terms: 'terms',
  postings: 'terms',
  positions: 'terms',
  ids: 'terms',
  norms: 'norms',
  numericValues: 'docValues',
  ordinals: 'docValues',
  bytes: 'docValues',
  points: 'points',
  boxes: 'points',
  triangles: 'points',
  completions: 'terms',
  denseVectors: 'docValues',
  vectorGraph: 'docValues',
  termVectors: 'termVectors',
  parents: 'bitSets',
}

/** Nothing in memory. */
export function noSegmentUse(): SegmentUse {
  return { terms: 0, termVectors: 0, norms: 0, points: 0, docValues: 0, bitSets: 0 }
}
