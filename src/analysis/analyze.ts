/**
 * The core of `_analyze`: which analyzer or chain a request means, what each of its stages makes of
 * the texts, and the limit on tokens. Plain data out; the wire names are given above.
 */
import { encodeUtf8 } from '../util/bytes.ts'
import { EngineError, IllegalArgumentError } from '../util/errors.ts'
import type { JsonNode } from '../util/json/json-tree.ts'
import type { Analyzer, AnalyzerParts, Token, TokenStream } from './analyzer/analyzer.ts'
import {
  CHAR_FILTERS_NOT_SUPPORTED,
  type ComponentOptions,
  type FilterComponent,
  makeFilter,
  makeTokenizer,
  notSupported,
  type TokenizerComponent,
  textOption,
} from './component.ts'
import type { AnalysisRegistry, Normalizer } from './registry.ts'

/** What a field's mapping says about analysing it. */
export type FieldAnalysis =
  | { readonly kind: 'analyzer'; readonly analyzer: Analyzer }
  | { readonly kind: 'normalizer'; readonly normalizer: Normalizer }

/** A request whose parts have been checked for their types. */
export interface AnalyzeRequest {
  readonly text: readonly string[]
  readonly analyzer: string | null
  readonly normalizer: string | null
  /** Of the field that was named; null when none was, or it is not mapped. */
  readonly field: FieldAnalysis | null
  readonly tokenizer: JsonNode | null
  readonly filter: readonly JsonNode[]
  readonly charFilter: readonly JsonNode[]
  readonly explain: boolean
  /** Names of attributes to show with `explain`, in any case; empty for all. */
  readonly attributes: readonly string[]
  /** False for a request without an index: only built-in components are found. */
  readonly hasIndex: boolean
  readonly maxTokenCount: number
}

/** A token of the answer. */
export interface AnalyzedToken {
  readonly token: string
  readonly startOffset: number
  readonly endOffset: number
  readonly type: string
  readonly position: number
  readonly positionLength: number
  /** With `explain`: name and value, in order of name. */
  readonly attributes: readonly (readonly [string, string | number])[]
}

/** What one stage of a chain made of all texts. */
export interface AnalyzedStage {
  readonly name: string
  readonly tokens: readonly AnalyzedToken[]
}

/** The answer: plain, or with `explain` stage by stage or as a whole. */
export type AnalyzeOutcome =
  | { readonly kind: 'tokens'; readonly tokens: readonly AnalyzedToken[] }
  | {
      readonly kind: 'custom'
      readonly tokenizer: AnalyzedStage
      readonly tokenFilters: readonly AnalyzedStage[]
    }
  | { readonly kind: 'builtIn'; readonly analyzer: AnalyzedStage }

/** Positions between two texts of an ad-hoc chain, without `explain`. */
const CHAIN_GAP = 100

/** Positions between two texts of a built-in analyzer that an index uses. */
const INDEX_GAP = 100

/**
 * Analyses the texts of a request.
 * @throws {EngineError} the documented errors of `_analyze`; `illegal_state_exception` past the
 * limit on tokens
 */
export function analyze(registry: AnalysisRegistry, request: AnalyzeRequest): AnalyzeOutcome {
  checkRequest(request)
  const subject = choose(registry, request)
  if (!request.explain) {
    const tokens = collect(request, subject.gap, text => subject.run(text))
    return { kind: 'tokens', tokens }
  }
  const { parts } = subject
  if (parts === null) {
    const tokens = collect(request, subject.gap, text => subject.run(text))
    return { kind: 'builtIn', analyzer: { name: subject.name, tokens } }
  }
  // Explaining takes the chain apart, and an ad-hoc chain loses its gap with that.
  const gap = subject.isAdHoc ? 0 : subject.gap
  const tokenizer: AnalyzedStage = {
    name: parts.tokenizer.name,
    tokens: collect(request, gap, text => parts.tokenizer.run(text)),
  }
  const tokenFilters = parts.filters.map((stage, i) => ({
    name: stage.name,
    tokens: collect(request, gap, text => {
      let stream = parts.tokenizer.run(text)
      for (const filter of parts.filters.slice(0, i + 1)) stream = filter.run(stream)
      return stream
    }),
  }))
  return { kind: 'custom', tokenizer, tokenFilters }
}

