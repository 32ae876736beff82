/**
 * The core of `_analyze`: which analyzer or chain a request means, what each of its stages makes of
 * the texts, and the limit on tokens. Plain data out; the wire names are given above.
 */
import { encodeUtf8 } from '../util/bytes.ts'
import { EngineError, IllegalArgumentError, validationFailed } from '../util/errors.ts'
import type { JsonNode } from '../util/json/json-tree.ts'
import type { Analyzer } from './analyzer/analyzer.ts'
import { bindFilters, Chain } from './analyzer/chain.ts'
import type { AnalyzerParts } from './component.ts'
import type { Normalizer } from './normalizer.ts'
import { type ComponentOptions, NO_OPTIONS, textOption } from './options.ts'
import type { AnalysisRegistry } from './registry.ts'
import type { CharFilterComponent, TokenState, TokenStream } from './token-stream.ts'

/** A field's analyzers by its mapping. */
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
  /** With `explain`: name and value, in order of name; else null. */
  readonly attributes: readonly TokenAttribute[] | null
}

/** Name and value. */
export type TokenAttribute = readonly [string, string | number | boolean]

/** The output of one stage of a chain for all texts. */
export interface AnalyzedStage {
  readonly name: string
  readonly tokens: readonly AnalyzedToken[]
}

/** Each text behind the char filters up to and with this one. */
export interface FilteredTexts {
  readonly name: string
  readonly texts: readonly string[]
}

/** The answer: plain, or with `explain` stage by stage or as a whole. */
export type AnalyzeOutcome =
  | { readonly kind: 'tokens'; readonly tokens: readonly AnalyzedToken[] }
  | {
      readonly kind: 'custom'
      readonly charFilters: readonly FilteredTexts[]
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
  const open = (parts: AnalyzerParts) => {
    const chain = new Chain(parts)
    return (text: string) => chain.open(text)
  }
  if (!request.explain) {
    const tokens = collect(request, subject, open(subject.parts))
    return { kind: 'tokens', tokens }
  }
  const { parts } = subject
  if (!subject.isCustom) {
    const tokens = collect(request, subject, open(parts))
    return { kind: 'builtIn', analyzer: { name: subject.name, tokens } }
  }
  // Explaining takes the chain apart, and an ad-hoc chain loses its gap with that.
  const stage: Subject = subject.isAdHoc ? { ...subject, gap: 0 } : subject
  const upTo = (count: number): readonly AnalyzedToken[] => {
    const filters = parts.filters.slice(0, count)
    return collect(request, { ...stage, parts: { ...parts, filters } }, open({ ...parts, filters }))
  }
  return {
    kind: 'custom',
    charFilters: explainCharFilters(parts.charFilters, request.text),
    tokenizer: { name: parts.tokenizer.name, tokens: upTo(0) },
    tokenFilters: parts.filters.map(({ name }, i) => ({ name, tokens: upTo(i + 1) })),
  }
}

function explainCharFilters(
  charFilters: readonly CharFilterComponent[],
  texts: readonly string[],
): readonly FilteredTexts[] {
  let before = texts
  return charFilters.map(charFilter => {
    before = before.map(text => charFilter.filter(text).text)
    return { name: charFilter.name, texts: before }
  })
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
  if (problems.length > 0) throw validationFailed(problems)
}

/** The chain that runs over the texts. */
interface Subject {
  readonly name: string
  readonly gap: number
  readonly parts: AnalyzerParts
  readonly isCustom: boolean
  readonly isAdHoc: boolean
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
  const { name, parts, isCustom, positionIncrementGap } = analyzer
  const gap = !isCustom && positionIncrementGap === 0 && hasIndex ? INDEX_GAP : positionIncrementGap
  return { name, gap, parts, isCustom, isAdHoc: false }
}

function ofNormalizer({ name, parts }: Normalizer): Subject {
  return { name, gap: 0, parts, isCustom: true, isAdHoc: false }
}

function adHoc(registry: AnalysisRegistry, request: AnalyzeRequest): Subject {
  const { hasIndex } = request
  const tokenizer =
    request.tokenizer === null
      ? registry.makeTokenizer('keyword', 'keyword', NO_OPTIONS)!
      : component(TOKENIZER_KIND, request.tokenizer, registry, hasIndex)
  const charFilters = request.charFilter.map(node =>
    component(CHAR_FILTER_KIND, node, registry, hasIndex),
  )
  const makeTokenizer = () => tokenizer.make()
  const named = request.filter.map(node => component(FILTER_KIND, node, registry, hasIndex))
  // A chain without a tokenizer is a normalizer, whose filters work character by character.
  const unsafe = named.find(filter => filter.isNormalizing !== true)
  if (request.tokenizer === null && unsafe !== undefined)
    throw new IllegalArgumentError(`Custom normalizer may not use filter [${unsafe.name}]`)
  const filters = bindFilters(named, { charFilters, makeTokenizer, filters: [] })
  const parts = { charFilters, tokenizer, filters }
  return { name: 'custom', gap: CHAIN_GAP, parts, isCustom: true, isAdHoc: true }
}

