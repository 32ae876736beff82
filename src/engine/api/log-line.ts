/** How severe a line of the log is. */
export type LogLevel = 'WARN' | 'INFO' | 'DEBUG' | 'TRACE'

/** A line of the log of a node, to be written where its program wants it. */
export interface LogLine {
  /** Its logger, by the name of the reference server. */
  readonly logger: string
  readonly level: LogLevel
  readonly message: string
}
