import { CompileFault } from '../compile-fault.ts'
import type { TypeName } from '../library/class-type.ts'

/** A variable of a function. */
export interface Variable {
  readonly name: string
  readonly type: TypeName
  readonly slot: number
  readonly isReadOnly: boolean
  /** A variable of the context, whose use is noted. */
  readonly isOfContext: boolean
  /** Stands in `frame.variables`, at `slot`, and not in a slot of the frame. */
  readonly isDirect: boolean
}

/** A variable that a lambda takes along, into a slot of its own frame. */
export interface Capture {
  readonly from: Variable
  readonly to: number
}

/** A function, a lambda or the script itself while it is compiled. */
export class FunctionScope {
  readonly returns: TypeName
  /** Whether a last bare expression is the result, and a missing one null or 0. */
  readonly returnsLast: boolean
  /** The scope around a lambda; null: there is none to capture from. */
  readonly around: Scope | null
  readonly captures: Capture[] = []
  /** Slots of a frame. */
  size = 0

  constructor(returns: TypeName, returnsLast: boolean, around: Scope | null) {
    this.returns = returns
    this.returnsLast = returnsLast
    this.around = around
  }
}

const LOCAL = { isReadOnly: false, isOfContext: false, isDirect: false } as const

/** The variables that a block sees. */
export class Scope {
  readonly function: FunctionScope
  readonly #parent: Scope | null
  readonly #variables = new Map<string, Variable>()
  /** Whether a loop is around, in the same function. */
  readonly isInLoop: boolean

  private constructor(owner: FunctionScope, parent: Scope | null, isInLoop: boolean) {
    this.function = owner
    this.#parent = parent
    this.isInLoop = isInLoop
  }

  /** The outermost scope of a function. */
  static of(owner: FunctionScope): Scope {
    return new Scope(owner, null, false)
  }

  /** A block within. */
  block(): Scope {
    return new Scope(this.function, this, this.isInLoop)
  }

  /** The body of a loop within. */
  loop(): Scope {
    return new Scope(this.function, this, true)
  }

  /**
   * Declares a variable.
   * @throws {CompileFault} its name is taken
   */
  declare(name: string, type: TypeName, offset: number): Variable {
    if (this.find(name) !== null)
      throw new CompileFault(offset, `variable [${name}] is already defined`)
    const slot = this.function.size++
    const variable = { name, type, slot, ...LOCAL }
    this.#variables.set(name, variable)
    return variable
  }

  /** Declares a variable of the context, which no source writes to. */
  declareOfContext(name: string, type: TypeName, index: number): void {
    const variable = {
      name,
      type,
      slot: index,
      isReadOnly: true,
      isOfContext: true,
      isDirect: true,
    }
    this.#variables.set(name, variable)
  }

  /** A slot that no name leads to. */
  hiddenSlot(): number {
    return this.function.size++
  }

  /** The variable of a name; a lambda takes along what stands around it. Null: there is none. */
  find(name: string): Variable | null {
    const own = this.#variables.get(name)
    if (own !== undefined) return own
    if (this.#parent !== null) return this.#parent.find(name)
    const outer = this.function.around?.find(name) ?? null
    if (outer === null) return null
    const captured = { ...outer, slot: this.function.size++, isReadOnly: true, isDirect: false }
    this.function.captures.push({ from: outer, to: captured.slot })
    this.#variables.set(name, captured)
    return captured
  }
}
