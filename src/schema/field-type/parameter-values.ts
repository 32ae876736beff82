import { Float32, Float64, type JsonValue } from '../../util/json/json-value.ts'
import type { FieldParameter } from './field-parameter.ts'

/** The index's defaults of two parameters, for fields that do not give them. */
export interface ValueDefaults {
  /** `index.mapping.coerce` and `index.mapping.ignore_malformed`. */
  readonly coerce: boolean
  readonly ignoreMalformed: boolean
  /** `index.knn`: whether neighbours of vectors are to be found. */
  readonly isVectorIndex: boolean
}

/** A field's parameters by name: as given, the others at their defaults. */
export class ParameterValues {
  /** The parameters that were given, as they print. */
  readonly given: ReadonlyMap<string, JsonValue>
  readonly #known: readonly FieldParameter[]
  readonly #defaults: ValueDefaults

  /** @param known the parameters of the field's type */
  constructor(
    known: readonly FieldParameter[],
    given: ReadonlyMap<string, JsonValue>,
    defaults: ValueDefaults,
  ) {
    this.#known = known
    this.given = given
    this.#defaults = defaults
  }

  /** A parameter as it prints; null without a default. */
  value(name: string): JsonValue {
    const explicit = this.given.get(name)
    if (explicit !== undefined) return explicit
    return this.#known.find(parameter => parameter.name === name)?.default ?? null
  }

  /** A text; null where there is none. */
  text(name: string): string | null {
    const found = this.value(name)
    return typeof found === 'string' ? found : null
  }

  flag(name: string): boolean {
    return this.value(name) === true
  }

  /** A number; `otherwise` where there is none. */
  number(name: string, otherwise: number): number {
    const found = this.value(name)
    if (found instanceof Float32 || found instanceof Float64) return found.value
    return typeof found === 'number' ? found : otherwise
  }

  /** `coerce`, by the index's default. */
  get coerce(): boolean {
    const given = this.given.get('coerce')
    return given === undefined ? this.#defaults.coerce : given === true
  }

  /** `ignore_malformed`, by the index's default. */
  get ignoreMalformed(): boolean {
    const given = this.given.get('ignore_malformed')
    return given === undefined ? this.#defaults.ignoreMalformed : given === true
  }

  /** `index.knn`. */
  get isVectorIndex(): boolean {
    return this.#defaults.isVectorIndex
  }

  /** `null_value` as it would be written in a document; null where there is none. */
  get nullValue(): string | null {
    const value = this.value('null_value')
    if (value === null) return null
    if (!(value instanceof Float64)) return String(value)
    return Number.isInteger(value.value) ? `${value.value}.0` : String(value.value)
  }
}
