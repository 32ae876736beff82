/** One end of a range as the request gives it. */
export interface RangeEnd {
  readonly text: string
  readonly isIncluded: boolean
}

/** What a range says besides its ends; for dates. */
export interface RangeOptions {
  readonly format: string | null
  readonly timeZone: string | null
}
