import type { FieldType } from '../../../schema/field-type.ts'
import { indexSettings } from '../../../schema/setting-registry.ts'
import type { Query } from '../../../search/query/query.ts'
import { withChosenWords } from '../../../search/query/query-ops.ts'
import type { Leaf } from '../../../segment/leaf.ts'
import { IllegalArgumentError } from '../../../util/errors.ts'
import type { Turn } from '../../../util/turns.ts'
import { derivedField } from '../../dsl/derived/derived-field.ts'
import { buildQuery, type QueryContext } from '../../dsl/query-context.ts'
import { newQueryNotes } from '../../dsl/query-notes.ts'
import type { HighlightedField, ParsedHighlight } from '../../dsl/search-body/highlight.ts'
import type { FetchedDocument, FetchSubject, Reading } from '../fetch-part.ts'
import { htmlText, plainText } from './encoder.ts'
import { derivedTexts, fieldTexts } from './field-texts.ts'
import { fieldAnalyzer, isText } from './field-tokens.ts'
import type { FieldToHighlight, Highlighter, MatchedField } from './highlighter.ts'
import { highlighterOf } from './highlighters.ts'
import { soughtBy } from './sought.ts'
import { tokenSource } from './token-source.ts'

/** The fields of an index that a request highlights. */
export type HighlightPlan = readonly {
  /** As the hit names it. */
  readonly name: string
  /** A document's fragments; null: it has none. */
  fragments(document: FetchedDocument, turn: Turn): Reading<readonly string[] | null>
}[]

/** Types of the fields that a pattern means. */
const PATTERN_TYPES: ReadonlySet<string> = new Set(['text', 'keyword'])

/**
 * Plans the highlighting of an index's hits. Fields that are not mapped are left out.
 * @param leaves of the shard, all of them, by which queries choose words; null: it is not known yet
 * @throws {EngineError} the request does not fit the index
 */
export function highlightPlan(
  { fields, encodesHtml }: ParsedHighlight,
  subject: FetchSubject,
  leaves: readonly Leaf[] | null = null,
): HighlightPlan {
  const { context } = subject
  const { mapping } = context
  const asked = new Map<string, HighlightedField>()
  for (const each of fields) {
    const { pattern, type, forceSource } = each
    const highlighter = highlighterOf(type, pattern)
    const isPattern = pattern.includes('*')
    const names = isPattern ? mapping.namesLike(pattern) : [pattern]
    if (forceSource && mapping.options.source?.enabled === false)
      throw new IllegalArgumentError(
        `source is forced for fields [${names.join(', ')}] but _source is disabled`,
      )
    for (const name of names) {
      const field = highlightedField(name, context)
      if (field === null) continue
      // Of several that mean a field the last one counts.
      if (!isPattern || (PATTERN_TYPES.has(field.type) && highlighter.fits(field)))
        asked.set(name, each)
    }
  }
  return [...asked].map(([name, options]) => {
    const field = highlightedField(name, context)!
    const highlighter = highlighterOf(options.type, options.pattern)
    const fragments = highlighter.make(
      fieldToHighlight(name, field, options, encodesHtml, highlighter, subject, leaves),
    )
    const derived = derivedField(name, context)
    const texts =
      derived === null
        ? fieldTexts(field, context, options.forceSource)
        : derivedTexts(derived, context)
    return { name, fragments: (document, turn) => fragments(document, texts(document), turn) }
  })
}

/** The field of a name; of a derived one that of its values. */
function highlightedField(name: string, context: QueryContext): FieldType | null {
  return derivedField(name, context)?.inner ?? context.mapping.field(name)
}

/** Whether what is highlighted depends on the shard, whose words a query chooses. */
export function asksShard({ fields }: ParsedHighlight, subject: FetchSubject): boolean {
  return fields.some(options => {
    const query = soughtQuery(options, subject)
    return withChosenWords(query, []) !== query
  })
}

/** The query whose matches are highlighted in a field. */
function soughtQuery({ query }: HighlightedField, subject: FetchSubject): Query {
  if (query === null) return subject.query
  return buildQuery(query, { ...subject.context, notes: newQueryNotes() })
}

function fieldToHighlight(
  name: string,
  field: FieldType,
  options: HighlightedField,
  encodesHtml: boolean,
  highlighter: Highlighter,
  subject: FetchSubject,
  leaves: readonly Leaf[] | null,
): FieldToHighlight {
  const { context, settings } = subject
  const asked = soughtQuery(options, subject)
  const query = leaves === null ? asked : withChosenWords(asked, leaves)
  return {
    name,
    field,
    options,
    matched: matchedFields(field, query, options, highlighter, subject),
    hasOffsets: isText(field) && field.vectors?.offsets === true,
    markup: {
      preTag: options.preTags[0]!,
      postTag: options.postTags[0]!,
      encode: encodesHtml ? htmlText : plainText,
    },
    index: context.index,
    maxAnalyzedOffset:
      indexSettings.number(settings, 'index.highlight.max_analyzed_offset') ?? 1_000_000,
  }
}

/** The fields whose matches count, each with what is looked for in it. */
function matchedFields(
  own: FieldType,
  query: Query,
  { requireFieldMatch, matchedFields: asked }: HighlightedField,
  { matchedFields: mode, positions }: Highlighter,
  { analysis, context }: FetchSubject,
): readonly MatchedField[] {
  const fields = new Set<FieldType>()
  if (mode !== 'ignored')
    for (const name of asked) {
      const field = context.mapping.field(name)
      if (field !== null) fields.add(field)
    }
  if (mode !== 'instead' || asked.length === 0) fields.add(own)
  const names = new Set([...fields].map(({ name }) => name))
  return [...fields].map(field => {
    const by = fieldAnalyzer(field, analysis)
    const takes = (name: string): boolean => {
      // Ids are no texts.
      if (!requireFieldMatch) return name !== '_id'
      return mode === 'beside' ? names.has(name) : name === field.name
    }
    const sought = soughtBy(query, takes, positions)
    return { sought, by, tokens: tokenSource(field, by, sought, context.mapping) }
  })
}
