/** Columns of a `_cat` table, and the cells in them. */

/** A size in bytes, which `bytes` gives another unit. */
export interface SizeCell {
  readonly bytes: number
}

/** A time in nanoseconds, which `time` gives another unit. */
export interface TimeCell {
  readonly nanos: number
}

/** One value of a table; null is an empty cell. */
export type Cell = null | string | number | boolean | SizeCell | TimeCell

/** A column over rows of a type. */
export interface Column<Row> {
  readonly name: string
  /** Other names that `h` and `s` take, the short one first. */
  readonly aliases: readonly string[]
  /** For `help`. */
  readonly description: string
  readonly isRight: boolean
  /** Whether it is shown without `h`. */
  readonly isDefault: boolean
  cell(row: Row): Cell
}

/** Properties of a column beside its name and cells; by default it is shown, and on the left. */
interface ColumnOptions {
  readonly isRight?: boolean
  readonly isDefault?: boolean
}

/** @param aliases parted by commas, as `help` shows them; '' for none */
export function column<Row>(
  name: string,
  aliases: string,
  description: string,
  cell: (row: Row) => Cell,
  options: ColumnOptions = {},
): Column<Row> {
  return {
    name,
    aliases: aliases === '' ? [] : aliases.split(','),
    description,
    isRight: options.isRight ?? false,
    isDefault: options.isDefault ?? true,
    cell,
  }
}

/** `queryCacheEvictions` of `query_cache.evictions`. */
export function camelCase(name: string): string {
  return name.replace(/[._]([a-z])/g, (_, letter: string) => letter.toUpperCase())
}
