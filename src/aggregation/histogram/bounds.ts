/** Ends of an interval; null: open. */
export interface Bounds {
  readonly min: number | null
  readonly max: number | null
}
