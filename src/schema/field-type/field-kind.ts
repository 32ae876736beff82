import type { JsonToken } from '../../util/json/json-reader.ts'
import type { JsonNode } from '../../util/json/json-tree.ts'
import type { JsonValue } from '../../util/json/json-value.ts'
import type { FieldStorage } from '../field-storage.ts'
import type { LeafValues } from '../leaf-values.ts'
import type { FieldParameter } from './field-parameter.ts'
import type { MappedField } from './mapped-field.ts'
import type { ParameterValues } from './parameter-values.ts'

/** The components of analysis, and the similarities, that a mapping may name. */
export interface AnalysisNames {
  hasAnalyzer(name: string): boolean
  hasNormalizer(name: string): boolean
  hasSimilarity(name: string): boolean
}

/**
 * A check of given parameters against each other and against the index.
 * @throws {EngineError} `mapper_parsing_exception`: they do not go together
 */
export type ParameterRule = (
  name: string,
  given: ReadonlyMap<string, JsonValue>,
  names: AnalysisNames,
) => void

/**
 * A field type: its parameters, and what it does with a document's values. Updates and prints of
 * mappings follow from the parameters alone.
 */
export type FieldKind<F extends MappedField> = KindOfScalars<F> &
  (ObjectsRefused<F> | ObjectsTaken<F>)

/** The part of a field type that takes a document's values. */
export type ValueTaker<F extends MappedField> = Pick<KindOfScalars<F>, 'addValue' | 'addNode'> &
  (ObjectsRefused<F> | ObjectsTaken<F>)

/** Members of every field type. */
interface KindOfScalars<F extends MappedField> {
  /** Whether refusals of its parameters have the words of the first field types; absent means no. */
  readonly isOldStyle?: true
  /** In the order of print. */
  readonly parameters: readonly FieldParameter[]
  readonly rules: readonly ParameterRule[]
  /**
   * Resolves a field from its parameters.
   * @throws {EngineError} `mapper_parsing_exception`: a `null_value` that is no value of the type
   */
  build(name: string, values: ParameterValues): F
  /**
   * Fields of the same type that this one brings along, each under a name of its own below the field's.
   * They get its values as multi-fields do, and their ordinals are those behind the field's. They can
   * be searched by name, and neither print nor answer to patterns. Types without such leave it out.
   */
  derive?(field: F): readonly F[]
  /**
   * Names of keywords that a field of this type brings along and fills by itself; their ordinals are those
   * behind the field's. They are searched by name, and neither print nor answer to patterns. Types without
   * such leave it out.
   */
  fills?(field: F): readonly string[]
  /** How errors name the type, of which an index may have one field; absent: it may have any number. */
  readonly onePerIndex?: string
  /**
   * Checks an update of a field of this type in place of the rules by parameter, and lets it replace the
   * field. Types that follow those rules leave it out.
   * @throws {EngineError} `illegal_argument_exception`
   */
  checkUpdate?(old: F, update: F): void
  /** Storage of the field in a segment. */
  storage(field: F): FieldStorage
  /**
   * Adds one scalar, or null, at which the reader stands to the document.
   * @param ordinal of the field in the mapping
   * @param token   neither the start of an object nor of an array
   * @throws {EngineError} `mapper_parsing_exception`: no value of the type
   */
  addValue(field: F, ordinal: number, token: JsonToken, values: LeafValues): void
  /**
   * Adds a value that was read already, as multi-fields get what their field made of an object. Types
   * that take no such leave it out.
   * @throws {EngineError} `mapper_parsing_exception`: no value of the type
   */
  addNode?(field: F, ordinal: number, node: JsonNode, values: LeafValues): void
}

/** A field type to which an object is malformed; lists are lists of its values. */
interface ObjectsRefused<F extends MappedField> {
  /**
   * Passes over an object at whose start the reader stands: malformed, whichever the type.
   * @throws {EngineError} `mapper_parsing_exception`, unless the field ignores malformed values
   */
  refuseObject(field: F, values: LeafValues): void
}

/** A field type whose values may be objects. */
interface ObjectsTaken<F extends MappedField> {
  /**
   * Adds the object at whose start the reader stands.
   * @throws {EngineError} `mapper_parsing_exception`: no value of the type
   */
  addObject(field: F, ordinal: number, values: LeafValues): void
  /**
   * Adds the list at whose start the reader stands, which may be one value or several. Without it,
   * lists are lists of values.
   */
  addList?(field: F, ordinal: number, values: LeafValues): void
  /**
   * The texts that its multi-fields get for a value that was read already; types with `addNode` have it. Objects
   * are refused of a field with multi-fields whose type leaves it out.
   */
  textsOf?(field: F, node: JsonNode): readonly string[]
  /** Whether multi-fields that take such values get them whole; absent means they get the texts. */
  readonly handsOnWhole?: true
}
