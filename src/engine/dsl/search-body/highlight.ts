/** `highlight`: which fields of a hit are shown in fragments, with the words of the query marked. */
import { IllegalArgumentError } from '../../../util/errors.ts'
import type { JsonNode, JsonObjectNode } from '../../../util/json/json-tree.ts'
import { type DeclaredOption, FLAG, INTEGER, readDeclared } from '../declared-options.ts'
import { readBoolean, readInteger, readText, readTexts } from '../json-scalars.ts'
import { contentError, fieldError, parsingError, tokenName } from '../parse-error.ts'
import { parseQuery } from '../query/parse-query.ts'
import type { ParsedQuery } from '../query-context.ts'

/** Where fragments may begin and end; null: as the highlighter does it. */
export type BoundaryScannerName = 'chars' | 'word' | 'sentence' | null

/** Options that both the request and each of its fields may have. */
export interface HighlightOptions {
  /** Name of the highlighter; null: `unified`. */
  readonly type: string | null
  /** Min one each. */
  readonly preTags: readonly string[]
  readonly postTags: readonly string[]
  /** UTF-16 units. */
  readonly fragmentSize: number
  /** 0: whole values. */
  readonly numberOfFragments: number
  /** Of `plain`; null: `span`. */
  readonly fragmenter: string | null
  /** Best fragments first; else as they stand in the text. */
  readonly isByScore: boolean
  readonly requireFieldMatch: boolean
  /** In place of the search's query. */
  readonly query: ParsedQuery | null
  /** Units of a text without a match that are shown; 0: none. */
  readonly noMatchSize: number
  readonly forceSource: boolean
  readonly boundaryScanner: BoundaryScannerName
  /** A language tag; null: any language. */
  readonly boundaryLocale: string | null
  readonly boundaryChars: string
  readonly boundaryMaxScan: number
  /** Phrases of a text that `fvh` looks at. */
  readonly phraseLimit: number
  /** Units of a text that are analysed; null: all. */
  readonly maxAnalyzerOffset: number | null
}

/** A field, or a pattern of fields. */
export interface HighlightedField extends HighlightOptions {
  readonly pattern: string
  /** Units ahead of the first match in a fragment of `fvh`; −1: as it does it. */
  readonly fragmentOffset: number
  /** Other fields whose matches count too. */
  readonly matchedFields: readonly string[]
}

/** A request for highlighting. */
export interface ParsedHighlight {
  readonly encodesHtml: boolean
  readonly fields: readonly HighlightedField[]
}

const DEFAULTS: HighlightOptions = {
  type: null,
  preTags: ['<em>'],
  postTags: ['</em>'],
  fragmentSize: 100,
  numberOfFragments: 5,
  fragmenter: null,
  isByScore: false,
  requireFieldMatch: true,
  query: null,
  noMatchSize: 0,
  forceSource: false,
  boundaryScanner: null,
  boundaryLocale: null,
  boundaryChars: '.,!? \t\n',
  boundaryMaxScan: 20,
  phraseLimit: 256,
  maxAnalyzerOffset: null,
}

const STYLED_TAGS = Array.from({ length: 10 }, (_, i) => `<em class="hlt${i + 1}">`)

type Draft = { -readonly [K in keyof HighlightOptions]?: HighlightOptions[K] }

/**
 * Reads `highlight`.
 * @throws {EngineError} 400: `x_content_parse_exception`, `parsing_exception`
 */
export function parseHighlight(node: JsonNode): ParsedHighlight {
  if (node.kind !== 'object')
    throw parsingError(node, `Unknown key for a ${tokenName(node.kind)} in [highlight].`)
  const draft: Draft = {}
  let encodesHtml = false
  let fields: readonly ParsedField[] = []
  readDeclared(
    'highlight',
    node,
    new Map([
      ...commonOptions(draft),
      ['tags_schema', option(['string'], value => takeTags(draft, readText(value)))],
      ['encoder', option(['string'], value => (encodesHtml = readText(value) === 'html'))],
      [
        'fields',
        option(['object', 'array'], value => (fields = [...fields, ...readFields(value)])),
      ],
    ]),
  )
  checkTags(node, draft)
  return {
    encodesHtml,
    fields: fields.map(field => ({
      fragmentOffset: -1,
      matchedFields: [],
      ...DEFAULTS,
      ...draft,
      ...field,
      forceSource: draft.forceSource === true || field.forceSource === true,
    })),
  }
}

type ParsedField = Draft & {
  readonly pattern: string
  fragmentOffset?: number
  matchedFields?: readonly string[]
}

/** An object of any number of fields, or a list of objects of one each. */
function readFields(node: JsonNode): readonly ParsedField[] {
  if (node.kind === 'object') return fieldsOf(node)
  const items = node.kind === 'array' ? node.items : []
  return items.flatMap(item => {
    if (item.kind !== 'object' || item.entries.length !== 1)
      throw contentError(
        item,
        '[fields] can be a single object with any number of fields or an array where each entry ' +
          'is an object with a single field',
      )
    return fieldsOf(item)
  })
}

