import type { LogOperation } from '../store/translog/translog.ts'
import type { Long } from '../util/long.ts'

/** A logged operation without its document, kept while the document is inverted. */
export interface LoggedHead {
  readonly kind: LogOperation['kind']
  /** Empty for a no-op, whose version is 0. */
  readonly id: string
  readonly seqNo: number
  readonly primaryTerm: number
  readonly version: Long
}
