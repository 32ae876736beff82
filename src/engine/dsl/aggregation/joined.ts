/** `children` and `parent`. */
import type { Joined } from '../../../aggregation/join/joined.ts'
import { type JoinField, parentIdsName } from '../../../schema/field-type/join.ts'
import { readText } from '../json-scalars.ts'
import { parsingError, tokenName } from '../parse-error.ts'
import { joinFieldOf, parentOf } from '../query/join-clause.ts'
import type { AggregationBody } from './aggregation-body.ts'
import type { AggregationParser } from './aggregation-parser.ts'

/** `children`. */
export const children: AggregationParser = joined('children')
/** `parent`. */
export const parent: AggregationParser = joined('parent')

function joined(type: 'children' | 'parent'): AggregationParser {
  return {
    takesChildren: true,
    sortable: 'single',
    parse(given) {
      const child = readChildType(given, type)
      const { name } = given
      return {
        samples: true,
        contextBelow: context => ({ ...context, nested: { ...context.nested, path: null } }),
        bind(context, below) {
          const field = joinFieldOf(context.mapping)
          const around = field === null ? null : parentOf(field, child)
          const plan = (ties: Ties): Joined => ({ kind: 'joined', name, children: below, ...ties })
          if (field === null || around === null)
            return { kind: 'unmapped', name, children: [], model: plan(noTies(type)) }
          return plan(tiesOf(type, field, around, child))
        },
      }
    },
  }
}

/** @throws {EngineError} `parsing_exception` */
function readChildType({ name, node }: AggregationBody, type: string): string {
  let child: string | null = null
  for (const { key, value } of node.entries) {
    if (value.kind !== 'string')
      throw parsingError(value, `Unexpected token ${tokenName(value.kind)} in [${name}].`)
    if (key !== 'type')
      throw parsingError(
        value,
        `Unknown key for a ${tokenName(value.kind)} in [${name}]: [${key}].`,
      )
    child = readText(value)
  }
  if (child !== null) return child
  throw parsingError(node, `Missing [child_type] field for ${type} aggregation [${name}]`)
}

type Ties = Omit<Joined, 'kind' | 'name' | 'children'>

function tiesOf(
  type: 'children' | 'parent',
  { name }: JoinField,
  around: string,
  child: string,
): Ties {
  const fields = { relationField: name, idField: parentIdsName(name, around) }
  return type === 'children'
    ? { ...fields, finds: 'children', from: around, to: child }
    : { ...fields, finds: 'parents', from: child, to: around }
}

function noTies(type: 'children' | 'parent'): Ties {
  const finds = type === 'children' ? 'children' : 'parents'
  return { relationField: '', idField: '', finds, from: '', to: '' }
}
