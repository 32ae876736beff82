/** Highlighting as a program asks for it, and the key `highlight` of the body that the engine reads. */
import { checkOptions, checkRecord } from './arguments.ts'

/** Options of a highlighted field, or of all of them. */
export interface HighlightOptions {
  /** Default `unified`; `fvh` wants fields with vectors of terms with offsets. */
  readonly type?: 'unified' | 'plain' | 'fvh'
  /** Default `<em>`; with several, those of `fvh` are taken in turn. */
  readonly preTags?: string | readonly string[]
  readonly postTags?: string | readonly string[]
  /** Characters of a fragment; default 100. */
  readonly fragmentSize?: number
  /** Default 5; 0: whole values. */
  readonly numberOfFragments?: number
  /** Best fragments first; default as they stand in the text. */
  readonly order?: 'score' | 'none'
  /** False: also what the query looks for in other fields. Default true. */
  readonly requireFieldMatch?: boolean
  /** In place of the search's query. */
  readonly highlightQuery?: Readonly<Record<string, unknown>>
  /** Characters of a text without a match that are shown; default 0. */
  readonly noMatchSize?: number
  readonly forceSource?: boolean
  readonly boundaryScanner?: 'chars' | 'word' | 'sentence'
  /** A language tag. */
  readonly boundaryScannerLocale?: string
  /** Of `fvh`. */
  readonly boundaryChars?: string
  readonly boundaryMaxScan?: number
  readonly phraseLimit?: number
  /** Of `plain`. */
  readonly fragmenter?: 'span' | 'simple'
  /** Characters of a text that are analysed; default all. */
  readonly maxAnalyzerOffset?: number
}

/** Options of one highlighted field. */
export interface HighlightField extends HighlightOptions {
  /** Fields whose matches count too. */
  readonly matchedFields?: readonly string[]
  /** Of `fvh`: characters ahead of the first match. */
  readonly fragmentOffset?: number
}

/** Which fields of hits are shown in fragments, with what the query matches between tags. */
export interface Highlight extends HighlightOptions {
  /** Names and patterns, with options of their own or without. */
  readonly fields: readonly string[] | Readonly<Record<string, HighlightField>>
  readonly tagsSchema?: 'default' | 'styled'
  /** `html` writes what would be markup in the text as entities. */
  readonly encoder?: 'default' | 'html'
}

const OPTION_KEYS: Readonly<Record<keyof HighlightOptions, string>> = {
  type: 'type',
  preTags: 'pre_tags',
  postTags: 'post_tags',
  fragmentSize: 'fragment_size',
  numberOfFragments: 'number_of_fragments',
  order: 'order',
  requireFieldMatch: 'require_field_match',
  highlightQuery: 'highlight_query',
  noMatchSize: 'no_match_size',
  forceSource: 'force_source',
  boundaryScanner: 'boundary_scanner',
  boundaryScannerLocale: 'boundary_scanner_locale',
  boundaryChars: 'boundary_chars',
  boundaryMaxScan: 'boundary_max_scan',
  phraseLimit: 'phrase_limit',
  fragmenter: 'fragmenter',
  maxAnalyzerOffset: 'max_analyzer_offset',
}

const FIELD_KEYS: Readonly<Record<keyof HighlightField, string>> = {
  ...OPTION_KEYS,
  matchedFields: 'matched_fields',
  fragmentOffset: 'fragment_offset',
}

const KEYS: Readonly<Record<keyof Highlight, string>> = {
  ...OPTION_KEYS,
  fields: 'fields',
  tagsSchema: 'tags_schema',
  encoder: 'encoder',
}

/**
 * The key `highlight` of a search body.
 * @throws {IllegalArgumentError} unknown key, with a suggestion
 */
export function highlightBody(highlight: Highlight): object {
  checkRecord('highlight', highlight)
  checkOptions('highlight option', highlight, KEYS)
  const { fields } = highlight
  return { ...wireOptions(highlight, KEYS), fields: fieldsBody(fields) }
}

function fieldsBody(fields: Highlight['fields']): unknown {
  if (Array.isArray(fields)) return fields.map((name: string) => ({ [name]: {} }))
  checkRecord('fields', fields)
  // A list keeps their order.
  return Object.entries(fields).map(([name, options]) => {
    checkRecord('highlighted field', options)
    checkOptions('option of a highlighted field', options, FIELD_KEYS)
    return { [name]: wireOptions(options, FIELD_KEYS) }
  })
}

function wireOptions(options: object, keys: Readonly<Record<string, string>>): object {
  return Object.fromEntries(
    Object.entries(options).flatMap(([key, value]) =>
      value === undefined ? [] : [[keys[key]!, value]],
    ),
  )
}
