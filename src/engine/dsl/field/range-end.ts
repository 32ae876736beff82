/** One end of a range as the request gives it. */
export interface RangeEnd {
  readonly text: string
  readonly isIncluded: boolean
}

/** How intervals of a document lie to the one that is asked for. */
export type RangeRelation = 'intersects' | 'within' | 'contains'

/** Options of a range. */
export interface RangeOptions {
  /** Of dates alone. */
  readonly format: string | null
  readonly timeZone: string | null
  /** Of fields of intervals alone; absent means `intersects`. */
  readonly relation?: RangeRelation
}
