/** `buckets_path`: the way from a bucket to a number. */
import { EngineError, IllegalArgumentError } from '../../util/errors.ts'
import type { AggregationResult, BucketResult, ChildResults } from '../result.ts'

/** One element of a path. */
export interface PathElement {
  readonly name: string
  /** A metric, or the key of a bucket; null: none is named. */
  readonly key: string | null
}

/** Elements, outermost first. */
export type BucketsPath = readonly PathElement[]

/** Treatment of a bucket without a value. */
export type GapPolicy = 'skip' | 'insert_zeros'

/**
 * Reads a path: `a>b.c`, `a>b[c]`, `a['key']>b`.
 * @throws {IllegalArgumentError} it is none
 */
export function readPath(text: string): BucketsPath {
  return text.split('>').map((part, i, all) => elementOf(part.trim(), i === all.length - 1, text))
}

function elementOf(part: string, isLast: boolean, path: string): PathElement {
  const bracket = /^([^[\]]+)\[([^[\]]*)\]$/.exec(part)
  if (bracket !== null) return { name: bracket[1]!, key: bracket[2]!.replace(/^'(.*)'$/, '$1') }
  if (part === '' || /[[\]]/.test(part))
    throw new IllegalArgumentError(`Invalid path element [${part}] in path [${path}]`)
  const dot = isLast ? part.indexOf('.') : -1
  return dot < 0
    ? { name: part, key: null }
    : { name: part.slice(0, dot), key: part.slice(dot + 1) }
}

/** A path as it was written. */
export function pathText(path: BucketsPath): string {
  return path.map(({ name, key }) => (key === null ? name : `${name}.${key}`)).join('>')
}

/**
 * The value of a bucket; NaN where it is a gap that is skipped, null where a pipeline gave the bucket
 * none, which no policy fills.
 * @param pipeline name of the one that reads it
 * @throws {EngineError} the path leads to no number
 */
export function valueAt(
  bucket: BucketResult,
  path: BucketsPath,
  gapPolicy: GapPolicy,
  pipeline: string,
): number | null {
  const isCount = path.length === 1 && path[0]!.name === '_count'
  const value = rawValue(bucket, path, pipeline)
  if (value === null) return null
  const isGap = !Number.isFinite(value) || (bucket.docCount === 0 && !isCount)
  if (!isGap) return value
  return gapPolicy === 'skip' ? Number.NaN : 0
}

function rawValue(bucket: BucketResult, path: BucketsPath, pipeline: string): number | null {
  const [first] = path
  if (path.length === 1 && first!.key === null) {
    if (first!.name === '_count') return bucket.docCount
    if (first!.name === '_key') return bucket.key
  }
  return valueIn(bucket.children, path, pipeline)
}

function valueIn(children: ChildResults, path: BucketsPath, pipeline: string): number | null {
  const [element, ...rest] = path
  const { name, key } = element!
  const result = children.get(name)
  if (result === undefined) return null
  switch (result.kind) {
    case 'metric': {
      const value = result.value(key)
      if (value !== undefined) return value
      if (key !== null) throw new IllegalArgumentError(`path not supported for [${name}]: [${key}]`)
      throw pathError(`but [${name}] contains multiple values. Please specify which to use.`)
    }
    case 'single':
      if (rest.length === 0) {
        if (key !== null) return valueIn(result.children, [{ name: key, key: null }], pipeline)
        throw pathError(`got: [${classOf(result)}] at aggregation [${name}]`)
      }
      if (rest.length === 1 && rest[0]!.name === '_count') return result.docCount
      return valueIn(result.children, rest, pipeline)
    case 'multi': {
      if (rest.length === 1 && rest[0]!.name === '_bucket_count') return result.buckets.length
      if (key === '_bucket_count') return result.buckets.length
      if (rest.length === 0) throw pathError(`got: [${result.className}] at aggregation [${name}]`)
      if (key === null) throw pathError(`got: [Object[]] at aggregation [${name}]`)
      const bucket = result.buckets.find(each => each.name === key)
      return bucket === undefined ? null : rawValue(bucket, rest, pipeline)
    }
  }
}

function classOf(result: AggregationResult): string {
  const words = result.typedName.split('_').map(word => word[0]!.toUpperCase() + word.slice(1))
  return `Internal${words.join('')}`
}

function pathError(rest: string): EngineError {
  return new EngineError({
    type: 'aggregation_execution_exception',
    reason:
      'buckets_path must reference either a number value or a single value numeric metric ' +
      `aggregation, ${rest}`,
  })
}
