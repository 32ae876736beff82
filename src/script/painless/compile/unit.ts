import type { Block, Expression, WrittenType } from '../ast.ts'
import type { ClassTable } from '../class-table.ts'
import { CompileFault } from '../compile-fault.ts'
import type { TypeName } from '../library/class-type.ts'
import type { PainlessSettings } from '../painless-settings.ts'
import type { Code, Step, StepCode } from './code.ts'
import { convert } from './convert.ts'
import type { Scope } from './scope.ts'

/** A function of the source; calls within it are compiled ahead of its body. */
export interface UserFunction {
  readonly name: string
  readonly parameters: readonly TypeName[]
  readonly returns: TypeName
  /** Set once the body is compiled. */
  step: Step
  size: number
}

/** One source while it is compiled: what all its parts share. */
export interface Unit {
  readonly classes: ClassTable
  readonly settings: PainlessSettings
  /** Names of variables of the context, and `doc['⟨field⟩']`, that are read. */
  readonly uses: Set<string>
  /** Offsets of the statements that are compiled. */
  readonly statements: number[]
  /** By `name/arity`. */
  readonly functions: ReadonlyMap<string, UserFunction>
  /** @param wanted the type that a lambda or a method reference becomes */
  expression(node: Expression, scope: Scope, wanted?: TypeName): Code
  /** The statements of a block, whose variables end with it; `isLast`: the function ends with it. */
  block(block: Block, scope: Scope, isLast: boolean): StepCode
}

/**
 * The type of a written name, of which there are values.
 * @throws {CompileFault} there is none
 */
export function typeNamed(unit: Unit, written: WrittenType): TypeName {
  const type = returnTypeNamed(unit, written)
  if (type === 'void') throw new CompileFault(written.offset, 'Not a type [void].')
  return type
}

/**
 * The type of a written name, which may be `void`.
 * @throws {CompileFault} there is none
 */
export function returnTypeNamed(unit: Unit, written: WrittenType): TypeName {
  const type = unit.classes.resolve(written.text)
  if (type === null) throw new CompileFault(written.offset, `Not a type [${written.text}].`)
  return type
}

/** An expression in the form of a type that it converts to by itself. */
export function converted(unit: Unit, node: Expression, scope: Scope, to: TypeName): Code {
  const code = unit.expression(node, scope, to)
  return convert(unit.classes, code, to, { isExplicit: false, offset: node.offset })
}
