/** Bodies that name scrolls or points in time, as the real server's own parsers read them. */
import { tokenName } from '../../../engine/dsl/parse-error.ts'
import { IllegalArgumentError } from '../../../util/errors.ts'
import type { JsonEntry, JsonNode } from '../../../util/json/json-tree.ts'

/** The entries of a body; none without one. */
export function contextEntries(body: JsonNode | null): readonly JsonEntry[] {
  if (body === null) return []
  if (body.kind === 'object') return body.entries
  throw new IllegalArgumentError('Malformed content, must start with an object')
}

/** A key that the body does not have, or not so. */
export function unknownParameter({ key, value }: JsonEntry): IllegalArgumentError {
  return new IllegalArgumentError(
    `Unknown parameter [${key}] in request body or parameter is of the wrong type` +
      `[${tokenName(value.kind)}] `,
  )
}

/**
 * The ids of a key: one, or a list.
 * @param noun what they identify, for errors
 */
export function idsOf(entry: JsonEntry, noun: string): readonly string[] {
  const { key, value } = entry
  if (value.kind === 'array')
    return value.items.map(item => {
      if (item.kind === 'string') return item.value
      throw new IllegalArgumentError(`${key} array element should only contain ${noun}`)
    })
  if (value.kind === 'string') return [value.value]
  if (value.kind === 'object') throw unknownParameter(entry)
  throw new IllegalArgumentError(`${key} element should only contain ${noun}`)
}
