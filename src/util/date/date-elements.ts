/**
 * The elements that a date pattern is compiled to: they are matched, and printed, in order. The fields
 * of a date that they read and write are numbers in an array, NaN where a text does not give one.
 */

/** Indexes of the fields. */
export const YEAR = 0
export const MONTH = 1
export const DAY = 2
export const HOUR = 3
export const MINUTE = 4
export const SECOND = 5
export const NANO = 6
export const OFFSET = 7
export const DAY_OF_YEAR = 8
export const WEEK_YEAR = 9
export const WEEK = 10
export const DAY_OF_WEEK = 11
export const HALF_DAY = 12
export const HOUR_OF_HALF_DAY = 13
/** Their number. */
export const FIELD_COUNT = 14

/** One element. */
export type DateElement =
  | { readonly kind: 'literal'; readonly text: string }
  | {
      readonly kind: 'number'
      readonly field: number
      readonly min: number
      readonly max: number
      readonly signed: boolean
      /** Digits that it is printed with at least. */
      readonly width: number
      /** Two digits that stand for 2000–2099. */
      readonly reduced: boolean
    }
  | {
      readonly kind: 'fraction'
      readonly min: number
      readonly max: number
      readonly point: boolean
      readonly printsNanos: boolean
    }
  | { readonly kind: 'zone'; readonly colon: 'yes' | 'no' | 'either'; readonly z: boolean }
  | { readonly kind: 'name'; readonly field: number; readonly names: readonly string[] }
  | { readonly kind: 'optional'; readonly elements: readonly DateElement[] }
