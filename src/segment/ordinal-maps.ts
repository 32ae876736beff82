/** Where the terms of several segments stand among all of them, in the order of the terms. */
export interface OrdinalMaps {
  /** The ord among all by segment and ord there. */
  readonly globals: readonly Int32Array[]
  /** A segment with the term, and its ord there, by the ord among all. */
  readonly leaves: Int32Array
  readonly ords: Int32Array
}

/** The maps that are asked for. */
export interface OrdinalMapsKey {
  readonly field: string
  /** Uids of the segments, in order. */
  readonly uids: readonly number[]
  /** Max bytes that the maps take. */
  readonly maxBytes: number
}
