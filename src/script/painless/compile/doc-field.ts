/** `doc['field']` and `doc['field'].value` with a name that the source tells: found once, read bare. */
import type { DocFields, DocValues } from '../../doc/doc-values.ts'
import type { ScriptValue } from '../../value/script-value.ts'
import type { Expression } from '../ast.ts'
import type { Typed } from '../library/class-type.ts'
import { DOUBLE, LONG, NOT_A_KIND } from '../number/number-kind.ts'
import type { Code } from './code.ts'
import { type Frame, located } from './frame.ts'
import type { Scope, Variable } from './scope.ts'
import { unboxTo } from './unbox.ts'
import type { Unit } from './unit.ts'
import { readVariable } from './variable.ts'

type Access = Extract<Expression, { kind: 'dot' | 'index' }>

/** The values of a field, or their first one; null: the expression is neither. */
export function docField(unit: Unit, node: Access, scope: Scope): Code | null {
  const own = siteOf(unit, node, scope)
  if (own !== null) return { type: 'def', run: frame => own.values(frame) }
  if (node.kind !== 'dot' || node.name !== 'value' || node.isNullSafe) return null
  const { target } = node
  if (target.kind !== 'dot' && target.kind !== 'index') return null
  const site = siteOf(unit, target, scope)
  return site === null ? null : firstValue(unit, site, node.offset)
}

type MethodNode = Extract<Expression, { kind: 'method' }>

/** `doc.containsKey('name')` in a source; null: the call is another one. */
export function docHasField(unit: Unit, node: MethodNode, scope: Scope): Code | null {
  const [input, ...others] = node.inputs
  if (node.name !== 'containsKey' || input?.kind !== 'string' || others.length > 0) return null
  const variable = docVariable(node.target, scope)
  if (variable === null) return null
  const { value: field } = input
  unit.uses.add(`doc['${field}']`)
  const { run } = readVariable(variable)
  return { type: 'boolean', run: frame => (run(frame) as DocFields).has(field) }
}

/** The context's `doc` of an expression; null: it is another one. */
function docVariable(node: Expression, scope: Scope): Variable | null {
  if (node.kind !== 'name' || node.name !== 'doc') return null
  // Scripts of similarities have a variable of that name too, of a class of its own.
  const variable = scope.find('doc')
  return variable?.isOfContext === true && variable.type === 'def' ? variable : null
}

/** `doc['name']` in a source; null: the expression is none. */
function siteOf(unit: Unit, node: Access, scope: Scope): FieldSite | null {
  const variable = docVariable(node.target, scope)
  const name = fieldOf(node)
  if (variable === null || name === null) return null
  unit.uses.add(`doc['${name}']`)
  return new FieldSite(variable, name, node.offset)
}

function fieldOf(node: Access): string | null {
  if (node.kind === 'dot') return node.isNullSafe || node.name === 'empty' ? null : node.name
  return node.index.kind === 'string' ? node.index.value : null
}

/** Finds a field once for all documents. */
class FieldSite {
  readonly #slot: number
  readonly #isDirect: boolean
  readonly #name: string
  readonly #offset: number
  #lastDoc: Typed = null
  #lastValues: DocValues | null = null

  constructor({ slot, isDirect }: Variable, name: string, offset: number) {
    this.#slot = slot
    this.#isDirect = isDirect
    this.#name = name
    this.#offset = offset
  }

  values(frame: Frame): DocValues {
    const doc = (this.#isDirect ? frame.variables : frame.slots)[this.#slot]!
    const last = this.#lastValues
    return last !== null && doc === this.#lastDoc ? last : this.#find(doc)
  }

  #find(doc: Typed): DocValues {
    try {
      this.#lastValues = (doc as DocFields).field(this.#name)
      this.#lastDoc = doc
      return this.#lastValues
    } catch (error) {
      throw located(error, this.#offset)
    }
  }
}

function firstValue(unit: Unit, site: FieldSite, offset: number): Code {
  const toDouble = unboxTo(unit.classes, 'double', false) as (value: ScriptValue) => number
  return {
    type: 'def',
    run: frame => {
      const list = site.values(frame)
      try {
        return list.value()
      } catch (error) {
        throw located(error, offset)
      }
    },
    double: frame => {
      const list = site.values(frame)
      try {
        if (list.numbers === null) return toDouble(list.value())
        return Number(list.bareValue())
      } catch (error) {
        throw located(error, offset)
      }
    },
    bare: frame => {
      const list = site.values(frame)
      try {
        const { numbers } = list
        if (numbers === null) {
          frame.kind = NOT_A_KIND
          return list.value()
        }
        frame.kind = numbers === 'long' ? LONG : DOUBLE
        return list.bareValue()
      } catch (error) {
        throw located(error, offset)
      }
    },
  }
}
