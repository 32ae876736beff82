import type { ErrorType } from '../util/errors.ts'

/**
 * An exception of Java's that a script throws, or that its statement causes: a script may catch it.
 * It becomes the `caused_by` of a `script_exception`.
 */
export class ScriptFault extends Error {
  readonly type: ErrorType
  /** Java's name of the class, by which `catch` chooses. */
  readonly className: string
  /** Where in the source it was thrown, in UTF-16 units; −1 until a node with a position passed it on. */
  offset: number = -1

  constructor(type: ErrorType, className: string, reason: string) {
    super(reason)
    this.name = 'ScriptFault'
    this.type = type
    this.className = className
  }
}
