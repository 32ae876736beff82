import type { Geometry } from '../../../schema/geo-shape/geometry.ts'
import { readShape } from '../../../schema/geo-shape/read-shape.ts'
import { simpleShapes } from '../../../schema/geo-shape/simple-shape.ts'
import { matchNone, type Query, type ShapeRelation } from '../../../search/query/query.ts'
import { IllegalArgumentError } from '../../../util/errors.ts'
import type { JsonNode, JsonObjectNode } from '../../../util/json/json-tree.ts'
import { plainField } from '../derived/derived-field.ts'
import { isScalar, readBoolean, readText } from '../json-scalars.ts'
import type { Lookup } from '../lookup.ts'
import { notSupportedYet, parsingError } from '../parse-error.ts'
import { type QueryContext, shardError } from '../query-context.ts'
import { readIndexedShape } from './indexed-shape.ts'
import { placesInShape } from './places-in-shape.ts'
import type { QueryParser } from './query-parser.ts'
import { shapeQuery } from './shape-on-field.ts'

const RELATIONS: readonly ShapeRelation[] = ['intersects', 'disjoint', 'within', 'contains']

/** How shapes of requests are read. */
const READING = { coerce: false, ignoresZ: true } as const

/** `geo_shape`: documents whose shape, or whose place, has a relation to a shape. */
export const geoShapeParser: QueryParser = {
  mustBecomesFilter: 'never',
  parse(node, read) {
    let found: { readonly field: string; readonly asked: AskedShape } | null = null
    let ignoresUnmapped = false
    for (const entry of node.entries) {
      const { key, value } = entry
      if (value.kind === 'object') {
        if (found !== null) throw parsingError(entry, `point specified twice. [${key}]`)
        found = { field: key, asked: readAsked(value) }
      } else if (read.option(entry)) continue
      else if (key === 'ignore_unmapped' && isScalar(value)) ignoresUnmapped = readBoolean(value)
      else throw parsingError(entry, `query does not support [${key}]`)
    }
    if (found === null) throw new IllegalArgumentError('fieldName is required')
    const { field, asked } = found
    if (asked.lookup !== null) read.lookUp(asked.lookup)
    return { field, build: context => build(field, asked, ignoresUnmapped, context) }
  },
}

/** A shape that is given, or that stands in a document: one of them. */
interface AskedShape {
  readonly relation: ShapeRelation
  readonly shape: Geometry | null
  readonly lookup: Lookup<Geometry> | null
}

function readAsked(node: JsonObjectNode): AskedShape {
  let relation: ShapeRelation = 'intersects'
  let shape: Geometry | null = null
  let lookup: Lookup<Geometry> | null = null
  for (const entry of node.entries) {
    const { key, value } = entry
    if (key === 'shape') shape = value.kind === 'null' ? null : readShape(value, READING)
    else if (key === 'relation') relation = readRelation(value)
    else if (key === 'indexed_shape' && value.kind === 'object') lookup = readIndexedShape(value)
    else if (key === 'strategy') throw notSupportedYet('strategy')
    else throw parsingError(entry, `query does not support [${key}]`)
  }
  if (shape === null && lookup === null)
    throw new IllegalArgumentError('either shape or indexedShapeId is required')
  return { relation, shape, lookup: shape === null ? lookup : null }
}

function readRelation(node: JsonNode): ShapeRelation {
  const text = readText(node)
  const relation = RELATIONS.find(name => name === text.toLowerCase())
  if (relation !== undefined) return relation
  throw parsingError(node, `Unknown shape operation [${text} ]`)
}

function build(
  name: string,
  { relation, shape, lookup }: AskedShape,
  ignoresUnmapped: boolean,
  context: QueryContext,
): Query {
  const field = plainField(name, 'geo_shape', context)
  if (field === null) {
    if (ignoresUnmapped) return matchNone('')
    throw shardError(`failed to find type for field [${name}]`)
  }
  const given = shape ?? context.answers.of(lookup!)
  if (field.type === 'geo_shape')
    return { kind: 'constantScore', query: shapeQuery(field, relation, simpleShapes(given, false)) }
  if (field.type === 'geo_point')
    return { kind: 'constantScore', query: placesInShape(field, relation, given) }
  throw shardError(`Field [${name}] is of unsupported type [${field.type}] for [geo_shape] query`)
}
