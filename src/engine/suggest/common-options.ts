/** Options of all kinds of suggesters: field, sizes, texts and their analyzer. */
import type { Analyzer } from '../../analysis/analyzer/analyzer.ts'
import { storageOf } from '../../schema/field-type/field-types.ts'
import type { FieldType } from '../../schema/field-type.ts'
import { EngineError, IllegalArgumentError } from '../../util/errors.ts'
import type { JsonEntry } from '../../util/json/json-tree.ts'
import { readInteger, readText } from '../dsl/json-scalars.ts'
import type { IndexView } from '../metadata/index-view.ts'
import type { SuggestTexts } from './suggester.ts'

/** Options of every kind, as they are read. */
export interface CommonOptions {
  field: string | null
  /** Null: the field's own. */
  analyzer: string | null
  size: number
  /** Null: as `shardSizeOf` says. */
  shardSize: number | null
}

/** The options of a suggestion that says none. */
export function newCommonOptions(): CommonOptions {
  return { field: null, analyzer: null, size: 5, shardSize: null }
}

/** Takes an option that all kinds have; false: it is none of them. */
export function readCommonOption(options: CommonOptions, { key, value }: JsonEntry): boolean {
  switch (key) {
    case 'field':
      options.field = readText(value)
      return true
    case 'analyzer':
      options.analyzer = readText(value)
      return true
    case 'size':
      options.size = positive(readInteger(value), 'size')
      return true
    case 'shard_size':
      options.shardSize = positive(readInteger(value), 'shardSize')
      return true
    default:
      return false
  }
}

function positive(size: number, name: string): number {
  if (size <= 0) throw new IllegalArgumentError(`${name} must be positive`)
  return size
}

/** The field; it must be named. */
export function requiredField({ field }: CommonOptions): string {
  if (field === null)
    throw new EngineError({
      type: 'parse_exception',
      reason: 'the required field option [field] is missing',
    })
  if (field === '') throw new IllegalArgumentError('suggestion field name is empty')
  return field
}

/** How many suggestions a shard gives where the request does not say. */
export function shardSizeOf({ size, shardSize }: CommonOptions): number {
  return shardSize ?? Math.max(size, 5)
}

/** The field of a suggestion in an index. */
export function mappedField({ mapping }: IndexView, name: string): FieldType {
  const field = mapping.field(name)
  if (field === null) throw new IllegalArgumentError(`no mapping found for field [${name}]`)
  return field
}

/** The analyzer that an option names. */
export function namedAnalyzer({ index }: IndexView, name: string): Analyzer {
  const found = index.analysis.analyzer(name)
  if (found === null) throw new IllegalArgumentError(`analyzer [${name}] doesn't exists`)
  return found
}

/** The analyzer of a field's searches. */
export function searchAnalyzer({ index }: IndexView, field: FieldType): Analyzer {
  const { analysis } = index
  const text = 'searchAnalyzer' in field ? field : null
  const name = text?.searchAnalyzer ?? (text !== null && 'analyzer' in text ? text.analyzer : null)
  if (typeof name === 'string') return analysis.analyzer(name) ?? analysis.defaultSearchAnalyzer
  if (storageOf(field).kind === 'tokens') return analysis.defaultSearchAnalyzer
  return analysis.analyzer('keyword') ?? analysis.defaultSearchAnalyzer
}

/** The text that a suggestion shows. */
export function shownText({ text, prefix, regex }: SuggestTexts): string {
  return text ?? prefix ?? regex ?? ''
}
