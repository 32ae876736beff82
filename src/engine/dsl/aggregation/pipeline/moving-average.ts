import { type AverageModel, isFitted } from '../../../../aggregation/pipeline/average-model.ts'
import { EngineError, IllegalArgumentError, validationFailed } from '../../../../util/errors.ts'
import type { JsonNode, JsonObjectNode } from '../../../../util/json/json-tree.ts'
import { readBoolean, readInteger, readText } from '../../json-scalars.ts'
import { parsingError } from '../../parse-error.ts'
import type { PipelineParser } from '../pipeline-parser.ts'
import { readPipeline } from './pipeline-keys.ts'

const DEFAULT_WINDOW = 5

/** moving_avg. */
export const movingAverage: PipelineParser = body => {
  const { name } = body
  let window: number | null = null
  let predict: number | null = null
  let minimizes: boolean | null = null
  let kind = 'simple'
  let settings: JsonNode | null = null
  const keys = readPipeline(body, 'moving_avg', {
    window: value => {
      window = readInteger(value)
    },
    predict: value => {
      predict = readInteger(value)
    },
    minimize: value => {
      minimizes = readBoolean(value)
    },
    model: value => {
      kind = readText(value)
    },
    settings: value => {
      settings = value
    },
  })
  if (window !== null && window <= 0)
    throw parsingError(
      body.node,
      `[window] value must be a positive, non-zero integer.  Value supplied was [${window}] in [${name}].`,
    )
  if (predict !== null && predict <= 0)
    throw parsingError(
      body.node,
      `[predict] value must be a positive integer.  Value supplied was [${predict}] in [${name}].`,
    )
  const size = window ?? DEFAULT_WINDOW
  const model = modelOf(body.node, kind, settings)
  if (model.kind === 'holt_winters' && 2 * model.period > size)
    throw new IllegalArgumentError(
      'Field [window] must be at least twice as large as the period when using Holt-Winters.  ' +
        `Value provided was [${size}], which is less than (2*period) == ${2 * model.period}`,
    )
  if (minimizes === true && !isFitted(model))
    throw validationFailed([`The [${kind}] model cannot be minimized for aggregation [${name}]`])
  return {
    kind: 'movingAverage',
    name,
    window: size,
    predict: predict ?? 0,
    model,
    // Seasons are fitted unless the request says otherwise.
    minimizes: minimizes ?? model.kind === 'holt_winters',
    ...keys,
  }
}

type Reader = (settings: ModelSettings) => AverageModel

/** Models by name, each with what reads its settings. */
const MODELS: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ['simple', () => ({ kind: 'simple' })],
  ['linear', () => ({ kind: 'linear' })],
  ['ewma', settings => ({ kind: 'ewma', alpha: settings.weight('alpha', 0.3) })],
  [
    'holt',
    settings => ({
      kind: 'holt',
      alpha: settings.weight('alpha', 0.3),
      beta: settings.weight('beta', 0.1),
    }),
  ],
  [
    'holt_winters',
    settings => {
      const isMultiplicative = settings.isMultiplicative('type')
      return {
        kind: 'holt_winters',
        alpha: settings.weight('alpha', 0.3),
        beta: settings.weight('beta', 0.1),
        gamma: settings.weight('gamma', 0.3),
        period: settings.integer('period', 1),
        isMultiplicative,
        isPadded: settings.flag('pad', isMultiplicative),
      }
    },
  ],
])

function modelOf(at: JsonObjectNode, kind: string, node: JsonNode | null): AverageModel {
  const read = MODELS.get(kind)
  if (read === undefined) throw parsingError(at, `Unknown moving_avg_model [${kind}]`)
  const settings = new ModelSettings(node)
  try {
    const model = read(settings)
    settings.refuseOthers()
    return model
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    const { record } = parsingError(at, `Could not parse settings for model [${kind}].`)
    throw new EngineError({ ...record, causedBy: error.record })
  }
}

/** The settings of a model, read one by one; those that nobody reads are refused. */
class ModelSettings {
  readonly #left = new Map<string, JsonNode>()

  constructor(node: JsonNode | null) {
    if (node === null || node.kind === 'null') return
    if (node.kind !== 'object') throw parsingError(node, '[settings] must be an object')
    for (const { key, value } of node.entries) this.#left.set(key, value)
  }

  /** A number in [0, 1]. */
  weight(key: string, otherwise: number): number {
    const node = this.#take(key)
    if (node === null) return otherwise
    if (node.kind !== 'number') throw wrongType(key, 'a double', node)
    if (node.value >= 0 && node.value <= 1) return node.value
    throw settingFault(
      `Parameter [${key}] must be between 0-1 inclusive.  Provided value was [${node.text}]`,
    )
  }

  /** A whole number of at least 1. */
  integer(key: string, otherwise: number): number {
    const node = this.#take(key)
    if (node === null) return otherwise
    if (node.kind !== 'number') throw wrongType(key, 'an integer', node)
    if (Number.isInteger(node.value) && node.value >= 1) return node.value
    throw settingFault(
      `Parameter [${key}] must be a positive integer. Provided value was [${node.text}]`,
    )
  }

  flag(key: string, otherwise: boolean): boolean {
    const node = this.#take(key)
    if (node === null) return otherwise
    if (node.kind !== 'boolean') throw wrongType(key, 'a boolean', node)
    return node.value
  }

  /** Whether seasons are factors (`mult`), not summands (`add`). */
  isMultiplicative(key: string): boolean {
    const node = this.#take(key)
    if (node === null) return false
    if (node.kind !== 'string') throw wrongType(key, 'a String', node)
    if (node.value === 'mult' || node.value === 'add') return node.value === 'mult'
    throw settingFault(`Unknown seasonality type [${node.value}]`)
  }

  refuseOthers(): void {
    if (this.#left.size > 0)
      throw settingFault(`Unrecognized parameter(s): [[${[...this.#left.keys()].join(', ')}]]`)
  }

  #take(key: string): JsonNode | null {
    const node = this.#left.get(key) ?? null
    this.#left.delete(key)
    return node
  }
}

const JAVA_TYPES: Readonly<Partial<Record<JsonNode['kind'], string>>> = {
  array: 'ArrayList',
  boolean: 'Boolean',
  number: 'Double',
  object: 'LinkedHashMap',
  string: 'String',
}

function wrongType(key: string, what: string, { kind }: JsonNode): EngineError {
  return settingFault(
    `Parameter [${key}] must be ${what}, type \`${JAVA_TYPES[kind] ?? kind}\` provided instead`,
  )
}

function settingFault(reason: string): EngineError {
  return new EngineError({ type: 'parse_exception', reason })
}
