/** Fields that bodies of snapshot requests share. */
import { readText } from '../../../engine/dsl/json-scalars.ts'
import { IllegalArgumentError } from '../../../util/errors.ts'
import type { JsonEntry } from '../../../util/json/json-tree.ts'
import { type Expansion, expansion } from '../../endpoint.ts'
import { list } from '../../params.ts'

/** Which indices a body means; null: it does not say so. */
export interface IndexOptions {
  indices: readonly string[]
  ignoresUnavailable: boolean
  allowsNoIndices: boolean
  expansion: Expansion | null
}

/** Defaults of absent keys. */
export function usualOptions(): IndexOptions {
  return { indices: [], ignoresUnavailable: false, allowsNoIndices: true, expansion: null }
}

/** Reads a field about indices. False: it is another one. */
export function readIndexOption(entry: JsonEntry, options: IndexOptions): boolean {
  const { key } = entry
  if (key === 'indices') options.indices = namesOf(entry)
  else if (key === 'ignore_unavailable' || key === 'ignoreUnavailable')
    options.ignoresUnavailable = booleanOf(entry)
  else if (key === 'allow_no_indices' || key === 'allowNoIndices')
    options.allowsNoIndices = booleanOf(entry)
  else if (key === 'expand_wildcards' || key === 'expandWildcards')
    options.expansion = expansion(namesOf(entry).join(','))
  else return false
  return true
}

/** A comma list, or a list of texts. */
export function namesOf({ key, value }: JsonEntry): readonly string[] {
  if (value.kind === 'string') return list(value.value)
  if (value.kind === 'array' && value.items.every(item => item.kind === 'string'))
    return value.items.map(item => (item.kind === 'string' ? item.value : ''))
  throw new IllegalArgumentError(`malformed ${key} section, should be an array of strings`)
}

/** A boolean, also as a text. */
export function booleanOf({ key, value }: JsonEntry): boolean {
  if (value.kind === 'boolean') return value.value
  if (value.kind === 'string' && (value.value === 'true' || value.value === 'false'))
    return value.value === 'true'
  throw new IllegalArgumentError(`Could not convert [${key}] to boolean`)
}

/** A text. */
export function textOf({ key, value }: JsonEntry): string {
  if (value.kind === 'string') return readText(value)
  throw new IllegalArgumentError(`malformed ${key}`)
}

/** A key that a body does not have. */
export function unknownParameter(key: string): IllegalArgumentError {
  return new IllegalArgumentError(`Unknown parameter ${key}`)
}
