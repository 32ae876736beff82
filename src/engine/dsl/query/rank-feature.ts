import type { FeatureField } from '../../../schema/field-type/rank-feature.ts'
import { matchNone, type Query } from '../../../search/query/query.ts'
import type { FeatureFunction } from '../../../search/scorer/feature-value.ts'
import { IllegalArgumentError } from '../../../util/errors.ts'
import type { JsonEntry } from '../../../util/json/json-tree.ts'
import { plainField } from '../derived/derived-field.ts'
import { readNumber, readText } from '../json-scalars.ts'
import { contentError, fieldError, unknownField } from '../parse-error.ts'
import type { QueryContext } from '../query-context.ts'
import { QUERY_OPTIONS, type QueryParser } from './query-parser.ts'

/** The parameters of each function; those with a star must be given. */
const FUNCTIONS: Readonly<Record<FeatureFunction['kind'], readonly string[]>> = {
  log: ['scaling_factor*'],
  saturation: ['pivot'],
  sigmoid: ['pivot*', 'exponent*'],
  linear: [],
}
const KEYS = ['field', ...Object.keys(FUNCTIONS), ...QUERY_OPTIONS]

/** `rank_feature`: scores by a number that documents were given. */
export const rankFeatureParser: QueryParser = {
  mustBecomesFilter: 'never',
  parse(node, read) {
    let field: string | null = null
    const functions: FeatureFunction[] = []
    for (const entry of node.entries) {
      const { key, value } = entry
      if (read.option(entry)) continue
      if (key === 'field') field = readText(value)
      else if (Object.hasOwn(FUNCTIONS, key))
        functions.push(readFunction(key as FeatureFunction['kind'], entry))
      else throw unknownField(entry, 'rank_feature', KEYS)
    }
    if (field === null) throw new IllegalArgumentError('Required [field]')
    if (functions.length > 1)
      throw new IllegalArgumentError(
        'Can only specify one of [log], [saturation], [sigmoid] and [linear]',
      )
    const name = field
    const fn = functions[0] ?? { kind: 'saturation', pivot: null }
    return { field, build: context => build(name, fn, context) }
  },
}

function readFunction(kind: FeatureFunction['kind'], { value }: JsonEntry): FeatureFunction {
  try {
    if (value.kind !== 'object')
      throw contentError(value, `[${kind}] Expected START_OBJECT but was a scalar`)
    const numbers = new Map<string, number>()
    const parameters = FUNCTIONS[kind]
    for (const entry of value.entries) {
      const { key } = entry
      if (!parameters.includes(key) && !parameters.includes(`${key}*`))
        throw unknownField(
          entry,
          kind,
          parameters.map(each => each.replace('*', '')),
        )
      numbers.set(key, Math.fround(readNumber(entry.value)))
    }
    const missing = parameters.flatMap(each =>
      each.endsWith('*') && !numbers.has(each.slice(0, -1)) ? each.slice(0, -1) : [],
    )
    if (missing.length > 0) throw new IllegalArgumentError(`Required [${missing.join(', ')}]`)
    return functionOf(kind, numbers)
  } catch (error) {
    throw fieldError(value, 'rank_feature', kind, error)
  }
}

function functionOf(
  kind: FeatureFunction['kind'],
  numbers: ReadonlyMap<string, number>,
): FeatureFunction {
  switch (kind) {
    case 'log':
      return { kind, scalingFactor: numbers.get('scaling_factor')! }
    case 'saturation':
      return { kind, pivot: numbers.get('pivot') ?? null }
    case 'sigmoid':
      return { kind, pivot: numbers.get('pivot')!, exponent: numbers.get('exponent')! }
    case 'linear':
      return { kind }
  }
}

function build(name: string, fn: FeatureFunction, context: QueryContext): Query {
  const { mapping } = context
  const field = plainField(name, 'rank_feature', context)
  if (field?.type === 'rank_feature') return featureOf(field, field.name, '_feature', fn)
  const dot = name.lastIndexOf('.')
  const parent = dot < 0 ? null : mapping.field(name.slice(0, dot))
  if (field === null && parent?.type === 'rank_features')
    return featureOf(parent, name.slice(dot + 1), parent.name, fn)
  if (field === null) return matchNone(`unmapped field [${name}]`)
  throw new IllegalArgumentError(
    '[rank_feature] query only works on [rank_feature] fields and features of [rank_features] ' +
      `fields, not [${field.type}]`,
  )
}

function featureOf(
  { name, scoresGrow }: FeatureField,
  feature: string,
  shownField: string,
  fn: FeatureFunction,
): Query {
  const checked = fn.kind === 'linear' ? fn : positive(fn, scoresGrow)
  return { kind: 'feature', field: name, feature, shownField, function: checked }
}

/** Where scores fall with the number, its inverse is kept, and a pivot is turned over too. */
function positive(
  fn: Exclude<FeatureFunction, { kind: 'linear' }>,
  scoresGrow: boolean,
): FeatureFunction {
  if (fn.kind === 'log') {
    if (!scoresGrow)
      throw new IllegalArgumentError(
        'Cannot use the [log] function with a field that has a negative score impact as it would ' +
          'trigger negative scores',
      )
    if (!(fn.scalingFactor >= 1))
      throw new IllegalArgumentError(`scalingFactor must be >= 1, got: ${fn.scalingFactor}`)
    return fn
  }
  if (fn.pivot === null) return fn
  const pivot = scoresGrow ? fn.pivot : Math.fround(1 / fn.pivot)
  if (!(pivot > 0) || !Number.isFinite(pivot))
    throw new IllegalArgumentError(`pivot must be > 0, got: ${pivot}`)
  if (fn.kind === 'sigmoid' && !(fn.exponent > 0))
    throw new IllegalArgumentError(`exp must be > 0, got: ${fn.exponent}`)
  return { ...fn, pivot }
}
