/** The body of `_rank_eval`: queries with ratings of documents, and the metric of their rankings. */
import { didYouMean, findAlike } from '../../../util/did-you-mean.ts'
import { IllegalArgumentError } from '../../../util/errors.ts'
import {
  type JsonEntry,
  type JsonNode,
  type JsonObjectNode,
  jsonEntry,
} from '../../../util/json/json-tree.ts'
import { readBoolean, readInteger, readText, readTexts } from '../../dsl/json-scalars.ts'
import {
  contentError,
  fieldError,
  notSupportedYet,
  parsingError,
  tokenName,
} from '../../dsl/parse-error.ts'
import {
  METRIC_NAMES,
  type MetricParam,
  type MetricParams,
  makeMetric,
  paramsOf,
  type RankMetric,
} from './metrics.ts'

/** A query whose hits are rated. */
export interface RatedRequest {
  readonly id: string
  /** A search body. */
  readonly request: JsonObjectNode
  /** Rating by index and id, as `ratingKey` has them. */
  readonly ratings: ReadonlyMap<string, number>
  /** Parts of the sources that hits carry. */
  readonly summaryFields: readonly string[]
}

/** A whole body. */
export interface RankEvalBody {
  readonly requests: readonly RatedRequest[]
  readonly metric: RankMetric
  readonly maxConcurrent: number
}

const USUAL_CONCURRENCY = 10
const KEYS = ['templates', 'requests', 'metric', 'max_concurrent_searches']
const REQUEST_KEYS = ['id', 'request', 'ratings', 'params', 'template_id', 'summary_fields']

/** The key of a rated document. */
export function ratingKey(index: string, id: string): string {
  return `{"_index":"${index}","_id":"${id}"}`
}

/**
 * Reads a body.
 * @throws {EngineError} 400
 */
export function parseRankEval(node: JsonNode): RankEvalBody {
  let requests: readonly RatedRequest[] = []
  let metric: RankMetric | null = null
  let maxConcurrent = USUAL_CONCURRENCY
  const { entries } = objectOf(node)
  checkBuilt(entries)
  for (const entry of entries)
    within(entry, 'rank_eval', KEYS, value => {
      if (entry.key === 'requests') requests = itemsOf(value).map(parseRequest)
      else if (entry.key === 'metric') metric = parseMetric(value)
      else maxConcurrent = readInteger(value)
    })
  if (metric === null) throw new IllegalArgumentError('Required [metric]')
  if (requests.length === 0)
    throw new IllegalArgumentError(
      'Cannot evaluate ranking if no search requests with rated results are provided. Seen: []',
    )
  if (maxConcurrent < 1)
    throw new IllegalArgumentError('maxConcurrentSearchRequests must be positive')
  return { requests, metric, maxConcurrent }
}

/** Templates are not built, in a request neither. */
function checkBuilt(entries: readonly JsonEntry[]): void {
  const requests = entries.find(({ key }) => key === 'requests')?.value
  const items = requests?.kind === 'array' ? requests.items : []
  const keys = [...entries, ...items.flatMap(item => (item.kind === 'object' ? item.entries : []))]
  for (const { key } of keys)
    if (key === 'templates' || key === 'params' || key === 'template_id') throw notSupportedYet(key)
}

function parseRequest(node: JsonNode): RatedRequest {
  let id: string | null = null
  let request: JsonObjectNode | null = null
  let rated: readonly (readonly [string, number])[] | null = null
  let summaryFields: readonly string[] = []
  for (const entry of objectOf(node).entries)
    within(entry, 'request', REQUEST_KEYS, value => {
      const { key } = entry
      if (key === 'id') id = readText(value)
      else if (key === 'request') request = objectOf(value)
      else if (key === 'ratings') rated = itemsOf(value).map(parseRating)
      else summaryFields = readTexts(value)
    })
  if (id === null) throw new IllegalArgumentError('Required [id]')
  if (rated === null) throw new IllegalArgumentError('Required [ratings]')
  if (request === null)
    throw new IllegalArgumentError(
      'Need to set at least test request or test request template parameters.',
    )
  checkRequest(request)
  return { id, request, ratings: ratingsOf(rated, id), summaryFields }
}

