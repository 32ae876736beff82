/** `⟨language⟩_normalization` and `scandinavian_folding`. */
import type { TokenFilterFactory } from '../../component.ts'
import { normalizingComponent, type TermFunction } from '../term-filter.ts'
import { normalizeArabic } from './arabic.ts'
import { normalizeBengali } from './bengali.ts'
import { normalizeGerman } from './german.ts'
import { normalizeHindi } from './hindi.ts'
import { normalizeIndic } from './indic.ts'
import { normalizePersian } from './persian.ts'
import { foldScandinavian, normalizeScandinavian } from './scandinavian.ts'
import { normalizeSerbian } from './serbian.ts'
import { normalizeSorani } from './sorani.ts'

const NORMALIZATIONS: readonly (readonly [string, TermFunction])[] = [
  ['arabic_normalization', normalizeArabic],
  ['bengali_normalization', normalizeBengali],
  ['german_normalization', normalizeGerman],
  ['hindi_normalization', normalizeHindi],
  ['indic_normalization', normalizeIndic],
  ['persian_normalization', normalizePersian],
  ['scandinavian_folding', foldScandinavian],
  ['scandinavian_normalization', normalizeScandinavian],
  ['serbian_normalization', normalizeSerbian],
  ['sorani_normalization', normalizeSorani],
]

/** Type → factory. */
export const NORMALIZATION_FILTERS: readonly (readonly [string, TokenFilterFactory])[] =
  NORMALIZATIONS.map(([type, normalize]) => [type, name => normalizingComponent(name, normalize)])
