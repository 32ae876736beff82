import { SCORED_DOCUMENT } from '../../script/context/scored-document.ts'
import type { ScriptRequest } from '../../script/script-request.ts'
import type { AskedTerms } from '../../search/script/asked-terms.ts'
import type { PlannedField, ScriptPlan } from '../../search/script/script-plan.ts'
import { type JsonNode, type JsonObjectNode, jsonEntry } from '../../util/json/json-tree.ts'
import { routingHash } from '../../util/murmur3.ts'
import type { CheckedScript } from '../api/scripts.ts'
import { METADATA_FIELD_NAMES } from './field/metadata/metadata-field.ts'
import { notSupportedYet } from './parse-error.ts'
import { type QueryContext, readNow } from './query-context.ts'
import { scriptFieldOf } from './script-field.ts'

/** Sources whose results differ from run to run. */
const VOLATILE =
  /\b(?:random\s*\(|randomUUID|currentTimeMillis|nanoTime|new\s+Date\s*\(\s*\)|now\s*\()/

/** Contexts whose scripts run where sources can be read. */
const WITH_SOURCES: ReadonlySet<string> = new Set(['derived_field', 'field'])
const SOURCE = /\bparams\s*\??(?:\.\s*_source\b|\[\s*(?:'_source'|"_source")\s*\])/

/**
 * A request's script, bound to the fields of an index.
 * @param contextName a name of `_script_context`
 * @throws {EngineError} it does not compile, is not stored, or settings forbid it
 */
export function scriptPlan(
  request: ScriptRequest,
  contextName: string,
  context: QueryContext,
): ScriptPlan {
  const checked = context.scripts.forSearch(request, contextName)
  const { lang, source, id, params, regex, uses } = checked
  if (!WITH_SOURCES.has(contextName) && readsSource(checked))
    throw notSupportedYet(`params._source in scripts of the context ${contextName}`)
  // The request cache keeps nothing of such a request.
  if (VOLATILE.test(source)) readNow(context)
  return {
    lang,
    context: contextName,
    source,
    name: id,
    params,
    regex,
    fields: fieldNames(checked, context).map(name => plannedField(name, context)),
    terms: askedTerms(checked, context),
    readsScore: uses === null ? /\b_score\b/.test(source) : uses.has('_score'),
    salt: routingHash(context.index),
    text: scriptText(request),
  }
}

/** Whether a script asks for the source of a document, which no parameter of its request stands in for. */
function readsSource({ source, params }: CheckedScript): boolean {
  return SOURCE.test(source) && (params === null || jsonEntry(params, '_source') === null)
}

function plannedField(name: string, context: QueryContext): PlannedField {
  return { name, field: scriptFieldOf(name, context) }
}

const NAMED = /^doc\['(.*)'\]$/s
const NAMED_IN_EXPRESSION = /\bdoc\s*\[\s*(?:'([^']*)'|"([^"]*)")\s*\]/g

/** Fields that a script may read: all of the index where it does not name them. */
function fieldNames(checked: CheckedScript, { mapping }: QueryContext): readonly string[] {
  const { uses, source } = checked
  if (uses === null)
    return distinct(Array.from(source.matchAll(NAMED_IN_EXPRESSION), ([, a, b]) => a ?? b!))
  const named = [...uses].flatMap(use => NAMED.exec(use)?.[1] ?? [])
  const isAsked = (name: string): boolean => isWritten(name, checked)
  const metadata = METADATA_FIELD_NAMES.filter(isAsked)
  if (uses.has('doc')) return distinct([...named, ...mapping.names(), ...metadata])
  if (!uses.has(SCORED_DOCUMENT)) return named
  // Functions of scores take names of fields.
  return distinct([...named, ...mapping.names().filter(isAsked), ...metadata])
}

const TERM_FUNCTIONS = /\b(?:termFreq|tf|totalTermFreq|sumTotalTermFreq)\s*\(/
const TEXTS = /'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"/g

/** Terms that score functions may ask for: fields and texts that the script and its parameters hold. */
function askedTerms(checked: CheckedScript, { mapping }: QueryContext): AskedTerms | null {
  const { uses, source, params } = checked
  if (uses?.has(SCORED_DOCUMENT) !== true || !TERM_FUNCTIONS.test(source)) return null
  const given = params?.entries.flatMap(({ value }) => (value.kind === 'string' ? value.value : []))
  const written = Array.from(source.matchAll(TEXTS), ([, a, b]) => a ?? b!)
  return {
    fields: mapping
      .names()
      .filter(name => isWritten(name, checked))
      .map(name => ({ name, field: mapping.field(name)?.name ?? name })),
    texts: distinct([...written, ...(given ?? [])]),
    occurrences: [],
    tokens: [],
  }
}

/** Whether a name stands as a text in a script or in its parameters. */
function isWritten(name: string, { source, params }: CheckedScript): boolean {
  if (source.includes(`'${name}'`) || source.includes(`"${name}"`)) return true
  return (
    params?.entries.some(({ value }) => value.kind === 'string' && value.value === name) === true
  )
}

function distinct(names: readonly string[]): readonly string[] {
  return [...new Set(names)]
}

/** A script as Java prints it. */
export function scriptText({ source, id, lang, params, options }: ScriptRequest): string {
  const type = id === null ? 'inline' : 'stored'
  const language = lang === null ? 'null' : `'${lang}'`
  const given =
    id === null ? `{${Array.from(options, ([k, v]) => `${k}=${v}`).join(', ')}}` : 'null'
  return (
    `Script{type=${type}, lang=${language}, idOrCode='${id ?? source}', ` +
    `options=${given}, params=${params === null ? '{}' : objectText(params)}}`
  )
}

function objectText({ entries }: JsonObjectNode): string {
  return `{${entries.map(({ key, value }) => `${key}=${nodeText(value)}`).join(', ')}}`
}

function nodeText(node: JsonNode): string {
  switch (node.kind) {
    case 'object':
      return objectText(node)
    case 'array':
      return `[${node.items.map(nodeText).join(', ')}]`
    case 'number':
      return node.text
    case 'null':
      return 'null'
    case 'string':
    case 'boolean':
      return String(node.value)
  }
}
