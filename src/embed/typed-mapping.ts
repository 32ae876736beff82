/**
 * Mappings whose documents have a type: `t.index({ title: t.text(), meaning: t.vector(384) })` says both how
 * fields are indexed and what a program reads and writes.
 */
import { IllegalArgumentError } from '../util/errors.ts'
import { checkOptions, checkRecord, type OptionKeys } from './arguments.ts'
import { lamellaError } from './lamella-error.ts'
import { type VectorFields, vectorFieldsOf } from './vector-sources.ts'

/** Fields of an index in the documented form: `{ properties: { title: { type: 'text' } } }`. */
export type Mapping = Readonly<Record<string, unknown>>

/** Parameters of a field in the documented form, such as `{ analyzer: 'english' }`; `fields` may hold typed ones. */
export type FieldParameters = Readonly<Record<string, unknown>>

/** Fields by name. */
export type Fields = Readonly<Record<string, TypedField<unknown>>>

/** The documents of some fields. */
export type DocumentOf<F> = {
  readonly [K in keyof F as undefined extends ValueOf<F[K]> ? never : K]: ValueOf<F[K]>
} & {
  readonly [K in keyof F as undefined extends ValueOf<F[K]> ? K : never]?: Exclude<
    ValueOf<F[K]>,
    undefined
  >
}

type ValueOf<F> = F extends TypedField<infer V> ? V : never

/** A field with the type of its values. */
export class TypedField<V> {
  /** The field as a mapping has it. */
  readonly parameters: FieldParameters
  /** Of the type alone: there is no such value. */
  declare readonly value: V

  constructor(parameters: FieldParameters) {
    this.parameters = parameters
  }

  /**
   * Documents have lists in this field.
   * @throws {LamellaError} a field of vectors, of which a document has one
   */
  array(): TypedField<readonly V[]> {
    if (this.parameters['type'] === 'knn_vector')
      throw refusal('a document has one vector in a field: `t.nested` may hold several')
    return new TypedField(this.parameters)
  }

  /** Documents may be without. */
  optional(): TypedField<V | undefined> {
    return new TypedField(this.parameters)
  }
}

/** A mapping whose documents are `T`; `Database.index` takes it. */
export class TypedMapping<T extends object> {
  /** In the documented form. */
  readonly mapping: Mapping
  /** The fields whose values are typed arrays. */
  readonly vectors: VectorFields
  /** Of the type alone: there is no such value. */
  declare readonly document: T

  constructor(mapping: Mapping) {
    this.mapping = mapping
    this.vectors = vectorFieldsOf(mapping)
  }
}

/** Spaces: how near two vectors are. `hamming` is that of `binary` alone. */
export type VectorSpaceName = 'l2' | 'cosinesimil' | 'innerproduct' | 'l1' | 'linf' | 'hamming'

/** How a field of vectors is searched. */
export interface VectorOptions<E extends VectorType = VectorType> {
  /** Default `float`. Components of `byte` are −128 … 127; of `binary` each byte holds eight. */
  readonly type?: E
  /** Default `l2`, of `binary` `hamming`. */
  readonly space?: VectorSpaceName
  readonly method?: VectorMethodOptions
  /** `on_disk` looks at more candidates by default. */
  readonly mode?: 'in_memory' | 'on_disk'
  /** As the API has it: `32x`. */
  readonly compressionLevel?: '1x' | '2x' | '4x' | '8x' | '16x' | '32x'
}

/** Components of vectors. */
export type VectorType = 'float' | 'byte' | 'binary'

/** The graph that neighbours are found by. */
export interface VectorMethodOptions {
  /** Default `hnsw`; `flat` compares all vectors. */
  readonly name?: 'hnsw' | 'flat'
  /** Decides which spaces and parameters are taken. */
  readonly engine?: 'faiss' | 'lucene'
  /** Neighbours of each vector, from 1; default 16. */
  readonly m?: number
  /** Candidates looked at for each vector when the graph is made, from 1; default 100. */
  readonly efConstruction?: number
  /** Candidates of a search, from 1; default 100. */
  readonly efSearch?: number
}

const VECTOR_OPTIONS: OptionKeys<VectorOptions> = {
  type: true,
  space: true,
  method: true,
  mode: true,
  compressionLevel: true,
}
const METHOD_OPTIONS: OptionKeys<VectorMethodOptions> = {
  name: true,
  engine: true,
  m: true,
  efConstruction: true,
  efSearch: true,
}

