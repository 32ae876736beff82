/** The parameters of methods and of their encoders, and which vectors they take. */
import type { JsonValue } from '../../util/json/json-value.ts'
import {
  decimalOf,
  integerOf,
  MethodComponent,
  type MethodParameter,
  type VectorEngine,
} from './vector-method.ts'
import type { VectorElement, VectorSpace } from './vector-space.ts'

/** Check of a value; a text is the fault. */
type ParameterCheck = (name: string, value: MethodParameter) => string | null

/** Names of the engines that new fields may have. */
export type TakenEngine = Exclude<VectorEngine, 'nmslib'>

/** The parts of a method that decide what it takes. */
interface MethodRules {
  readonly elements: readonly VectorElement[]
  readonly spaces: readonly VectorSpace[]
  readonly parameters: ReadonlyMap<string, ParameterCheck>
}

function integerCheck(allows: (value: number) => boolean): ParameterCheck {
  return (name, value) => {
    const number = integerOf(value)
    if (number === null)
      return `value is not an instance of Integer for Integer parameter [${name}].`
    return allows(number) ? null : `parameter validation failed for Integer parameter [${name}].`
  }
}

const positive = integerCheck(value => value > 0)

const flag: ParameterCheck = (name, value) =>
  typeof value === 'boolean'
    ? null
    : `value is not an instance of Boolean for Boolean parameter [${name}].`

const sqType: ParameterCheck = (name, value) => {
  if (typeof value !== 'string')
    return `value is not an instance of String for String parameter [${name}].`
  return value === 'fp16' ? null : `parameter validation failed for String parameter [${name}].`
}

const confidence: ParameterCheck = (name, value) => {
  const number = decimalOf(value)
  if (number === null || (integerOf(value) !== null && number !== 0))
    return `value is not an instance of Double for Double parameter [${name}].`
  return number === 0 || (number >= 0.9 && number <= 1)
    ? null
    : `parameter validation failed for Double parameter [${name}].`
}

/** The encoders of each engine. */
const ENCODERS: {
  readonly [E in TakenEngine]: ReadonlyMap<string, ReadonlyMap<string, ParameterCheck>>
} = {
  faiss: new Map([
    ['flat', new Map()],
    [
      'sq',
      new Map([
        ['type', sqType],
        ['clip', flag],
        ['bits', integerCheck(bits => bits === 1 || bits === 16)],
      ]),
    ],
    [
      'binary',
      new Map([
        ['bits', integerCheck(bits => bits === 1 || bits === 2 || bits === 4)],
        ['random_rotation', flag],
        ['enable_adc', flag],
      ]),
    ],
  ]),
  lucene: new Map([
    [
      'sq',
      new Map([
        ['confidence_interval', confidence],
        ['bits', integerCheck(bits => bits === 1 || bits === 7)],
      ]),
    ],
  ]),
}

function encoderCheck(engine: TakenEngine): ParameterCheck {
  return (name, value) => {
    if (!(value instanceof MethodComponent))
      return `value is not an instance of for MethodComponentContext parameter [${name}].`
    const known = ENCODERS[engine].get(value.name)
    return known !== undefined && faultsOf(value, known).length === 0
      ? null
      : `parameter validation failed for MethodComponentContext parameter [${name}].`
  }
}

/** Faults of the parameters of a component. */
function faultsOf(
  { parameters }: MethodComponent,
  known: ReadonlyMap<string, ParameterCheck>,
): readonly string[] {
  const faults: string[] = []
  for (const [name, value] of parameters) {
    const check = known.get(name)
    const fault = check === undefined ? `Unknown parameter '${name}' found` : check(name, value)
    if (fault !== null) faults.push(fault)
  }
  return faults
}

