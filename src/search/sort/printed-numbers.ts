/**
 * Numbers of a level whose type differs from index to index, compared as they print. A hit's printed sort
 * value is all that the next page of `search_after` knows of it, so that an order by anything else would
 * lose hits at the edge of a page or give them twice.
 */

import { floatText } from '../../util/json/float-text.ts'
import { highHalf, lowHalf } from '../query/point-value.ts'
import { decodePoint, type PointEncoding } from '../scorer/point-encoding.ts'

/**
 * The number that a sortable integer of a floating-point type prints as. A float is the double of its
 * shortest digits (0.1, while its bits are 0.10000000149011612), which order floats as their bits do.
 */
export function printedNumber(bits: bigint, encoding: Exclude<PointEncoding, 'long'>): number {
  const number = decodePoint(highHalf(bits), lowHalf(bits), encoding)
  return encoding === 'float' || encoding === 'halfFloat' ? Number(floatText(number)) : number
}

/**
 * Compares numbers of any two types without rounding either. -0.0 comes before 0 of every type, as it does
 * among doubles.
 */
export function compareNumbers(a: bigint | number, b: bigint | number): number {
  if (a < b) return -1
  if (a > b) return 1
  return Number(Object.is(b, -0)) - Number(Object.is(a, -0))
}