/** What `t` makes: a field for each type, and mappings of fields. */
export interface FieldTypes {
  /** The mapping of an index with these fields. */
  index<F extends Fields>(fields: F, parameters?: FieldParameters): TypedMapping<DocumentOf<F>>
  /** Analysed text. */
  text(parameters?: FieldParameters): TypedField<string>
  /** Text as one term. */
  keyword(parameters?: FieldParameters): TypedField<string>
  long(parameters?: FieldParameters): TypedField<number>
  integer(parameters?: FieldParameters): TypedField<number>
  short(parameters?: FieldParameters): TypedField<number>
  byte(parameters?: FieldParameters): TypedField<number>
  double(parameters?: FieldParameters): TypedField<number>
  float(parameters?: FieldParameters): TypedField<number>
  boolean(parameters?: FieldParameters): TypedField<boolean>
  /** A date as text or milliseconds since 1970; a `Date` is written as text, and read back as such. */
  date(parameters?: FieldParameters): TypedField<string | number>
  ip(parameters?: FieldParameters): TypedField<string>
  /** An object whose fields are those of the document. */
  object<F extends Fields>(fields: F, parameters?: FieldParameters): TypedField<DocumentOf<F>>
  /** Objects each of which is searched by itself. */
  nested<F extends Fields>(
    fields: F,
    parameters?: FieldParameters,
  ): TypedField<readonly DocumentOf<F>[]>
  /**
   * A vector for each document. The index gets the setting `index.knn`.
   * @param dimension components, from 1 to 16,000; bits of `binary`, a multiple of 8
   */
  vector(dimension: number, options?: VectorOptions<'float'>): TypedField<Float32Array>
  vector(
    dimension: number,
    options: VectorOptions<'byte' | 'binary'> & { readonly type: 'byte' | 'binary' },
  ): TypedField<Int8Array>
  /** A field of any type, in the documented form. */
  field<V = unknown>(parameters: FieldParameters): TypedField<V>
}

function typed<V>(type: string): (parameters?: FieldParameters) => TypedField<V> {
  return (parameters = {}) => new TypedField<V>({ type, ...plainOf(parameters) })
}

/** Fields and mappings by type. */
export const t: FieldTypes = {
  index: (fields, parameters = {}) =>
    new TypedMapping({ ...parameters, properties: propertiesOf(fields) }),
  text: typed('text'),
  keyword: typed('keyword'),
  long: typed('long'),
  integer: typed('integer'),
  short: typed('short'),
  byte: typed('byte'),
  double: typed('double'),
  float: typed('float'),
  boolean: typed('boolean'),
  date: typed('date'),
  ip: typed('ip'),
  object: (fields, parameters = {}) =>
    new TypedField({ type: 'object', ...parameters, properties: propertiesOf(fields) }),
  nested: (fields, parameters = {}) =>
    new TypedField({ type: 'nested', ...parameters, properties: propertiesOf(fields) }),
  vector: (dimension: number, options: VectorOptions = {}) =>
    new TypedField<never>(vectorParameters(dimension, options)),
  field: parameters => new TypedField(plainOf(parameters)),
}

function propertiesOf(fields: Fields): Readonly<Record<string, FieldParameters>> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => {
      if (!(field instanceof TypedField))
        throw refusal(`field [${name}] must be made by \`t\`: \`t.field\` takes any parameters`)
      return [name, field.parameters]
    }),
  )
}

/** Parameters with typed fields below `fields` in their documented form. */
function plainOf(parameters: FieldParameters): FieldParameters {
  const { fields } = parameters
  if (typeof fields !== 'object' || fields === null) return parameters
  const plain = Object.entries(fields).map(([name, field]) => [
    name,
    field instanceof TypedField ? field.parameters : field,
  ])
  return { ...parameters, fields: Object.fromEntries(plain) }
}

function vectorParameters(dimension: number, options: VectorOptions): FieldParameters {
  try {
    checkRecord('vector', options)
    checkOptions('option of a vector', options, VECTOR_OPTIONS)
    const { type, space, method, mode, compressionLevel } = options
    return definedOf({
      type: 'knn_vector',
      dimension,
      data_type: type,
      space_type: space,
      method: method === undefined ? undefined : methodParameters(method),
      mode,
      compression_level: compressionLevel,
    })
  } catch (error) {
    throw lamellaError(error)
  }
}

function methodParameters(method: VectorMethodOptions): FieldParameters {
  checkRecord('method', method)
  checkOptions('option of a method', method, METHOD_OPTIONS)
  const { name = 'hnsw', engine, m, efConstruction, efSearch } = method
  const parameters = definedOf({ m, ef_construction: efConstruction, ef_search: efSearch })
  const given = Object.keys(parameters).length > 0 ? parameters : undefined
  return definedOf({ name, engine, parameters: given })
}

function definedOf(record: FieldParameters): FieldParameters {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined))
}

function refusal(reason: string): unknown {
  return lamellaError(new IllegalArgumentError(reason))
}
