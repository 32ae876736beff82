import { ProcessorConfig } from '../../../../pipeline/processor-config.ts'
import { parseDoubleText } from '../../../../script/painless/library/parse-number.ts'
import { ScriptFault } from '../../../../script/script-fault.ts'
import { javaText } from '../../../../script/value/java-text.ts'
import { classNameOf, type ScriptValue } from '../../../../script/value/script-value.ts'
import { IllegalArgumentError } from '../../../../util/errors.ts'
import { Float32, Float64, type JsonMap, type JsonValue } from '../../../../util/json/json-value.ts'
import { notSupportedYet } from '../../../dsl/parse-error.ts'
import type { PrintedHit } from '../../../response/printed-hit.ts'
import { idOf, scoreOf, scriptValue, sourceOf } from '../response-hits.ts'
import type { ResponseProcessorType } from '../search-processor.ts'

/** How scores are found, in the order in which messages list them. */
const KINDS = ['ml_opensearch', 'by_field'] as const

/** `rerank`: hits in order of new scores, which are values of their sources. */
export const RERANK: ResponseProcessorType = {
  name: 'rerank',
  parse(config) {
    const asked = KINDS.flatMap(kind => {
      const value = config.value(kind)
      return value === null ? [] : { kind, value }
    })
    const [first] = asked
    if (first === undefined)
      throw new IllegalArgumentError(
        `No rerank type found. Possible rerank types are: [${KINDS.join(', ')}]`,
      )
    if (asked.length > 1)
      throw new IllegalArgumentError(
        `Multiple rerank types found: [${asked.map(({ kind }) => kind).join(', ')}]. Only one is permitted.`,
      )
    // Scores of the other kind are a model's.
    if (first.kind === 'ml_opensearch') throw notSupportedYet('processor rerank of ml_opensearch')
    const options = readOptions(config, first.value)
    return (hits, run) => {
      if (hits.length === 0) return hits
      const values = hits.map(hit => scoreFrom(hit, options))
      const changed = hits.map((hit, i) => rescored(hit, values[i]!, options))
      const sorted = changed.sort((a, b) => compareFloats(scoreOf(b), scoreOf(a)))
      run.maxScore = new Float32(scoreOf(sorted[0]!))
      return sorted
    }
  },
}

interface ByField {
  readonly path: readonly string[]
  readonly removesField: boolean
  readonly keepsScore: boolean
}

function readOptions(config: ProcessorConfig, value: Exclude<ScriptValue, null>): ByField {
  if (!(value instanceof Map))
    throw config.fault('by_field', `property isn't a map, but of type [${classNameOf(value)}]`)
  const own = new ProcessorConfig(config.type, value)
  own.tag = config.tag
  const path = own.text('target_field').split('.')
  // As Java splits: no empty names at the end.
  while (path.at(-1) === '') path.pop()
  const options = {
    path,
    removesField: own.flag('remove_target_field', false),
    keepsScore: own.flag('keep_previous_score', false),
  }
  own.refuseUnread('processor [rerank] with [by_field]')
  return options
}

/** The score that a hit's source has for it. @throws {IllegalArgumentError} there is none */
function scoreFrom(hit: PrintedHit, { path }: ByField): Float32 {
  const source = sourceOf(hit)
  if (source === null)
    throw new IllegalArgumentError(
      `There is no source field to be able to perform rerank on hit [${idOf(hit)}]`,
    )
  const found = valueAt(source, path)
  if (found === null)
    throw new IllegalArgumentError(`The field to rerank by is not found at hit [${idOf(hit)}]`)
  const value = scriptValue(found)
  const number = numberOf(value)
  if (number !== null) return new Float32(number)
  const type = value === null ? 'null' : classNameOf(value)
  throw new IllegalArgumentError(
    `The field mapping to rerank by [${javaText(value)}] is not Numerical, instead of type ` +
      `[${type.slice(type.lastIndexOf('.') + 1)}]`,
  )
}

/** The value at a path, those of all objects of a list together; null where there is none. */
function valueAt(source: JsonMap, path: readonly string[]): JsonValue {
  let current: JsonValue = source
  for (const key of path)
    if (current instanceof Map) current = (current as JsonMap).get(key) ?? null
    else if (Array.isArray(current)) {
      const items: JsonValue[] = (current as readonly JsonValue[]).flatMap(item =>
        item instanceof Map ? [(item as JsonMap).get(key) ?? null] : [],
      )
      const values = items.filter(item => item !== null)
      if (values.length === 0) return null
      current = values
    } else return null
  return current
}

/** A number, or the number of a text; null: there is none. */
function numberOf(value: ScriptValue): number | null {
  if (typeof value === 'number' || typeof value === 'bigint') return Number(value)
  if (value instanceof Float32 || value instanceof Float64) return value.value
  if (typeof value !== 'string') return null
  try {
    return parseDoubleText(value)
  } catch (error) {
    if (error instanceof ScriptFault) return null
    throw error
  }
}

function rescored(hit: PrintedHit, score: Float32, options: ByField): PrintedHit {
  const { path, removesField, keepsScore } = options
  if (!removesField && !keepsScore) return { ...hit, _score: score }
  let source = new Map(sourceOf(hit)!)
  if (keepsScore) source.set('previous_score', new Float32(scoreOf(hit)))
  if (removesField) source = without(source, path)
  return { ...hit, _score: score, _source: source }
}

/** A map without what lies at a path, and without the maps that are empty then. */
function without(map: JsonMap, [key, ...others]: readonly string[]): Map<string, JsonValue> {
  const changed = new Map(map)
  const inner = changed.get(key!)
  if (others.length === 0) changed.delete(key!)
  else if (inner instanceof Map) {
    const rest = without(inner as JsonMap, others)
    if (rest.size === 0) changed.delete(key!)
    else changed.set(key!, rest)
  }
  return changed
}

/** As Java compares: what is no number is above all others. */
function compareFloats(a: number, b: number): number {
  if (Number.isNaN(a) || Number.isNaN(b)) return Number(Number.isNaN(a)) - Number(Number.isNaN(b))
  return a < b ? -1 : a > b ? 1 : 0
}
