import { IllegalArgumentError } from '../../../util/errors.ts'
import type { JsonNode } from '../../../util/json/json-tree.ts'
import { readInteger } from '../json-scalars.ts'

/** A min number of documents. @param key its name in errors */
export function readMinDocCount(node: JsonNode, key: string, name: string): number {
  const count = readInteger(node)
  if (count >= 0) return count
  throw new IllegalArgumentError(
    `[${key}] must be greater than or equal to 0. Found [${count}] in [${name}]`,
  )
}

/** A number of buckets. @param key its name in errors */
export function readSize(node: JsonNode, key: string, name: string): number {
  const size = readInteger(node)
  if (size > 0) return size
  throw new IllegalArgumentError(`[${key}] must be greater than 0. Found [${size}] in [${name}]`)
}
