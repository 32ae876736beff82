import { IllegalArgumentError } from '../../../util/errors.ts'
import type { JsonNode } from '../../../util/json/json-tree.ts'
import { parseDuration } from '../../../util/units.ts'
import { type DeclaredOption, readDeclared } from '../declared-options.ts'
import { readText } from '../json-scalars.ts'
import { parsingError, tokenName } from '../parse-error.ts'

/** The point in time that a search looks at. */
export interface PointInTime {
  readonly id: string
  /** Its new keep-alive; null leaves it as it is. */
  readonly keepAliveInMillis: number | null
}

/**
 * Reads `pit`.
 * @throws {EngineError} 400: no id, an unknown field, a duration that is none
 */
export function parsePointInTime(node: JsonNode): PointInTime {
  if (node.kind !== 'object')
    throw parsingError(node, `Expected [START_OBJECT] but found [${tokenName(node.kind)}]`)
  let id: string | null = null
  let keepAliveInMillis: number | null = null
  readDeclared(
    'pit',
    node,
    new Map<string, DeclaredOption>([
      ['id', { takes: ['string'], read: value => (id = readText(value)) }],
      [
        'keep_alive',
        {
          takes: ['string'],
          read: value => (keepAliveInMillis = parseDuration(readText(value), 'keep_alive') / 1e6),
        },
      ],
    ]),
  )
  if (id === null) throw new IllegalArgumentError('point int time id is not provided')
  return { id, keepAliveInMillis }
}
