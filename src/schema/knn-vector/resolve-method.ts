/** The method of a field of vectors, from all parameters that speak of it, and the refusals of them. */
import { EngineError, IllegalArgumentError } from '../../util/errors.ts'
import { mapperParsingError, notSupported } from '../mapping-errors.ts'
import {
  compressionOf,
  hasMethod,
  methodFaults,
  needsTraining,
  sqFault,
  type TakenEngine,
} from './method-checks.ts'
import {
  type GivenMethod,
  integerOf,
  MethodComponent,
  type MethodParameter,
  type VectorEngine,
} from './vector-method.ts'
import type { VectorElement, VectorSpace } from './vector-space.ts'

/** The parameters of a field as they were given; null: not given. */
export interface GivenVectorField {
  readonly name: string
  readonly dimension: number | null
  readonly element: VectorElement
  readonly method: GivenMethod | null
  readonly modelId: string | null
  readonly mode: string | null
  /** How many times smaller vectors shall be. */
  readonly compression: number | null
  readonly space: VectorSpace | null
  readonly engine: VectorEngine | null
  /** `index.knn`. */
  readonly isVectorIndex: boolean
}

/** How neighbours of vectors are found. */
export interface VectorMethod {
  readonly engine: TakenEngine
  readonly name: 'hnsw' | 'flat'
  /** Neighbours of a vector in the graph; twice as many on its lowest level. */
  readonly m: number
  /** Candidates that are looked at for each vector while the graph is made, and for each search. */
  readonly efConstruction: number
  /** Null: as the index says. */
  readonly efSearch: number | null
  /** How many times smaller vectors are kept for the search: 1 unless an encoder is named. */
  readonly compression: number
  readonly isOnDisk: boolean
}

/** A field's space, and its method; null: vectors are kept for scripts alone. */
export interface ResolvedVectorField {
  readonly dimension: number
  readonly space: VectorSpace | null
  readonly method: VectorMethod | null
}

/** Max components of a vector. */
const MAX_DIMENSION = 16000
const DEFAULT_M = 16
const DEFAULT_EF_CONSTRUCTION = 100

/** How many times smaller each engine keeps vectors. */
const COMPRESSIONS: { readonly [E in TakenEngine]: readonly number[] } = {
  faiss: [1, 2, 8, 16, 32],
  lucene: [1, 4, 32],
}

/**
 * Resolves what is given.
 * @throws {EngineError} `mapper_parsing_exception`, `validation_exception`, `illegal_argument_exception`
 */
export function resolveMethod(given: GivenVectorField): ResolvedVectorField {
  const { name, method, modelId } = given
  if (method !== null && modelId !== null)
    throw new IllegalArgumentError(
      `Method and model can not be both specified in the mapping: ${name}`,
    )
  if (given.dimension !== null && modelId !== null)
    throw new IllegalArgumentError(
      `Cannot specify both a modelId and dimension in the mapping: ${name}`,
    )
  if (!given.isVectorIndex) return keptForScripts(given)
  if (modelId !== null) throw notSupported('model_id')
  const { element } = given
  const isSqueezed = given.mode !== null || given.compression !== null
  if (isSqueezed && element !== 'float')
    throw mapperParsingError(
      `Compression and mode cannot be used for non-float32 data type for field ${name}`,
    )
  const space = resolveSpace(given)
  const engine = resolveEngine(given)
  if (engine === 'nmslib')
    throw new IllegalArgumentError(
      'nmslib engine is deprecated in OpenSearch  and cannot be used for new index creation in ' +
        'OpenSearch from  3.0.0.',
    )
  const component = method?.component ?? new MethodComponent('hnsw', new Map())
  const isFlat = engine === 'lucene' && component.name === 'flat'
  const compression = isFlat
    ? flatCompression(given, component)
    : squeezedBy(given, engine, component.parameters.get('encoder'))
  if (needsTraining(component)) throw validationError(['"method" requires training.'])
  checkMethod(given, engine, component, space)
  return {
    dimension: dimensionOf(given),
    space,
    method: {
      engine,
      name: isFlat ? 'flat' : 'hnsw',
      m: integerOf(component.parameters.get('m')) ?? DEFAULT_M,
      efConstruction:
        integerOf(component.parameters.get('ef_construction')) ?? DEFAULT_EF_CONSTRUCTION,
      efSearch: integerOf(component.parameters.get('ef_search')),
      compression,
      isOnDisk: given.mode === 'on_disk',
    },
  }
}

