/** The suggestion of the URL: `suggest_field` and what belongs to it, in the place of the body's. */
import type { JsonEntry, JsonNode } from '../../../util/json/json-tree.ts'
import { integer, type ParamReader, text } from '../../params.ts'

/** The parameters. */
export const URL_SUGGEST_PARAMS: {
  readonly suggest_field: ParamReader<string>
  readonly suggest_mode: ParamReader<string>
  readonly suggest_size: ParamReader<number>
  readonly suggest_text: ParamReader<string>
} = {
  suggest_field: text,
  suggest_mode: text,
  suggest_size: integer,
  suggest_text: text,
}

interface UrlSuggest {
  readonly suggest_field?: string | undefined
  readonly suggest_mode?: string | undefined
  readonly suggest_size?: number | undefined
  readonly suggest_text?: string | undefined
  /** The text where `suggest_text` is not given. */
  readonly q?: string | undefined
}

/** Where what comes from the URL stands. */
const PLACE = { line: 1, col: 1 } as const

/** The body with the suggestion of the URL; the body itself where the URL has none. */
export function withUrlSuggest(body: JsonNode | null, params: UrlSuggest): JsonNode | null {
  const { suggest_field: field, suggest_mode: mode, suggest_size: size } = params
  if (field === undefined || (body !== null && body.kind !== 'object')) return body
  const given = params.suggest_text ?? params.q
  const term = object(
    entry('field', { ...PLACE, kind: 'string', value: field }),
    ...(mode === undefined
      ? []
      : [entry('suggest_mode', { ...PLACE, kind: 'string', value: mode })]),
    ...(size === undefined
      ? []
      : [entry('size', { ...PLACE, kind: 'number', text: String(size), value: size })]),
  )
  const suggestion = object(
    ...(given === undefined ? [] : [entry('text', { ...PLACE, kind: 'string', value: given })]),
    entry('term', term),
  )
  const others = (body?.entries ?? []).filter(({ key }) => key !== 'suggest')
  return object(entry('suggest', object(entry(field, suggestion))), ...others)
}

function object(...entries: readonly JsonEntry[]): JsonNode {
  return { ...PLACE, kind: 'object', entries }
}

function entry(key: string, value: JsonNode): JsonEntry {
  return { ...PLACE, key, value }
}
