import type { LogOperation } from '../store/translog/translog.ts'

/** What is kept of an operation of the log while its document is on its way. */
export interface LoggedHead {
  readonly kind: LogOperation['kind']
  /** Empty of no operation, as its version is 0. */
  readonly id: string
  readonly seqNo: number
  readonly primaryTerm: number
  readonly version: number
}