function ratingsOf(
  rated: readonly (readonly [string, number])[],
  id: string,
): ReadonlyMap<string, number> {
  const ratings = new Map<string, number>()
  for (const [key, rating] of rated) {
    if (ratings.has(key))
      throw new IllegalArgumentError(
        `Found duplicate rated document key [${key}] in evaluation request [${id}]`,
      )
    ratings.set(key, rating)
  }
  return ratings
}

/** Parts of a search that say nothing of its ranking. */
function checkRequest(request: JsonObjectNode): void {
  const has = (key: string): boolean => jsonEntry(request, key) !== null
  const isOn = (key: string): boolean => {
    const entry = jsonEntry(request, key)
    return entry !== null && readBoolean(entry.value)
  }
  const faults: readonly (readonly [boolean, string])[] = [
    [has('suggest'), 'contain a suggest section'],
    [has('aggs') || has('aggregations'), 'contain aggregations'],
    [has('highlight'), 'contain a highlighter section'],
    [isOn('explain'), 'use explain'],
    [isOn('profile'), 'use profile'],
  ]
  for (const [isThere, fault] of faults)
    if (isThere) throw new IllegalArgumentError(`Query in rated requests should not ${fault}.`)
}

function parseRating(node: JsonNode): readonly [string, number] {
  let index: string | null = null
  let id: string | null = null
  let rating: number | null = null
  for (const entry of objectOf(node).entries)
    within(entry, 'rated_document', ['_index', '_id', 'rating'], value => {
      if (entry.key === '_index') index = readText(value)
      else if (entry.key === '_id') id = readText(value)
      else rating = readInteger(value)
    })
  if (index === null) throw new IllegalArgumentError('Required [_index]')
  if (id === null) throw new IllegalArgumentError('Required [_id]')
  if (rating === null) throw new IllegalArgumentError('Required [rating]')
  return [ratingKey(index, id), rating]
}

function parseMetric(node: JsonNode): RankMetric {
  const [entry, second] = objectOf(node).entries
  if (entry === undefined) throw new IllegalArgumentError('Required [metric]')
  const { key: name, value } = entry
  if (!METRIC_NAMES.includes(name))
    throw contentError(entry, `unknown field [${name}]${didYouMean(findAlike(name, METRIC_NAMES))}`)
  if (second !== undefined)
    throw parsingError(
      second,
      `Failed to parse object: expecting token of type [END_OBJECT] but found [FIELD_NAME]`,
    )
  const params: { -readonly [P in MetricParam]?: number | boolean } = {}
  for (const param of objectOf(value).entries)
    within(param, name, paramsOf(name), given => {
      const key = param.key as MetricParam
      const isFlag = key === 'ignore_unlabeled' || key === 'normalize'
      params[key] = isFlag ? readBoolean(given) : readInteger(given)
    })
  return makeMetric(name, params as MetricParams)
}

/** Reads a field that a parser knows; an error in it is told as its cause. */
function within(
  entry: JsonEntry,
  parser: string,
  known: readonly string[],
  read: (value: JsonNode) => void,
): void {
  const { key, value } = entry
  if (!known.includes(key))
    throw contentError(
      entry,
      `[${parser}] unknown field [${key}]${didYouMean(findAlike(key, known))}`,
    )
  try {
    read(value)
  } catch (error) {
    throw fieldError(value, parser, key, error)
  }
}

function objectOf(node: JsonNode): JsonObjectNode {
  if (node.kind === 'object') return node
  throw parsingError(node, `Expected [START_OBJECT] but found [${tokenName(node.kind)}]`)
}

function itemsOf(node: JsonNode): readonly JsonNode[] {
  if (node.kind === 'array') return node.items
  throw parsingError(node, `Expected [START_ARRAY] but found [${tokenName(node.kind)}]`)
}
