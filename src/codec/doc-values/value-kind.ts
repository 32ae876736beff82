/** Meanings of a stored integer, by the number that the directory gives each: only ever added to. */
export const VALUE_KINDS = ['long', 'double', 'float', 'half_float', 'ordinal'] as const

/** The meaning of a stored integer: itself, a floating-point number, the ord of a term. */
export type ValueKind = (typeof VALUE_KINDS)[number]
