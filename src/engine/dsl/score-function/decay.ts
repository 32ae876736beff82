import type { FieldType } from '../../../schema/field-type.ts'
import type { DecayFunction } from '../../../search/weight/function/score-function.ts'
import { EngineError, IllegalArgumentError } from '../../../util/errors.ts'
import { parseDistance } from '../../../util/geo-distance.ts'
import type { JsonNode, JsonObjectNode } from '../../../util/json/json-tree.ts'
import { type AnyDateField, dateColumn, dateOrigin, durationInMillis } from '../date-origin.ts'
import { fieldSearch } from '../field/field-searches.ts'
import { readPlace } from '../geo-origin.ts'
import { readNumber, readText } from '../json-scalars.ts'
import { numberColumn } from '../number-column.ts'
import { parsingError } from '../parse-error.ts'
import { type QueryContext, readNow } from '../query-context.ts'
import type { ParsedFunction, ScoreFunctionParser } from './score-function-parser.ts'

const MODES: readonly DecayFunction['mode'][] = ['min', 'max', 'avg', 'sum']
const PARAMETERS: readonly string[] = ['origin', 'scale', 'offset', 'decay']

/** The parameters behind the field's name. */
type Parameters = ReadonlyMap<string, JsonNode>

/** `gauss`, `exp` and `linear`: scores that fall with the distance from an origin. */
export function decayParser(shape: DecayFunction['shape']): ScoreFunctionParser {
  return node => readDecay(shape, node)
}

function readDecay(shape: DecayFunction['shape'], node: JsonObjectNode): ParsedFunction {
  let found: { readonly field: string; readonly parameters: Parameters } | null = null
  let mode: DecayFunction['mode'] = 'min'
  for (const { key, value, line, col } of node.entries) {
    if (value.kind === 'object')
      found = {
        field: key,
        parameters: new Map(value.entries.map(entry => [entry.key, entry.value])),
      }
    else if (key === 'multi_value_mode') mode = readMode(readText(value))
    else throw parsingError({ line, col }, 'malformed score function score parameters.')
  }
  if (found === null) throw parsingError(node, 'malformed score function score parameters.')
  const { field: name, parameters } = found
  return context => {
    const field = context.mapping.field(name)
    if (field === null) throw parsingError(node, `unknown field [${name}]`)
    for (const key of parameters.keys())
      if (!PARAMETERS.includes(key)) throw parseError(`parameter [${key}] not supported!`)
    const given = parameters.get('decay')
    const decay = given === undefined ? 0.5 : readNumber(given)
    const measured = measure(field, parameters, node, context)
    if (measured.scale <= 0) throw new IllegalArgumentError('function_score : scale must be > 0.0.')
    if (decay <= 0 || decay >= 1)
      throw new IllegalArgumentError('function_score : decay must be in the range [0..1].')
    if (measured.offset < 0) throw new IllegalArgumentError('function_score : offset must be > 0.0')
    return { kind: 'decay', shape, field: field.name, ...measured, decay, mode }
  }
}

function readMode(text: string): DecayFunction['mode'] {
  const mode = MODES.find(each => each === text.toLowerCase())
  if (mode !== undefined) return mode
  throw new IllegalArgumentError(`Illegal sort mode: ${text}`)
}

function measure(
  field: FieldType,
  parameters: Parameters,
  node: JsonObjectNode,
  context: QueryContext,
): Pick<DecayFunction, 'origin' | 'scale' | 'offset'> {
  const origin = parameters.get('origin') ?? null
  const scale = parameters.get('scale') ?? null
  const offset = parameters.get('offset') ?? null
  switch (field.type) {
    case 'geo_point': {
      if (origin === null || scale === null)
        throw parseError('[origin] and [scale] must be set for geo fields.')
      if (!field.docValues) numberColumn(field)
      return {
        origin: { kind: 'place', place: readPlace(origin) },
        scale: parseDistance(readText(scale)),
        offset: offset === null ? 0 : parseDistance(readText(offset)),
      }
    }
    case 'date':
    case 'date_nanos': {
      if (scale === null) throw parseError('[scale] must be set for date fields.')
      const date = field as AnyDateField
      const value = origin === null ? readNow(context) : dateOrigin(date, readText(origin), context)
      return {
        origin: { kind: 'number', column: dateColumn(date), value },
        scale: durationInMillis(readText(scale), 'DecayFunctionParser.scale'),
        offset:
          offset === null ? 0 : durationInMillis(readText(offset), 'DecayFunctionParser.offset'),
      }
    }
  }
  if (!fieldSearch(field.type).isNumber)
    throw parsingError(
      node,
      `field [${field.name}] is of type [${field.type}], but only numeric types are supported.`,
    )
  if (origin === null || scale === null)
    throw parseError('both [scale] and [origin] must be set for numeric fields.')
  return {
    origin: { kind: 'number', column: numberColumn(field), value: readNumber(origin) },
    scale: readNumber(scale),
    offset: offset === null ? 0 : readNumber(offset),
  }
}

function parseError(reason: string): EngineError {
  return new EngineError({ type: 'parse_exception', reason })
}
