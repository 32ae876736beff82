/** One end of a range as the request gives it. */
export interface RangeEnd {
  readonly text: string
  readonly isIncluded: boolean
}

/** Options of a range, which dates alone read. */
export interface RangeOptions {
  readonly format: string | null
  readonly timeZone: string | null
}
