import type { ScriptFault } from '../script-fault.ts'
import { ScriptObject } from './script-value.ts'

/** An exception as a script holds it: it was caught, or made to be thrown. */
export class ExceptionValue extends ScriptObject {
  readonly className: string
  readonly fault: ScriptFault

  constructor(fault: ScriptFault) {
    super()
    this.className = fault.className
    this.fault = fault
  }

  override text(): string {
    const { message } = this.fault
    return message === '' ? this.className : `${this.className}: ${message}`
  }
}
