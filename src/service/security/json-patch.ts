/** Changes of a JSON value by a list of operations (RFC 6902), of which nothing or all is done. */
import { isObject, type PlainJson } from './security-document.ts'

/** Operations on documents: those that take something from elsewhere are not among them. */
const SUPPORTED = ['add', 'replace', 'remove']

/** One operation. */
export interface PatchOperation {
  readonly op: string
  /** Keys from the outside in. */
  readonly path: readonly string[]
  readonly value: PlainJson | undefined
}

/** What is wrong with a patch, in words. */
export class PatchError extends Error {}

/**
 * Reads the operations of a body.
 * @throws {PatchError} it is no list of operations that are supported
 */
export function readPatch(body: PlainJson): readonly PatchOperation[] {
  if (!Array.isArray(body) || body.length === 0) throw new PatchError('Wrong request body')
  return body.map((one: PlainJson) => {
    if (!isObject(one)) throw new PatchError('Wrong request body')
    const { op, path } = one
    if (typeof op !== 'string') throw new PatchError('Wrong request body')
    if (!SUPPORTED.includes(op))
      throw new PatchError(
        `Unsupported patch operation: ${op}. Supported are: ${SUPPORTED.join(',')}`,
      )
    if (typeof path !== 'string' || !path.startsWith('/'))
      throw new PatchError(`Invalid path [${String(path)}] of the operation [${op}]`)
    if (op !== 'remove' && !Object.hasOwn(one, 'value'))
      throw new PatchError(`Operation [${op}] on [${path}] needs a [value]`)
    const parts = path.slice(1).split('/')
    return {
      op,
      path: parts.map(part => part.replaceAll('~1', '/').replaceAll('~0', '~')),
      value: one['value'],
    }
  })
}

/**
 * The value after all operations; the given one stays as it is.
 * @throws {PatchError} a path that leads nowhere
 */
export function applyPatch(value: PlainJson, operations: readonly PatchOperation[]): PlainJson {
  return operations.reduce((before, operation) => changed(before, operation, operation.path), value)
}

function changed(
  value: PlainJson,
  operation: PatchOperation,
  [key, ...rest]: readonly string[],
): PlainJson {
  if (key === undefined) return operation.value ?? null
  if (Array.isArray(value)) return changedList(value, operation, key, rest)
  if (!isObject(value)) throw noPath(operation)
  const entries = new Map(Object.entries(value))
  const found = entries.get(key)
  if (rest.length > 0) {
    if (found === undefined) throw noPath(operation)
    entries.set(key, changed(found, operation, rest))
  } else if (operation.op === 'add') entries.set(key, operation.value ?? null)
  else if (found === undefined) throw noPath(operation)
  else if (operation.op === 'remove') entries.delete(key)
  else entries.set(key, operation.value ?? null)
  return Object.fromEntries(entries)
}

function changedList(
  value: readonly PlainJson[],
  operation: PatchOperation,
  key: string,
  rest: readonly string[],
): PlainJson {
  const adds = rest.length === 0 && operation.op === 'add'
  const at = key === '-' && adds ? value.length : /^(0|[1-9]\d{0,8})$/.test(key) ? Number(key) : -1
  if (at < 0 || at > value.length - (adds ? 0 : 1)) throw noPath(operation)
  if (rest.length > 0) return value.with(at, changed(value[at]!, operation, rest))
  if (adds) return value.toSpliced(at, 0, operation.value ?? null)
  return operation.op === 'remove'
    ? value.toSpliced(at, 1)
    : value.with(at, operation.value ?? null)
}

function noPath({ op, path }: PatchOperation): PatchError {
  return new PatchError(`Operation [${op}]: there is no [/${path.join('/')}]`)
}