/** A field of an index that finds no neighbours. */
function keptForScripts(given: GivenVectorField): ResolvedVectorField {
  if (given.modelId !== null || given.method !== null)
    throw new IllegalArgumentError(
      'Cannot set modelId or method parameters when index.knn setting is false',
    )
  const dimension = dimensionOf(given)
  if (given.mode !== null || given.compression !== null)
    throw mapperParsingError(
      'Compression and mode can not be specified in a flat mapping configuration for field: ' +
        given.name,
    )
  const tooLong = dimensionFault(dimension, given.element, 'faiss')
  if (tooLong !== null) throw new IllegalArgumentError(tooLong)
  return { dimension, space: null, method: null }
}

function dimensionOf({ dimension, name }: GivenVectorField): number {
  if (dimension !== null) return dimension
  throw new IllegalArgumentError(`Dimension value missing for vector: ${name}`)
}

function resolveSpace({ method, space, element }: GivenVectorField): VectorSpace {
  const own = method?.space ?? null
  if (own !== null && space !== null && own !== space)
    throw mapperParsingError(`Cannot specify conflicting space types: "[${own}]" "[${space}]"`)
  return own ?? space ?? (element === 'binary' ? 'hamming' : 'l2')
}

function resolveEngine({ method, engine, compression }: GivenVectorField): VectorEngine {
  const own = method?.engine ?? null
  if (engine !== null && compression === 4 && engine !== 'lucene')
    throw mapperParsingError('Lucene is the only engine that supports 4x compression')
  if (own !== null && engine !== null && own !== engine)
    throw mapperParsingError(`Cannot specify conflicting engines: [${own}] and [${engine}]`)
  const given = own ?? engine
  if (given !== null) return given
  if (method?.component.name.toLowerCase() === 'flat') return 'lucene'
  return compression === 4 ? 'lucene' : 'faiss'
}

function flatCompression({ mode, compression }: GivenVectorField, method: MethodComponent): number {
  if (method.parameters.size > 0)
    throw validationError(['Parameters are not supported for the "flat" method'])
  if (mode !== null) throw validationError(['"mode" is not supported for the "flat" method'])
  if (compression !== null && compression !== 32)
    throw validationError(['"flat" method only supports "32x" compression'])
  return 32
}

/** How many times smaller vectors are kept: by the encoder, or what mode and level ask for. */
function squeezedBy(
  { mode, compression, element }: GivenVectorField,
  engine: TakenEngine,
  encoder: MethodParameter | undefined,
): number {
  const faults: string[] = []
  if (compression !== null && !COMPRESSIONS[engine].includes(compression))
    faults.push(`"${engine}" does not support "${compression}x" compression`)
  if (engine === 'lucene' && compression === 1 && mode === 'on_disk')
    faults.push('Cannot specify "x1" compression level when using "on_disk" mode')
  if (faults.length > 0) throw validationError(faults)
  if (encoder === undefined)
    return compression ?? (mode === 'on_disk' && element === 'float' ? 32 : 1)
  const fault = sqFault(engine, encoder, compression)
  if (fault !== null && element === 'float') throw validationError([fault])
  const own = compressionOf(engine, encoder)
  if (compression !== null && own !== null && own !== compression)
    throw validationError([
      'Cannot specify an encoder that conflicts with the provided compression level',
    ])
  return own ?? compression ?? 1
}

function checkMethod(
  given: GivenVectorField,
  engine: TakenEngine,
  method: MethodComponent,
  space: VectorSpace,
): void {
  const { element, dimension } = given
  if (!hasMethod(engine, method.name))
    throw validationError([`Invalid method name: ${method.name}`])
  const tooLong = dimension === null ? null : dimensionFault(dimension, element, engine)
  const isHamming = space === 'hamming'
  if (isHamming !== (element === 'binary'))
    throw new IllegalArgumentError(
      `Space type [${space}] is not supported with [${element}] data type`,
    )
  const faults = [
    ...(tooLong === null ? [] : [tooLong]),
    ...methodFaults(engine, method, space, element),
  ]
  if (engine === 'faiss' && space === 'cosinesimil' && element === 'byte')
    faults.push(
      'Faiss engine does not support cosine similarity with byte vectors. Cosine similarity ' +
        'requires vector normalization which is only supported for float vectors. Please use ' +
        'float data type or choose a different space type like l2 or inner_product.',
    )
  if (faults.length > 0) throw validationError(faults)
}

function dimensionFault(
  dimension: number,
  element: VectorElement,
  engine: TakenEngine,
): string | null {
  if (dimension > MAX_DIMENSION)
    return `Dimension value cannot be greater than ${MAX_DIMENSION} for vector with engine: ${engine}`
  if (element === 'binary' && dimension % 8 !== 0)
    return 'Dimension should be multiply of 8 for binary vector data type'
  return null
}

function validationError(faults: readonly string[]): EngineError {
  const list = faults.map((fault, i) => `${i + 1}: ${fault};`).join('')
  return new EngineError({ type: 'validation_exception', reason: `Validation Failed: ${list}` })
}