/** How components of one kind are found by name, or made by type and options. */
interface AdHocKind<Component> {
  readonly name: string
  readonly label: string
  find(registry: AnalysisRegistry, name: string): Component | null
  make(
    registry: AnalysisRegistry,
    name: string,
    type: string,
    options: ComponentOptions,
  ): Component | null
}

const TOKENIZER_KIND: AdHocKind<AnalyzerParts['tokenizer']> = {
  name: 'tokenizer',
  label: 'tokenizer',
  find: (registry, name) => registry.tokenizer(name),
  make: (registry, name, type, options) => registry.makeTokenizer(name, type, options),
}
const FILTER_KIND: AdHocKind<AnalyzerParts['filters'][number]> = {
  name: 'filter',
  label: 'token filter',
  find: (registry, name) => registry.filter(name),
  make: (registry, name, type, options) => registry.makeFilter(name, type, options),
}
const CHAR_FILTER_KIND: AdHocKind<CharFilterComponent> = {
  name: 'char_filter',
  label: 'char filter',
  find: (registry, name) => registry.charFilter(name),
  make: (registry, name, type, options) => registry.makeCharFilter(name, type, options),
}

function component<Component>(
  kind: AdHocKind<Component>,
  node: JsonNode,
  registry: AnalysisRegistry,
  hasIndex: boolean,
): Component {
  const defined = node.kind === 'object' ? anonymous(node, kind.name) : null
  const wanted = defined === null ? textOf(node) : defined.type
  const made =
    defined === null
      ? kind.find(registry, wanted)
      : kind.make(registry, `__anonymous__${wanted}`, wanted, defined.options)
  if (made === null)
    throw new IllegalArgumentError(
      `failed to find ${hasIndex ? '' : 'global '}${kind.label} under [${wanted}]`,
    )
  return made
}

/** The type and the options of a component that is defined in the request. */
function anonymous(
  node: Extract<JsonNode, { kind: 'object' }>,
  kind: string,
): { type: string; options: ComponentOptions } {
  const options = new Map<string, string | readonly string[]>()
  addOptions(options, '', node)
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

/** Options as settings name them: those of objects by their path. */
function addOptions(
  options: Map<string, string | readonly string[]>,
  prefix: string,
  node: Extract<JsonNode, { kind: 'object' }>,
): void {
  for (const { key, value } of node.entries)
    if (value.kind === 'object') addOptions(options, `${prefix}${key}.`, value)
    else
      options.set(
        `${prefix}${key}`,
        value.kind === 'array' ? value.items.map(textOf) : textOf(value),
      )
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
  subject: Subject,
  open: (text: string) => TokenStream,
): AnalyzedToken[] {
  const tokens: AnalyzedToken[] = []
  const showsKeyword = subject.parts.filters.some(filter => filter.showsKeyword === true)
  const wanted = new Set(request.attributes.map(name => name.toLowerCase()))
  let position = -1
  let offset = 0
  for (const text of request.text) {
    const stream = open(text)
    const { token } = stream
    while (stream.next()) {
      position += token.positionIncrement
      if (tokens.length === request.maxTokenCount) throw tooManyTokens(request.maxTokenCount)
      tokens.push({
        token: token.term,
        startOffset: offset + token.startOffset,
        endOffset: offset + token.endOffset,
        type: token.type,
        position,
        positionLength: token.positionLength,
        attributes: request.explain ? attributesOf(token, showsKeyword, wanted) : null,
      })
    }
    stream.end()
    offset += token.endOffset + 1
    position += token.positionIncrement + subject.gap
  }
  return tokens
}

/** In order of name. @param wanted in lower case; empty for all */
function attributesOf(
  token: TokenState,
  showsKeyword: boolean,
  wanted: ReadonlySet<string>,
): readonly TokenAttribute[] {
  const all: TokenAttribute[] = [['bytes', hexOf(encodeUtf8(token.term))]]
  if (token.flags !== 0) all.push(['flags', token.flags])
  if (showsKeyword) all.push(['keyword', token.isKeyword])
  if (token.payload !== null) all.push(['payload', hexOf(token.payload)])
  all.push(['positionLength', token.positionLength], ['termFrequency', token.termFrequency])
  return wanted.size === 0 ? all : all.filter(([name]) => wanted.has(name.toLowerCase()))
}

function hexOf(bytes: Uint8Array): string {
  return `[${Array.from(bytes, byte => byte.toString(16)).join(' ')}]`
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
