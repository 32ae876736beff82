/** `_script`: a sort by what a script gives, read and made for an index. */

import type { ScriptRequest } from '../../script/script-request.ts'
import { encodePoint } from '../../search/query/point-value.ts'
import { decodeUtf8, encodeUtf8 } from '../../util/bytes.ts'
import { IllegalArgumentError } from '../../util/errors.ts'
import type { JsonNode, JsonObjectNode } from '../../util/json/json-tree.ts'
import { printDouble, readDouble } from './field/number-sort.ts'
import type { ParsedScriptSort, ParsedSort, ResolvedSort } from './field/sort-level.ts'
import { readText } from './json-scalars.ts'
import { fieldError, unknownField } from './parse-error.ts'
import { parseScript } from './parse-script.ts'
import type { QueryContext } from './query-context.ts'
import { scriptPlan } from './script-plan.ts'

/** Keys of a level by a script that any level may have. */
export const SCRIPT_SORT_OPTIONS: ReadonlySet<string> = new Set([
  'order',
  'mode',
  'nested',
  'nested_path',
  'nested_filter',
])

/**
 * Reads the script of a level; its order, mode and nested objects are the level's.
 * @throws {EngineError} 400: it is none
 */
export function parseScriptSort(node: JsonObjectNode): ParsedScriptSort {
  let script: ScriptRequest | null = null
  let type: ParsedScriptSort['type'] | null = null
  for (const entry of node.entries) {
    const { key, value } = entry
    if (SCRIPT_SORT_OPTIONS.has(key)) continue
    if (key !== 'script' && key !== 'type')
      throw unknownField(entry, '_script', ['script', 'type', ...SCRIPT_SORT_OPTIONS])
    try {
      if (key === 'script') script = parseScript(value)
      else type = typeOf(value)
    } catch (error) {
      throw fieldError(value, '_script', key, error)
    }
  }
  if (script !== null && type !== null) return { script, type }
  const missing = [script === null ? 'script' : '', type === null ? 'type' : ''].filter(Boolean)
  throw new IllegalArgumentError(`Required [${missing.join(', ')}]`)
}

function typeOf(node: JsonNode): ParsedScriptSort['type'] {
  const text = readText(node)
  const type = text.toLowerCase()
  if (type === 'number' || type === 'string') return type
  throw new IllegalArgumentError(`Unknown ScriptSortType [${text}]`)
}

/**
 * A level by a script, in an index.
 * @throws {EngineError} the script does not compile; a mode that texts do not have
 */
export function scriptSort(
  { order, mode }: ParsedSort,
  { script, type }: ParsedScriptSort,
  context: QueryContext,
): ResolvedSort {
  const descending = order === 'desc'
  const usual = descending ? 'max' : 'min'
  if (type === 'number')
    return {
      key: {
        kind: 'scriptNumber',
        script: scriptPlan(script, 'number_sort', context),
        descending,
        encoding: 'double',
        missing: encodePoint(descending ? -Infinity : Infinity, 'double'),
        mode: mode ?? usual,
      },
      read: readDouble,
      print: printDouble,
    }
  if (mode !== null && mode !== 'min' && mode !== 'max')
    throw new IllegalArgumentError(`script sort of type [string] doesn't support mode [${mode}]`)
  return {
    key: {
      kind: 'scriptText',
      script: scriptPlan(script, 'string_sort', context),
      descending,
      mode: mode ?? usual,
    },
    read: encodeUtf8,
    print: value => decodeUtf8(value as Uint8Array),
  }
}
