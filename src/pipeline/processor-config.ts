/** Options of a processor, read one by one; those that nobody reads are refused. */

import { javaText } from '../script/value/java-text.ts'
import {
  classNameOf,
  type ScriptList,
  type ScriptMap,
  type ScriptValue,
} from '../script/value/script-value.ts'
import { EngineError } from '../util/errors.ts'
import type { JsonRecord } from '../util/json/json-value.ts'
import { type FieldPath, parsePath } from './field-path.ts'
import type { IngestDocument } from './ingest-document.ts'
import { compileTemplate, type TextTemplate } from './text-template.ts'
import { type ValueTemplate, valueTemplate } from './value-template.ts'

/** A path of a configuration: fixed, or rendered for each document. */
export type PathTemplate = (document: IngestDocument) => FieldPath

/** Part of a configuration that an error belongs to; null: none. */
interface ConfigPart {
  readonly type: string | null
  readonly tag: string | null
}

/**
 * A configuration that cannot be: 400 `parse_exception`.
 * @param property that is at fault; null: none by itself
 */
export function configError(
  part: ConfigPart,
  property: string | null,
  reason: string,
): EngineError {
  return new EngineError({
    type: 'parse_exception',
    reason: property === null ? reason : `[${property}] ${reason}`,
    extra: extraOf(part, property),
  })
}

/** The place of an error in a configuration, beside its reason. */
function extraOf({ type, tag }: ConfigPart, property: string | null): JsonRecord {
  return {
    ...(type === null ? {} : { processor_type: type }),
    ...(tag === null ? {} : { processor_tag: tag }),
    ...(property === null ? {} : { property_name: property }),
  }
}

/**
 * The options of one processor, or the keys of a pipeline. Every method refuses a value of another
 * type with a `parse_exception`; null counts as missing.
 */
export class ProcessorConfig {
  readonly type: string | null
  tag: string | null = null
  readonly #values: ScriptMap

  /** @param type of the processor; null: it is a pipeline's */
  constructor(type: string | null, values: ScriptMap) {
    this.type = type
    this.#values = new Map(values)
  }

  /** A fault of an option. */
  fault(property: string | null, reason: string): EngineError {
    return configError(this, property, reason)
  }

  /**
   * Refuses options that nobody has read.
   * @param subject that does not have them: `processor [set]`
   */
  refuseUnread(subject: string): void {
    const unread = Array.from(this.#values.keys(), javaText).join(', ')
    if (this.#values.size > 0)
      throw this.fault(
        null,
        `${subject} doesn't support one or more provided configuration parameters [${unread}]`,
      )
  }

  /** An option of any type; null without. */
  value(key: string): ScriptValue {
    const value = this.#values.get(key)
    this.#values.delete(key)
    return value ?? null
  }

  requiredValue(key: string): Exclude<ScriptValue, null> {
    const value = this.value(key)
    if (value === null) throw this.fault(key, 'required property is missing')
    return value
  }

  optionalText(key: string): string | null {
    const value = this.value(key)
    return value === null ? null : this.#textOf(key, value)
  }

  text(key: string): string {
    return this.#textOf(key, this.requiredValue(key))
  }

  /** A text, or a number as text. */
  optionalTextOrInt(key: string): string | null {
    const value = this.value(key)
    if (value === null || typeof value === 'string') return value
    if (typeof value === 'number' && Number.isInteger(value)) return String(value)
    throw this.fault(key, `property isn't a string or int, but of type [${classNameOf(value)}]`)
  }

  /** A boolean. */
  flag(key: string, otherwise: boolean): boolean {
    const value = this.value(key)
    if (value === null) return otherwise
    if (typeof value === 'boolean') return value
    throw this.fault(key, `property isn't a boolean, but of type [${classNameOf(value)}]`)
  }

  /** A whole number, or a text of one. */
  int(key: string, otherwise: number | null): number | null {
    const value = this.value(key)
    if (value === null) return otherwise
    const text = javaText(value)
    const number = Number(text)
    if (/^[+-]?\d+$/.test(text) && (number | 0) === number) return number
    throw this.fault(key, `property cannot be converted to an int [${text}]`)
  }

  /** A number, or a text of one. */
  double(key: string): number {
    const text = javaText(this.requiredValue(key))
    if (/^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(text)) return Number(text)
    throw this.fault(key, `property cannot be converted to a double [${text}]`)
  }

  optionalList(key: string): ScriptList | null {
    const value = this.value(key)
    if (value === null || Array.isArray(value)) return value
    throw this.fault(key, `property isn't a list, but of type [${classNameOf(value)}]`)
  }

  list(key: string): ScriptList {
    const list = this.optionalList(key)
    if (list === null) throw this.fault(key, 'required property is missing')
    return list
  }

  /** A list of texts. */
  texts(key: string): string[] {
    return this.list(key).map(item => this.#itemText(key, item))
  }

  /** A list of texts; null without. */
  optionalTexts(key: string): string[] | null {
    return this.optionalList(key)?.map(item => this.#itemText(key, item)) ?? null
  }

  optionalMap(key: string): ScriptMap | null {
    const value = this.value(key)
    if (value === null || value instanceof Map) return value
    throw this.fault(key, `property isn't a map, but of type [${classNameOf(value)}]`)
  }

  map(key: string): ScriptMap {
    const map = this.optionalMap(key)
    if (map === null) throw this.fault(key, 'required property is missing')
    return map
  }

  /** The path of a field; it holds no template. */
  path(key: string): FieldPath {
    return this.pathOf(key, this.text(key))
  }

  /** A path that a text gives. */
  pathOf(key: string, text: string): FieldPath {
    try {
      return parsePath(text)
    } catch (error) {
      throw this.#faultOf(key, error)
    }
  }

  /** The path of a field, which may be a template. */
  pathTemplate(key: string): PathTemplate {
    return this.pathTemplateOf(key, this.text(key))
  }

  /** A path that a text gives, which may be a template. */
  pathTemplateOf(key: string, text: string): PathTemplate {
    if (text.includes('{{')) {
      const template = this.template(key, text)
      return document => parsePath(template(document))
    }
    const path = this.pathOf(key, text)
    return () => path
  }

  /** A text that may be a template. */
  template(key: string, text: string = this.text(key)): TextTemplate {
    try {
      return compileTemplate(text)
    } catch (error) {
      if (!(error instanceof EngineError)) throw error
      const extra = { ...error.record.extra, ...extraOf(this, key) }
      throw new EngineError({ ...error.record, extra })
    }
  }

  /** A value whose texts may be templates. */
  valueTemplate(key: string): ValueTemplate {
    return valueTemplate(this.requiredValue(key), text => this.template(key, text))
  }

  /** An error of ours as a fault of an option. */
  #faultOf(key: string, error: unknown): unknown {
    return error instanceof EngineError ? this.fault(key, error.record.reason) : error
  }

  #textOf(key: string, value: Exclude<ScriptValue, null>): string {
    if (typeof value === 'string') return value
    throw this.fault(key, `property isn't a string, but of type [${classNameOf(value)}]`)
  }

  #itemText(key: string, item: ScriptValue): string {
    if (item !== null) return this.#textOf(key, item)
    throw this.fault(key, 'property holds null')
  }
}
