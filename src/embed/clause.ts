/** Part of the query language, in the documented form: `{ match: { title: 'whale' } }`. */
export type Clause = Readonly<Record<string, unknown>>