function fieldsOf({ entries }: JsonObjectNode): readonly ParsedField[] {
  return entries.map(({ key, value }) => {
    try {
      return readField(key, value)
    } catch (error) {
      throw fieldError(value, 'fields', key, error)
    }
  })
}

function readField(pattern: string, node: JsonNode): ParsedField {
  if (node.kind !== 'object')
    throw contentError(
      node,
      `[highlight_field] Expected START_OBJECT but was: ${tokenName(node.kind)}`,
    )
  const field: ParsedField = { pattern }
  readDeclared(
    'highlight_field',
    node,
    new Map([
      ...commonOptions(field),
      ['fragment_offset', option(INTEGER, value => (field.fragmentOffset = readInteger(value)))],
      [
        'matched_fields',
        option(['string', 'array'], value => (field.matchedFields = readTexts(value))),
      ],
    ]),
  )
  checkTags(node, field)
  return field
}

function option(
  takes: readonly JsonNode['kind'][],
  read: (value: JsonNode) => unknown,
): DeclaredOption {
  return { takes, read }
}

function commonOptions(to: Draft): readonly (readonly [string, DeclaredOption])[] {
  const text = (read: (value: string) => unknown): DeclaredOption =>
    option(['string'], value => read(readText(value)))
  const integer = (read: (value: number) => unknown): DeclaredOption =>
    option(INTEGER, value => read(readInteger(value)))
  const flag = (read: (value: boolean) => unknown): DeclaredOption =>
    option(FLAG, value => read(readBoolean(value)))
  const tags = (read: (value: readonly string[]) => unknown): DeclaredOption =>
    option(['string', 'array'], value => read(readTexts(value)))
  return [
    ['type', text(value => (to.type = value))],
    ['pre_tags', tags(value => (to.preTags = someTags('pre_tags', value)))],
    ['post_tags', tags(value => (to.postTags = someTags('post_tags', value)))],
    ['fragment_size', integer(value => (to.fragmentSize = value))],
    ['number_of_fragments', integer(value => (to.numberOfFragments = notNegative(value)))],
    ['fragmenter', text(value => (to.fragmenter = value))],
    ['order', text(value => (to.isByScore = value.toLowerCase() === 'score'))],
    ['require_field_match', flag(value => (to.requireFieldMatch = value))],
    ['highlight_query', option(['object'], value => (to.query = parseQuery(value)))],
    ['no_match_size', integer(value => (to.noMatchSize = value))],
    ['force_source', flag(value => (to.forceSource = value))],
    ['boundary_scanner', text(value => (to.boundaryScanner = scannerOf(value)))],
    ['boundary_scanner_locale', text(value => (to.boundaryLocale = value))],
    ['boundary_chars', text(value => (to.boundaryChars = value))],
    ['boundary_max_scan', integer(value => (to.boundaryMaxScan = value))],
    ['phrase_limit', integer(value => (to.phraseLimit = phraseLimitOf(value)))],
    ['max_analyzer_offset', integer(value => (to.maxAnalyzerOffset = offsetOf(value)))],
    // Clauses of filters are always marked, and options are those of highlighters from elsewhere.
    ['highlight_filter', flag(() => {})],
    ['options', option(['object'], () => {})],
  ]
}

/** @throws {EngineError} `parsing_exception` */
function checkTags(node: JsonNode, { preTags, postTags }: Draft): void {
  if (preTags !== undefined && postTags === undefined)
    throw parsingError(node, 'pre_tags are set but post_tags are not set')
}

function takeTags(draft: Draft, schema: string): void {
  if (schema === 'default') {
    draft.preTags = DEFAULTS.preTags
    draft.postTags = DEFAULTS.postTags
  } else if (schema === 'styled') {
    draft.preTags = STYLED_TAGS
    draft.postTags = DEFAULTS.postTags
  } else throw new IllegalArgumentError(`Unknown tag schema [${schema}]`)
}

function someTags(key: string, tags: readonly string[]): readonly string[] {
  if (tags.length === 0) throw new IllegalArgumentError(`[${key}] must not be empty`)
  return tags
}

function notNegative(count: number): number {
  if (count < 0) throw new IllegalArgumentError('[number_of_fragments] must not be negative')
  return count
}

function phraseLimitOf(limit: number): number {
  if (limit <= 0) throw new IllegalArgumentError(`phraseLimit must be greater than zero`)
  return limit
}

function offsetOf(offset: number): number {
  if (offset <= 0) throw new IllegalArgumentError('[max_analyzer_offset] must be positive')
  return offset
}

function scannerOf(text: string): BoundaryScannerName {
  const name = text.toLowerCase()
  if (name === 'chars' || name === 'word' || name === 'sentence') return name
  throw new IllegalArgumentError(
    'No enum constant org.opensearch.search.fetch.subphase.highlight.HighlightBuilder.' +
      `BoundaryScannerType.${text.toUpperCase()}`,
  )
}
