/** Method references. */
import { chargeList } from '../../script-growth.ts'
import { boxed } from '../../value/boxing.ts'
import { emptyItem, ScriptArray } from '../../value/script-array.ts'
import type { ScriptValue } from '../../value/script-value.ts'
import type { Expression } from '../ast.ts'
import { boxOf, isArray, itemTypeOf } from '../class-table.ts'
import { CompileFault } from '../compile-fault.ts'
import { ScriptFunction, type TypeName } from '../library/class-type.ts'
import { noMethod, staticsOf } from './call.ts'
import { CallSite, missing } from './call-site.ts'
import { type Code, RETURN } from './code.ts'
import { boxingRun } from './convert.ts'
import { type Execution, enterCall, Frame, located } from './frame.ts'
import { wantedOf } from './lambda.ts'
import { callOf, type MemberCall } from './member-call.ts'
import type { Scope } from './scope.ts'
import { type Unbox, unboxTo } from './unbox.ts'
import { typeNamed, type Unit, type UserFunction } from './unit.ts'
import { readVariable } from './variable.ts'

/** `Type::method`, `Type::new`, `this::function`, `variable::method`. */
export function reference(
  unit: Unit,
  node: Extract<Expression, { kind: 'reference' }>,
  scope: Scope,
  type: TypeName | undefined,
): Code {
  const wanted = wantedOf(unit, type, node.offset)
  const className = wanted?.owner.javaName ?? 'Lambda'
  const made = wanted?.type ?? 'def'
  const arity = wanted?.parameters.length ?? null
  const returns = wanted?.returns ?? 'def'
  const { offset } = node
  const value = (find: (frame: Frame) => Target): Code => ({
    type: made,
    run: frame =>
      new ReferenceValue(unit, className, find(frame), frame.execution, returns, offset),
  })
  const { text } = node.target
  if (text === 'this') return value(ownFunction(unit, node.method, arity, offset))
  const variable = text.includes('.') ? null : scope.find(text)
  if (variable !== null) {
    if (variable.isOfContext) unit.uses.add(variable.name)
    const target = boxingRun(readVariable(variable))!
    const sites = new Sites(unit, node.method)
    return value(frame => {
      const receiver = target(frame)
      return (execution, inputs) => sites.of(inputs.length).call(execution, receiver, inputs)
    })
  }
  const owner = typeNamed(unit, node.target)
  const target =
    node.method === 'new' ? maker(unit, owner, offset) : ofType(unit, owner, node, arity)
  return value(() => target)
}

/** The target of a method reference. */
type Target = (execution: Execution, inputs: ScriptValue[]) => ScriptValue

/** Call sites by number of inputs. */
class Sites {
  readonly #unit: Unit
  readonly #name: string
  readonly #sites: CallSite[] = []

  constructor(unit: Unit, name: string) {
    this.#unit = unit
    this.#name = name
  }

