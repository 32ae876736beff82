/** What a stored integer stands for, by the number that the directory gives it: only ever added to. */
export const VALUE_KINDS = ['long', 'double', 'float', 'half_float', 'ordinal'] as const

/** What a stored integer stands for: itself, a floating-point number, a term. */
export type ValueKind = (typeof VALUE_KINDS)[number]
