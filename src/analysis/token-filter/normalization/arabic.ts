import type { TermFunction } from '../term-filter.ts'
import { letterMap } from './letter-map.ts'

/**
 * Arabic letters that are written in several ways: bare alef for alef with hamza or madda, yeh for
 * dotless yeh, heh for teh marbuta, no tatweel, no vowels.
 */
export const normalizeArabic: TermFunction = letterMap([
  ['\u0622\u0623\u0625', '\u0627'],
  ['\u0649', '\u064a'],
  ['\u0629', '\u0647'],
  ['\u0640\u064b\u064c\u064d\u064e\u064f\u0650\u0651\u0652', ''],
])