  of(arity: number): CallSite {
    return (this.#sites[arity] ??= new CallSite(this.#unit.classes, this.#name, arity))
  }
}

/** A static method, or one of the first input. */
function ofType(
  unit: Unit,
  owner: TypeName,
  node: Extract<Expression, { kind: 'reference' }>,
  arity: number | null,
): Target {
  const statics = staticsOf(unit, owner)
  const type = unit.classes.classOf(isArray(owner) ? 'Object' : boxOf(owner))
  const methods = type === null ? new Map() : unit.classes.methods(type)
  const { method, offset } = node
  const exists = (count: number): boolean =>
    statics.has(`${method}/${count}`) || methods.has(`${method}/${count - 1}`)
  const isThere =
    arity === null
      ? [...statics.keys(), ...methods.keys()].some(key => key.startsWith(`${method}/`))
      : exists(arity)
  if (!isThere) throw noMethod(unit, owner, `${method}/${arity ?? 0}`, offset)
  const sites = new Sites(unit, method)
  const ready = new Map<number, Target>()
  return (execution, inputs) => {
    const count = inputs.length
    let call = ready.get(count)
    if (call === undefined) {
      const member = statics.get(`${method}/${count}`)
      call =
        member === undefined
          ? (run, given) => sites.of(count - 1).call(run, given[0] ?? null, given.slice(1))
          : memberTarget(unit, callOf(member), member.parameters, member.returns)
      ready.set(count, call)
    }
    return call(execution, inputs)
  }
}

function memberTarget(
  unit: Unit,
  call: MemberCall,
  parameters: readonly TypeName[],
  returns: TypeName,
): Target {
  const takes = parameters.map(type => unboxTo(unit.classes, type, false))
  return (execution, inputs) => {
    const given = inputs.map((input, i) => takes[i]?.(input) ?? input)
    return boxed(returns, (call(execution.run, null, ...given) ?? null) as ScriptValue)
  }
}

/** `ArrayList::new`, `int[]::new`. */
function maker(unit: Unit, owner: TypeName, offset: number): Target {
  if (isArray(owner)) {
    const toInt = unboxTo(unit.classes, 'int', false)!
    const itemType = itemTypeOf(owner)
    return (execution, inputs) => {
      const length = toInt(inputs[0] ?? null) as number
      chargeList(execution.run, length, length)
      return new ScriptArray(itemType, new Array<ScriptValue>(length).fill(emptyItem(itemType)))
    }
  }
  const constructors = unit.classes.classOf(owner)?.constructors ?? {}
  if (Object.keys(constructors).length === 0)
    throw new CompileFault(
      offset,
      `constructor [${unit.classes.nameOf(owner)}, <init>/0] not found`,
    )
  return (execution, inputs) => {
    const member = Object.hasOwn(constructors, inputs.length)
      ? constructors[inputs.length]
      : undefined
    if (member === undefined)
      throw missing(
        `constructor [${unit.classes.nameOf(owner)}, <init>/${inputs.length}] not found`,
      )
    return memberTarget(unit, callOf(member), member.parameters, owner)(execution, inputs)
  }
}

/** A function of the source. */
function ownFunction(
  unit: Unit,
  name: string,
  arity: number | null,
  offset: number,
): (frame: Frame) => Target {
  const named = [...unit.functions.values()].filter(each => each.name === name)
  const found = arity === null ? named : named.filter(each => each.parameters.length === arity)
  if (found.length === 0)
    throw new CompileFault(offset, `Unknown call [${name}] with [${arity ?? 0}] arguments.`)
  const ready = new Map<number, Target>()
  for (const each of found) ready.set(each.parameters.length, functionTarget(unit, each))
  return () => (execution, inputs) => {
    const target = ready.get(inputs.length)
    if (target === undefined)
      throw missing(`Unknown call [${name}] with [${inputs.length}] arguments.`)
    return target(execution, inputs)
  }
}

function functionTarget(unit: Unit, own: UserFunction): Target {
  const takes = own.parameters.map(type => unboxTo(unit.classes, type, false))
  return (execution, inputs) => {
    const frame = new Frame(execution, own.size)
    for (let i = 0; i < inputs.length; i++) {
      const take = takes[i]!
      frame.slots[i] = take === null ? inputs[i]! : take(inputs[i]!)
    }
    enterCall(execution)
    try {
      return own.step(frame) === RETURN && own.returns !== 'void'
        ? boxed(own.returns, frame.result as ScriptValue)
        : null
    } finally {
      execution.depth--
    }
  }
}

/** A method reference as a value. */
class ReferenceValue extends ScriptFunction {
  readonly className: string
  readonly #target: Target
  readonly #execution: Execution
  readonly #take: Unbox | null
  readonly #returns: TypeName
  readonly #offset: number

  constructor(
    unit: Unit,
    className: string,
    target: Target,
    execution: Execution,
    returns: TypeName,
    offset: number,
  ) {
    super()
    this.className = className
    this.#target = target
    this.#execution = execution
    this.#take = returns === 'void' ? null : unboxTo(unit.classes, returns, false)
    this.#returns = returns
    this.#offset = offset
  }

  override call(...inputs: ScriptValue[]): ScriptValue {
    try {
      const result = this.#target(this.#execution, inputs)
      return this.#take === null ? result : boxed(this.#returns, this.#take(result) as ScriptValue)
    } catch (error) {
      throw located(error, this.#offset)
    }
  }

  override text(): string {
    return this.className
  }
}
