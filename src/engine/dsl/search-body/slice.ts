import { IllegalArgumentError } from '../../../util/errors.ts'
import type { JsonNode } from '../../../util/json/json-tree.ts'
import { type DeclaredOption, INTEGER, readDeclared } from '../declared-options.ts'
import { readInteger, readText } from '../json-scalars.ts'
import { parsingError, tokenName } from '../parse-error.ts'

/** One of several parts of the documents that a search sees, which together are all of them. */
export interface SearchSlice {
  /** 0 to `max` − 1. */
  readonly id: number
  /** Number of parts, min 2. */
  readonly max: number
  /** The field whose hash or number assigns a document to a slice: `_id`, or one of numbers. */
  readonly field: string
}

/**
 * Reads `slice`.
 * @throws {EngineError} 400: an unknown field, a number out of range, none at all
 */
export function parseSlice(node: JsonNode): SearchSlice {
  if (node.kind !== 'object')
    throw parsingError(node, `Expected [START_OBJECT] but found [${tokenName(node.kind)}]`)
  let id = -1
  let max = -1
  let field = '_id'
  const number = (take: (value: number) => void): DeclaredOption => ({
    takes: INTEGER,
    read(value) {
      take(readInteger(value))
      if (id >= 0 && max >= 0 && id >= max)
        throw new IllegalArgumentError('max must be greater than id')
    },
  })
  readDeclared(
    'slice',
    node,
    new Map<string, DeclaredOption>([
      ['field', { takes: ['string'], read: value => (field = checkedField(readText(value))) }],
      ['id', number(value => (id = checkedId(value)))],
      ['max', number(value => (max = checkedMax(value)))],
    ]),
  )
  if (id < 0) throw new IllegalArgumentError('Required [id]')
  if (max < 0) throw new IllegalArgumentError('Required [max]')
  return { id, max, field }
}

function checkedField(field: string): string {
  if (field === '') throw new IllegalArgumentError('field name is null or empty')
  return field
}

function checkedId(id: number): number {
  if (id < 0) throw new IllegalArgumentError('id must be greater than or equal to 0')
  return id
}

function checkedMax(max: number): number {
  if (max <= 1) throw new IllegalArgumentError('max must be greater than 1')
  return max
}