const METHODS: { readonly [E in TakenEngine]: ReadonlyMap<string, MethodRules> } = {
  faiss: new Map([
    [
      'hnsw',
      {
        elements: ['float', 'binary', 'byte'],
        spaces: ['hamming', 'l2', 'innerproduct', 'cosinesimil'],
        parameters: new Map([
          ['m', positive],
          ['ef_construction', positive],
          ['ef_search', positive],
          ['encoder', encoderCheck('faiss')],
        ]),
      },
    ],
  ]),
  lucene: new Map([
    [
      'hnsw',
      {
        elements: ['float', 'byte', 'binary'],
        spaces: ['l2', 'cosinesimil', 'innerproduct', 'hamming'],
        parameters: new Map([
          ['m', positive],
          ['ef_construction', positive],
          ['encoder', encoderCheck('lucene')],
        ]),
      },
    ],
    [
      'flat',
      {
        elements: ['float'],
        spaces: ['l2', 'cosinesimil', 'innerproduct'],
        parameters: new Map(),
      },
    ],
  ]),
}

/** Whether an engine has a method of that name. */
export function hasMethod(engine: TakenEngine, name: string): boolean {
  return METHODS[engine].has(name)
}

/**
 * Faults of a method for vectors of a kind.
 * @param method which the engine has
 */
export function methodFaults(
  engine: TakenEngine,
  method: MethodComponent,
  space: VectorSpace,
  element: VectorElement,
): readonly string[] {
  const rules = METHODS[engine].get(method.name)!
  const faults: string[] = []
  if (!rules.spaces.includes(space))
    faults.push(
      `"${method.name}" with "${engine}" configuration does not support space type: "${space}".`,
    )
  if (!rules.elements.includes(element))
    faults.push(
      `Method "${method.name}" is not supported for vector data type "${element.toUpperCase()}".`,
    )
  return [...faults, ...faultsOf(method, rules.parameters)]
}

/** Whether a method or its encoder learns from vectors before it takes any: `ivf` and `pq` do. */
export function needsTraining({ name, parameters }: MethodComponent): boolean {
  const encoder = parameters.get('encoder')
  return name === 'ivf' || (encoder instanceof MethodComponent && encoder.name === 'pq')
}

/**
 * How many times smaller an encoder makes vectors.
 * @param encoder undefined: none
 * @returns null: it does not say
 */
export function compressionOf(
  engine: TakenEngine,
  encoder: MethodParameter | undefined,
): number | null {
  if (encoder === undefined) return 1
  if (!(encoder instanceof MethodComponent)) return null
  const bits = integerOf(encoder.parameters.get('bits'))
  if (encoder.name === 'sq') {
    if (bits === 1) return 32
    return engine === 'faiss' ? 2 : 4
  }
  if (encoder.name === 'binary') return bits === null ? null : 32 / bits
  return 1
}

/**
 * The fault of an `sq` encoder whose parameters do not go together; null: it has none.
 * @param compression that the field asks for; null: any
 */
export function sqFault(
  engine: TakenEngine,
  encoder: MethodParameter | undefined,
  compression: number | null,
): string | null {
  if (!(encoder instanceof MethodComponent) || encoder.name !== 'sq') return null
  const { parameters } = encoder
  const taken = engine === 'faiss' ? '[16, 1]' : '[1, 7]'
  const given: JsonValue | MethodComponent | undefined = parameters.get('bits')
  if (given === undefined)
    return (
      'Parameter [bits] is required for encoder [sq] on indices created with version 3.6.0 or ' +
      `later. Supported values: ${taken}`
    )
  const bits = integerOf(given)
  if (bits === null) return null
  if (engine === 'faiss' && bits !== 16) {
    if (parameters.has('type'))
      return (
        `Parameter [type] is not supported when [bits=${bits}] for encoder [sq]. The type ` +
        'parameter is only applicable for fp16 quantization (bits=16).'
      )
    if (parameters.has('clip'))
      return (
        `Parameter [clip] is not supported when [bits=${bits}] for encoder [sq]. Clipping is ` +
        'only applicable for fp16 quantization (bits=16).'
      )
  }
  const others = [...parameters.keys()].filter(name => name !== 'bits')
  if (engine === 'lucene' && bits === 1 && others.length > 0)
    return (
      `Parameters [[${others.join(', ')}]] are not supported when [bits=1] for encoder [sq]. The ` +
      '1-bit scalar quantization path does not use additional parameters.'
    )
  const own = compressionOf(engine, encoder)
  if (compression !== null && own !== compression)
    return (
      `Compression level [${compression}x] is incompatible with [bits=${bits}] for encoder [sq]. ` +
      `Expected compression level: [${own}x]`
    )
  return null
}
