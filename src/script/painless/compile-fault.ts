import type { ErrorRecord, ErrorType } from '../../util/errors.ts'

/** Why a source does not compile, and where; becomes the `caused_by` of a `script_exception`. */
export class CompileFault extends Error {
  readonly type: ErrorType
  /** In the source, in UTF-16 units. */
  readonly offset: number

  constructor(offset: number, reason: string, type: ErrorType = 'illegal_argument_exception') {
    super(reason)
    this.name = 'CompileFault'
    this.type = type
    this.offset = offset
  }

  get record(): ErrorRecord {
    return { type: this.type, reason: this.message }
  }
}

/** A conversion or an operation that the types do not allow. */
export function castFault(offset: number, reason: string): CompileFault {
  return new CompileFault(offset, reason, 'class_cast_exception')
}
