/** The variables of an expression in the current document; `search/` implements them over the columns of a leaf. */

/** The values of a field in the document at hand. */
export interface ExpressionField {
  readonly kind: 'number' | 'date' | 'geo_point'
  /** How many values the document has. */
  readonly size: number
  /**
   * A value as a double, ascending; a date's milliseconds since 1970; not of places.
   * @param index below `size`
   */
  valueAt(index: number): number
  /** The latitude of the first place; only of places, and where `size` is not 0. */
  latitude(): number
  /** The longitude of the first place; see `latitude`. */
  longitude(): number
}

/** The variables of the context that an expression runs in. */
export interface ExpressionBindings {
  /**
   * A field by name.
   * @returns `missing`: the mapping has none; `unusable`: it is neither number, date nor place
   */
  field(name: string): ExpressionField | 'missing' | 'unusable'
  /** `_score` of the document at hand; null where the context has none. */
  readonly score: (() => number) | null
  /** `_value` of the document at hand; null where the context has none. */
  readonly value: (() => number) | null
}
