import type { TermFunction } from '../term-filter.ts'
import { letterMap } from './letter-map.ts'

/** Persian forms of letters as the Arabic ones; a hamza above is left out. */
export const normalizePersian: TermFunction = letterMap([
  ['\u06cc\u06d2', '\u064a'],
  ['\u06a9', '\u0643'],
  ['\u06c0\u06c1', '\u0647'],
  ['\u0654', ''],
])
