/** The time of a table, as the columns that some begin with. */
import { type Column, column } from './column.ts'

/** A row with the time at which it was made. */
export interface Timed {
  readonly at: Date
}

/** Seconds since 1970, and the time of day in UTC. */
export const TIMESTAMP_COLUMNS: readonly Column<Timed>[] = [
  column('epoch', 't,time', 'seconds since 1970-01-01 00:00:00', row =>
    Math.floor(row.at.getTime() / 1000),
  ),
  column('timestamp', 'ts,hms,hhmmss', 'time of day in UTC', row =>
    row.at.toISOString().slice(11, 19),
  ),
]