function checkRequest(request: AnalyzeRequest): void {
  const hasParts =
    request.tokenizer !== null || request.filter.length > 0 || request.charFilter.length > 0
  const problems: string[] = []
  if (request.text.length === 0) problems.push('text is missing')
  if (request.normalizer !== null && !request.hasIndex)
    problems.push('index is required if normalizer is specified')
  if (request.normalizer !== null && (request.tokenizer !== null || request.analyzer !== null))
    problems.push('tokenizer/analyze should be null if normalizer is specified')
  if (request.analyzer !== null && hasParts)
    problems.push('cannot define extra components on a named analyzer')
  if (request.field !== null && hasParts)
    problems.push('cannot define extra components on a field-specific analyzer')
  if (problems.length > 0)
    throw new EngineError({
      type: 'action_request_validation_exception',
      reason: `Validation Failed: ${problems.map((text, i) => `${i + 1}: ${text};`).join('')}`,
    })
}

/** What is run over the texts. */
interface Subject {
  readonly name: string
  readonly gap: number
  readonly parts: AnalyzerParts | null
  readonly isAdHoc: boolean
  run(text: string): TokenStream
}

function choose(registry: AnalysisRegistry, request: AnalyzeRequest): Subject {
  if (request.tokenizer !== null || request.filter.length > 0 || request.charFilter.length > 0)
    return adHoc(registry, request)
  if (request.analyzer !== null) {
    const analyzer = registry.analyzer(request.analyzer)
    if (analyzer === null)
      throw new IllegalArgumentError(
        `failed to find ${request.hasIndex ? '' : 'global '}analyzer [${request.analyzer}]`,
      )
    return ofAnalyzer(analyzer, request.hasIndex)
  }
  if (request.normalizer !== null) {
    const normalizer = registry.normalizer(request.normalizer)
    if (normalizer === null)
      throw new IllegalArgumentError(`failed to find normalizer under [${request.normalizer}]`)
    return ofNormalizer(normalizer)
  }
  if (request.field?.kind === 'normalizer') return ofNormalizer(request.field.normalizer)
  return ofAnalyzer(request.field?.analyzer ?? registry.defaultAnalyzer, request.hasIndex)
}

function ofAnalyzer(analyzer: Analyzer, hasIndex: boolean): Subject {
  const ownGap = analyzer.positionIncrementGap
  return {
    name: analyzer.name,
    gap: analyzer.parts === null && ownGap === 0 && hasIndex ? INDEX_GAP : ownGap,
    parts: analyzer.parts,
    isAdHoc: false,
    run: text => analyzer.tokens(text),
  }
}

function ofNormalizer(normalizer: Normalizer): Subject {
  return {
    name: normalizer.name,
    gap: 0,
    parts: null,
    isAdHoc: false,
    run(text) {
      const bytes = encodeUtf8(text)
      const target = new Uint8Array(Math.ceil(bytes.length * normalizer.growth))
      const length = normalizer.normalize(bytes, 0, bytes.length, target, 0)
      const token: Token = {
        term: new TextDecoder('utf-8', { ignoreBOM: true }).decode(target.subarray(0, length)),
        startOffset: 0,
        endOffset: text.length,
        type: 'word',
        positionIncrement: 1,
        positionLength: 1,
      }
      return {
        tokens: text === '' ? [] : [token],
        trailingIncrement: 0,
        endOffset: text.length,
      }
    },
  }
}

function adHoc(registry: AnalysisRegistry, request: AnalyzeRequest): Subject {
  for (const node of request.charFilter) refuseCharFilter(node, request.hasIndex)
  const tokenizer =
    request.tokenizer === null
      ? { name: 'keyword', component: makeTokenizer('keyword', new Map())! }
      : findTokenizer(registry, request.tokenizer, request.hasIndex)
  const filters = request.filter.map(node => findFilter(registry, node, request.hasIndex))
  const parts: AnalyzerParts = {
    tokenizer: { name: tokenizer.name, run: tokenizer.component.run },
    filters: filters.map(filter => filter.stage),
  }
  return {
    name: 'custom',
    gap: CHAIN_GAP,
    parts,
    isAdHoc: true,
    run(text) {
      let stream = parts.tokenizer.run(text)
      for (const filter of parts.filters) stream = filter.run(stream)
      return stream
    },
  }
}

