import type { TermFunction } from '../term-filter.ts'
import { letterMap } from './letter-map.ts'

/** Serbian in lower case, Cyrillic or Latin, as Latin letters without marks. */
export const normalizeSerbian: TermFunction = letterMap([
  ['а', 'a'],
  ['б', 'b'],
  ['в', 'v'],
  ['г', 'g'],
  ['д', 'd'],
  ['ђđ', 'dj'],
  ['е', 'e'],
  ['жзž', 'z'],
  ['и', 'i'],
  ['ј', 'j'],
  ['к', 'k'],
  ['л', 'l'],
  ['љ', 'lj'],
  ['м', 'm'],
  ['н', 'n'],
  ['њ', 'nj'],
  ['о', 'o'],
  ['п', 'p'],
  ['р', 'r'],
  ['сшš', 's'],
  ['т', 't'],
  ['ћцчčć', 'c'],
  ['у', 'u'],
  ['ф', 'f'],
  ['х', 'h'],
  ['џ', 'dz'],
])
