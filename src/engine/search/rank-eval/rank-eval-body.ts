/** The body of `_rank_eval`: queries with ratings of documents, and the metric of their rankings. */

import type { ScriptRequest } from '../../../script/script-request.ts'
import { EngineError, IllegalArgumentError } from '../../../util/errors.ts'
import {
  type JsonEntry,
  type JsonNode,
  type JsonObjectNode,
  jsonEntry,
} from '../../../util/json/json-tree.ts'
import { readBoolean, readInteger, readText, readTexts } from '../../dsl/json-scalars.ts'
import {
  fieldError,
  parsingError,
  tokenName,
  unknownField,
  unknownObject,
} from '../../dsl/parse-error.ts'
import { parseScript } from '../../dsl/parse-script.ts'
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
  /** A search body, or the parameters of a template that makes one. */
  readonly request: JsonObjectNode | TemplateUse
  /** Rating by index and id, as `ratingKey` has them. */
  readonly ratings: ReadonlyMap<string, number>
  /** Parts of the sources that hits carry. */
  readonly summaryFields: readonly string[]
}

/** A template by its id in the body, with parameters. */
export interface TemplateUse {
  readonly kind: 'template'
  readonly id: string
  readonly params: JsonObjectNode
}

/** A whole body. */
export interface RankEvalBody {
  /** Templates by the ids that requests name. */
  readonly templates: ReadonlyMap<string, ScriptRequest>
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
  let templates: ReadonlyMap<string, ScriptRequest> = new Map()
  let requests: readonly RatedRequest[] = []
  let metric: RankMetric | null = null
  let maxConcurrent = USUAL_CONCURRENCY
  const { entries } = objectOf(node)
  for (const entry of entries)
    within(entry, 'rank_eval', KEYS, value => {
      if (entry.key === 'templates') templates = new Map(itemsOf(value).map(parseTemplate))
      else if (entry.key === 'requests') requests = itemsOf(value).map(parseRequest)
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
  for (const { request } of requests)
    if (request.kind === 'template' && !templates.has(request.id))
      throw new EngineError({
        type: 'illegal_state_exception',
        reason: `No template exists for id: ${request.id}`,
        status: 400,
      })
  return { templates, requests, metric, maxConcurrent }
}

function parseTemplate(node: JsonNode): readonly [string, ScriptRequest] {
  let id: string | null = null
  let template: ScriptRequest | null = null
  for (const entry of objectOf(node).entries)
    within(entry, 'templates', ['id', 'template'], value => {
      if (entry.key === 'id') id = readText(value)
      else template = parseScript(value, 'mustache')
    })
  if (id === null) throw new IllegalArgumentError('Required [id]')
  if (template === null) throw new IllegalArgumentError('Required [template]')
  return [id, template]
}

function parseRequest(node: JsonNode): RatedRequest {
  let id: string | null = null
  let request: JsonObjectNode | null = null
  let rated: readonly (readonly [string, number])[] | null = null
  let templateId: string | null = null
  let params: JsonObjectNode | null = null
  let summaryFields: readonly string[] = []
  for (const entry of objectOf(node).entries)
    within(entry, 'request', REQUEST_KEYS, value => {
      const { key } = entry
      if (key === 'id') id = readText(value)
      else if (key === 'request') request = objectOf(value)
      else if (key === 'template_id') templateId = readText(value)
      else if (key === 'params') params = objectOf(value)
      else if (key === 'ratings') rated = itemsOf(value).map(parseRating)
      else summaryFields = readTexts(value)
    })
  if (id === null) throw new IllegalArgumentError('Required [id]')
  if (rated === null) throw new IllegalArgumentError('Required [ratings]')
  const asked = requestOf(request, templateId, params)
  return { id, request: asked, ratings: ratingsOf(rated, id), summaryFields }
}

/** A request is given whole, or as parameters of a template. */
function requestOf(
  request: JsonObjectNode | null,
  templateId: string | null,
  params: JsonObjectNode | null,
): JsonObjectNode | TemplateUse {
  if (request !== null && params !== null && params.entries.length > 0)
    throw new IllegalArgumentError(
      'Ambiguous rated request: Set both, verbatim test request and test request template parameters.',
    )
  if (request !== null && templateId !== null)
    throw new IllegalArgumentError(
      'Ambiguous rated request: Set both, verbatim test request and test request template parameters.',
    )
  if (request !== null) {
    checkRequest(request)
    return request
  }
  if (params === null || params.entries.length === 0)
    throw new IllegalArgumentError(
      'Need to set at least test request or test request template parameters.',
    )
  if (templateId === null)
    throw new IllegalArgumentError(
      'If template parameters are supplied need to set id of template to apply them to too.',
    )
  return { kind: 'template', id: templateId, params }
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

/**
 * Refuses parts of a search that say nothing of its ranking.
 * @throws {EngineError}
 */
export function checkRequest(request: JsonObjectNode): void {
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
  if (!METRIC_NAMES.includes(name)) throw unknownObject(entry)
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
  if (!known.includes(key)) throw unknownField(entry, parser, known)
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