function findTokenizer(
  registry: AnalysisRegistry,
  node: JsonNode,
  hasIndex: boolean,
): { name: string; component: TokenizerComponent } {
  if (node.kind !== 'object') {
    const name = textOf(node)
    const component = registry.tokenizer(name)
    if (component === null)
      throw new IllegalArgumentError(
        `failed to find ${hasIndex ? '' : 'global '}tokenizer under [${name}]`,
      )
    return { name, component }
  }
  const { type, options } = anonymous(node, 'tokenizer')
  const component = makeTokenizer(type, options)
  if (component === null)
    throw new IllegalArgumentError(
      `failed to find ${hasIndex ? '' : 'global '}tokenizer under [${type}]`,
    )
  return { name: `__anonymous__${type}`, component }
}

function findFilter(
  registry: AnalysisRegistry,
  node: JsonNode,
  hasIndex: boolean,
): FilterComponent {
  if (node.kind !== 'object') {
    const name = textOf(node)
    const component = registry.filter(name)
    if (component === null)
      throw new IllegalArgumentError(
        `failed to find ${hasIndex ? '' : 'global '}token filter under [${name}]`,
      )
    return component
  }
  const { type, options } = anonymous(node, 'filter')
  const component = makeFilter(`__anonymous__${type}`, type, options)
  if (component === null)
    throw new IllegalArgumentError(
      `failed to find ${hasIndex ? '' : 'global '}token filter under [${type}]`,
    )
  return component
}

function refuseCharFilter(node: JsonNode, hasIndex: boolean): never {
  const name = node.kind === 'object' ? anonymous(node, 'char_filter').type : textOf(node)
  if (CHAR_FILTERS_NOT_SUPPORTED.has(name)) throw notSupported(name)
  throw new IllegalArgumentError(
    `failed to find ${hasIndex ? '' : 'global '}char filter under [${name}]`,
  )
}

/** The type and the options of a component that is defined in the request. */
function anonymous(
  node: Extract<JsonNode, { kind: 'object' }>,
  kind: string,
): { type: string; options: ComponentOptions } {
  const options = new Map<string, string | readonly string[]>()
  for (const { key, value } of node.entries)
    options.set(key, value.kind === 'array' ? value.items.map(textOf) : textOf(value))
  const type = textOption(options, 'type')
  if (type === null) {
    const shown = [...options].map(
      ([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`,
    )
    throw new IllegalArgumentError(
      `Missing [type] setting for anonymous ${kind}: {${shown.join(',')}}`,
    )
  }
  return { type, options }
}

/** A scalar as a setting holds it. */
function textOf(node: JsonNode): string {
  if (node.kind === 'number') return node.text
  if (node.kind === 'string') return node.value
  if (node.kind === 'boolean') return String(node.value)
  throw new IllegalArgumentError(
    `expected a name, a number or true or false at [${node.line}:${node.col}], got ${node.kind}`,
  )
}

/** The tokens of all texts, positions and offsets running on from text to text. */
function collect(
  request: AnalyzeRequest,
  gap: number,
  run: (text: string) => TokenStream,
): AnalyzedToken[] {
  const tokens: AnalyzedToken[] = []
  let position = -1
  let offset = 0
  for (const text of request.text) {
    const stream = run(text)
    for (const token of stream.tokens) {
      position += token.positionIncrement
      if (tokens.length === request.maxTokenCount) throw tooManyTokens(request.maxTokenCount)
      tokens.push({
        token: token.term,
        startOffset: offset + token.startOffset,
        endOffset: offset + token.endOffset,
        type: token.type,
        position,
        positionLength: token.positionLength,
        attributes: request.explain ? attributesOf(token, request.attributes) : [],
      })
    }
    offset += stream.endOffset + 1
    position += stream.trailingIncrement + gap
  }
  return tokens
}

function attributesOf(
  token: Token,
  wanted: readonly string[],
): readonly (readonly [string, string | number])[] {
  const bytes = [...encodeUtf8(token.term)].map(byte => byte.toString(16)).join(' ')
  const all: [string, string | number][] = [
    ['bytes', `[${bytes}]`],
    ['positionLength', token.positionLength],
    ['termFrequency', 1],
  ]
  if (wanted.length === 0) return all
  const names = new Set(wanted.map(name => name.toLowerCase()))
  return all.filter(([name]) => names.has(name.toLowerCase()))
}

function tooManyTokens(limit: number): EngineError {
  return new EngineError({
    type: 'illegal_state_exception',
    status: 500,
    reason:
      'The number of tokens produced by calling _analyze has exceeded the allowed maximum of ' +
      `[${limit}]. This limit can be set by changing the [index.analyze.max_token_count] index ` +
      'level setting.',
  })
}
